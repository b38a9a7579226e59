-- The older way to write hooks, from before there was ctx: no second argument, and globals to hand
-- things on. A folder written like this for SpyWeb runs as it is. In new scripts prefer ctx.shared:
-- with several workers a global belongs to all of them at once.

function before_fetch(request)
  request.headers["User-Agent"] = "price-watch/1.0 (+mailto:me@example.org)"
  defer(function() print("asked for " .. request.url) end) -- when before_fetch has ended
  return request
end

function after_extract(items)
  items_found = #items
  bytes_read = last_fetch.response.size -- the global form of ctx.last_fetch
  return items
end
