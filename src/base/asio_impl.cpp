// Asio is compiled once, here, instead of in every file that uses it.
#include <boost/asio/impl/src.hpp>
