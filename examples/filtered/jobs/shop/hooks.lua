local prices = require("lib.prices")

-- Called once per item, in place of the keyword filter. Return the item to keep it.
function filter_item(item, ctx)
  if item.fields.stock ~= "in stock" then return nil end
  local price = prices.parse(item.fields.price)
  local max_price = tonumber(ctx.job.vars.max_price) -- vars are texts from config.toml
  if not price or price > max_price then return nil end
  return item
end

-- Called when something is new; the payload is the standard one. What is returned is what is sent,
-- so this is the place to speak a chat's own format.
function before_webhook(payload, ctx)
  local lines = {}
  for _, item in ipairs(payload.items) do
    lines[#lines + 1] = item.name .. " for " .. item.price
  end
  return { text = payload.job_name .. ":\n" .. table.concat(lines, "\n") }
end
