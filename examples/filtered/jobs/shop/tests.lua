local prices = require("lib.prices")

local function product(name, price, stock)
  return ([[<li class="product"><a class="name" href="/goods/x">%s</a>
    <span class="price">%s</span> <span class="stock">%s</span></li>]]):format(name, price, stock)
end

local function names(items)
  local list = {}
  for i, item in ipairs(items) do list[i] = item.fields.name end
  return list
end

function test_keeps_what_is_cheap_and_in_stock()
  local cycle = heddle.run_cycle({ body = product("Kettle", "€ 49.50", "in stock")
    .. product("Lamp", "€ 159.00", "in stock")
    .. product("Candles", "€ 12.90", "sold out")
    .. product("Loom", "€ 1,219.00", "in stock") })
  heddle.assert_eq(names(cycle.items), { "Kettle" })
end

function test_says_in_the_chat_what_is_new()
  local cycle = heddle.run_cycle({ body = product("Kettle", "€ 49.50", "in stock") })
  heddle.assert_eq(cycle.webhooks, { { text = "Bargains:\nKettle for € 49.50" } })
end

function test_says_nothing_when_nothing_is_left()
  local cycle = heddle.run_cycle({ body = product("Lamp", "€ 159.00", "in stock") })
  heddle.assert_eq(cycle.webhooks, {})
  heddle.assert_eq(cycle.hooks, { "filter_item" })
end

function test_reads_prices()
  heddle.assert_eq(prices.parse("€ 1,299.00"), 1299.0)
  heddle.assert_eq(prices.parse("on request"), nil)
end
