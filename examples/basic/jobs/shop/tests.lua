-- `heddle test` runs every global function whose name begins with test_, each in a fresh VM with a
-- fresh database. Nothing is fetched here: run_cycle runs a whole cycle on the page it is given.

local PAGE = [[
<ul>
  <li class="product"><a class="name" href="/goods/kettle">Copper kettle</a>
    <span class="price">€ 49.50</span> <span class="stock">in stock</span></li>
  <li class="product"><a class="name" href="/goods/rug">Rug</a>
    <span class="price">on request</span> <span class="stock">sold out</span></li>
</ul>]]

function test_takes_the_number_out_of_the_price()
  local cycle = heddle.run_cycle({ body = PAGE })
  heddle.assert_eq(#cycle.items, 2)
  heddle.assert_eq(cycle.items[1].fields.name, "Copper kettle")
  heddle.assert_eq(cycle.items[1].fields.amount, "49.50")
end

function test_leaves_the_amount_empty_when_there_is_no_number()
  local cycle = heddle.run_cycle({ body = PAGE })
  heddle.assert_eq(cycle.items[2].fields.amount, "")
end

function test_finds_nothing_new_the_second_time()
  heddle.assert_eq(heddle.run_cycle({ body = PAGE }).new_count, 2)
  heddle.assert_eq(heddle.run_cycle({ body = PAGE }).new_count, 0)
end

-- A hook is only a function: it can be called like any other.
function test_asks_for_english()
  local request = before_fetch({ url = "http://shop.example/", headers = {} }, {})
  heddle.assert_eq(request.headers["Accept-Language"], "en")
end
