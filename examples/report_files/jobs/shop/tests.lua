-- Files that a test writes are its own and go with it: the project's stay as they are.

local function product(name, price)
  return ([[<li class="product"><a class="name" href="/goods/%s">%s</a>
    <span class="price">%s</span> <span class="stock">in stock</span></li>]]):format(name, name, price)
end

function test_appends_new_items_only()
  fs_overwrite("shared/news.csv", "") -- there may be a real one
  heddle.run_cycle({ body = product("Kettle", "€ 49.50") })
  heddle.run_cycle({ body = product("Kettle", "€ 49.50") .. product("Lamp", "€ 159.00") })
  local today = os.date("!%F")
  heddle.assert_eq(fs_read("shared/news.csv"),
    today .. ",Kettle,€ 49.50,in stock\n" .. today .. ",Lamp,€ 159.00,in stock\n")
end

function test_quotes_commas()
  heddle.run_cycle({ body = product("Loom, small", "€ 219.00") })
  heddle.assert_match(fs_read("shared/news.csv"), ',"Loom, small",')
end

function test_writes_what_the_shop_has_now()
  heddle.run_cycle({ body = product("Kettle", "€ 49.50") })
  heddle.assert_match(fs_read("shared/shop.md"), "%- Kettle: € 49.50, in stock")
  heddle.assert_match(fs_read("shared/shop.md"), "1 new in this run")
end

function test_no_path_leads_outside()
  heddle.assert_error(function() fs_overwrite("../../outside.txt", "x") end, "refused")
end
