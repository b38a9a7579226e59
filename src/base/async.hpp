// The coroutine type of the whole program. Only this light Asio header may stand in room headers.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace heddle {

template <class T>
using Async = boost::asio::awaitable<T>;

}  // namespace heddle
