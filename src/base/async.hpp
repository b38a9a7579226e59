// The coroutine type of the whole program. Module headers include no other Asio header than this
// light one.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace heddle {

template <class T>
using Async = boost::asio::awaitable<T>;

}  // namespace heddle
