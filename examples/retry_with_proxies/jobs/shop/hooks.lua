-- Plain rotation needs no script: see `proxy` in config.toml. This is for rules of your own: try one
-- proxy after the other, and begin next time with the one that worked.

-- The list from config.toml, with the proxy that worked last at its head.
local function proxies_in_order(ctx)
  local good = store_get("good_proxy") -- kept over restarts, for this job alone
  local list = {}
  for proxy in ctx.job.vars.proxies:gmatch("%S+") do
    table.insert(list, proxy == good and 1 or #list + 1, proxy)
  end
  return list
end

-- A page that says "go away" is as bad as no answer: another proxy may be welcome.
local function is_usable(response)
  return response.status ~= 403 and response.status ~= 429 and response.status < 500
end

-- Stands in for the engine's fetch. sleep and http_request wait; other jobs go on meanwhile.
function override_fetch(request, ctx)
  local problem = "there is no proxy in vars.proxies"
  for attempt, proxy in ipairs(proxies_in_order(ctx)) do
    if attempt > 1 then sleep(100 * 2 ^ attempt) end
    local response, failure = http_request({
      url = request.url,
      headers = request.headers,
      proxy = proxy,
      timeout = 10,
    })
    if response and is_usable(response) then
      store_set("good_proxy", proxy)
      return response
    end
    problem = failure and failure.error or "status " .. response.status
    log("through", proxy, "it failed:", problem)
  end
  -- A table with `error` is a failed fetch: on_error is called, and [retry] of the job applies.
  return { error = "every proxy failed; the last one said: " .. problem }
end
