-- Every test has a database of its own: what one writes, no other sees.

local function page(price)
  return ([[<li class="product"><a class="name" href="/goods/kettle">Kettle</a>
    <span class="price">%s</span></li>]]):format(price)
end

local function count(table)
  return db_query("SELECT count(*) AS n FROM " .. table)[1].n
end

function test_remembers_every_price()
  heddle.run_cycle({ body = page("€ 49.50") })
  local rows = db_query("SELECT amount FROM price_history")
  heddle.assert_eq(rows, { { amount = 49.5 } })
end

function test_notices_a_new_low()
  local lines = {}
  log = function(...) lines[#lines + 1] = table.concat({ ... }, " ") end
  db_exec("INSERT INTO price_history VALUES (?, 60, 1)", { "http://shop.example/goods/kettle" })
  heddle.run_cycle({ url = "http://shop.example/", body = page("€ 49.50") })
  heddle.assert_eq(lines[1], "Kettle is cheaper than ever: 49.5 instead of 60")
end

function test_skips_what_has_no_price()
  heddle.run_cycle({ body = page("on request") })
  heddle.assert_eq(count("price_history"), 0)
  heddle.assert_eq(count("items"), 1) -- the engine's own table of this job's items
end

function test_cannot_change_the_engines_tables()
  heddle.assert_error(function() db_exec("DELETE FROM items") end)
end
