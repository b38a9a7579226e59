-- A hook is a global function with a known name. The engine calls the ones that exist at their place
-- in the cycle; every other stage runs as it would without a script.

-- Before the page is fetched. Change the request, or return nil to skip this cycle.
function before_fetch(request, ctx)
  request.headers["Accept-Language"] = "en"
  return request
end

-- After the engine has found the items. Change them, add some, leave some out.
function after_extract(items, ctx)
  for _, item in ipairs(items) do
    -- Fields are text. "€ 49.50" is good to read; "49.50" is good to sort by.
    item.fields.amount = item.fields.price:match("%d+%.?%d*") or ""
  end
  log("found", #items, "items on", ctx.last_fetch.response.url)
  return items -- a hook that returns nothing says "no items": never forget this line
end
