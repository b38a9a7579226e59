local PAGE = [[<li class="product"><a class="name" href="/k">Copper kettle</a></li>
<li class="product"><a class="name" href="/l">Lamp</a></li>]]

function test_counts_before_the_keywords_choose()
  local lines = {}
  log = function(text) lines[#lines + 1] = text end
  local cycle = spyweb.run_cycle({ body = PAGE }) -- `spyweb` is another name for `heddle`
  spyweb.assert_eq(#cycle.items, 1)
  spyweb.assert_eq(lines, { "items: 2, bytes: " .. #PAGE })
end

function test_leaves_nothing_behind()
  spyweb.run_cycle({ body = PAGE })
  spyweb.assert_eq(items_found, nil)
  spyweb.assert_eq(last_fetch, nil) -- wiped by the engine after on_finally
end
