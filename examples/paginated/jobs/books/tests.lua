local function book(title)
  return '<li class="book"><a href="/book">' .. title .. "</a></li>"
end

function test_is_content_with_one_page()
  local cycle = heddle.run_cycle({ body = book("Twill") })
  heddle.assert_eq(#cycle.items, 1)
  heddle.assert_eq(cycle.items[1].fields.title, "Twill")
end

-- Bindings are globals, so a test may put its own in their place: here three pages without a server.
function test_follows_the_next_links()
  local asked = {}
  http_get = function(url)
    asked[#asked + 1] = url
    local more = #asked < 2 and '<a class="next" href="/3">next</a>' or ""
    return { status = 200, url = url, body = book("Page " .. #asked + 1) .. more }
  end
  local cycle = heddle.run_cycle({
    url = "http://books.example/1",
    body = book("Page 1") .. '<a class="next" href="/2">next</a>',
  })
  heddle.assert_eq(asked, { "http://books.example/2", "http://books.example/3" })
  heddle.assert_eq(#cycle.items, 3)
  heddle.assert_eq(cycle.items[3].fields.title, "Page 3")
end

function test_keeps_what_it_has_when_a_later_page_fails()
  http_get = function() return nil, { error = "connection refused", kind = "connect" } end
  local cycle = heddle.run_cycle({ body = book("Twill") .. '<a class="next" href="/2">next</a>' })
  heddle.assert_eq(cycle.ok, true)
  heddle.assert_eq(#cycle.items, 1)
end

function test_stops_at_max_pages()
  local asked = 0
  http_get = function(url)
    asked = asked + 1
    return { status = 200, url = url, body = '<a class="next" href="/again">next</a>' }
  end
  heddle.run_cycle({ body = '<a class="next" href="/again">next</a>' })
  heddle.assert_eq(asked, 9) -- and the first page makes ten
end
