-- override_fetch is called by hand here, with an http_request of the test's own.

local CTX = { job = { vars = { proxies = "http://one.example:1 http://two.example:2 http://three.example:3" } } }
local REQUEST = { url = "http://shop.example/", headers = {} }

-- Answers by proxy: a status, or nil for one that does not answer. Returns the proxies tried so far.
local function answering(statuses)
  local tried = {}
  sleep = function() end -- tests need not wait
  http_request = function(options)
    tried[#tried + 1] = options.proxy
    local status = statuses[options.proxy]
    if not status then return nil, { error = "connection refused", kind = "proxy" } end
    return { status = status, url = options.url, headers = {}, body = "page" }
  end
  return tried
end

function test_goes_on_to_the_next_proxy()
  local tried = answering({ ["http://two.example:2"] = 403, ["http://three.example:3"] = 200 })
  local response = override_fetch(REQUEST, CTX)
  heddle.assert_eq(response.status, 200)
  heddle.assert_eq(tried, { "http://one.example:1", "http://two.example:2", "http://three.example:3" })
end

function test_begins_with_the_one_that_worked_last()
  answering({ ["http://three.example:3"] = 200 })
  override_fetch(REQUEST, CTX)
  local tried = answering({ ["http://three.example:3"] = 200 })
  override_fetch(REQUEST, CTX)
  heddle.assert_eq(tried, { "http://three.example:3" })
end

function test_fails_with_the_last_reason_when_none_works()
  answering({ ["http://three.example:3"] = 503 })
  heddle.assert_match(override_fetch(REQUEST, CTX).error, "the last one said: status 503")
end
