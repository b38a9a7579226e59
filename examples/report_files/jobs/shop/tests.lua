-- Tests work on the project's own files. So as not to write there, these put a table in their place.

local function with_files()
  local files = {}
  fs_append = function(path, text) files[path] = (files[path] or "") .. text end
  fs_overwrite = function(path, text) files[path] = text end
  return files
end

local function product(name, price)
  return ([[<li class="product"><a class="name" href="/goods/%s">%s</a>
    <span class="price">%s</span> <span class="stock">in stock</span></li>]]):format(name, name, price)
end

function test_appends_new_items_only()
  local files = with_files()
  heddle.run_cycle({ body = product("Kettle", "€ 49.50") })
  heddle.run_cycle({ body = product("Kettle", "€ 49.50") .. product("Lamp", "€ 159.00") })
  local today = os.date("!%F")
  heddle.assert_eq(files["shared/news.csv"],
    today .. ",Kettle,€ 49.50,in stock\n" .. today .. ",Lamp,€ 159.00,in stock\n")
end

function test_quotes_commas()
  local files = with_files()
  heddle.run_cycle({ body = product("Loom, small", "€ 219.00") })
  heddle.assert_match(files["shared/news.csv"], ',"Loom, small",')
end

function test_writes_what_the_shop_has_now()
  local files = with_files()
  heddle.run_cycle({ body = product("Kettle", "€ 49.50") })
  heddle.assert_match(files["shared/shop.md"], "%- Kettle: € 49.50, in stock")
  heddle.assert_match(files["shared/shop.md"], "1 new in this run")
end

-- The real function, which refuses what leads out of the project.
function test_no_path_leads_outside()
  heddle.assert_error(function() fs_overwrite("../../outside.txt", "x") end, "refused")
end
