-- The engine fetched and read the first page. This hook follows its "next" link, page by page, with
-- the engine's own client (same limits, same network rules) and the engine's own HTML parser.

local function books_on(page)
  local items = {}
  for _, node in ipairs(page:select("li.book")) do
    local link = node:select_one("a")
    items[#items + 1] = { fields = { title = link:text(), link = link:attr("href") } }
  end
  return items
end

function after_extract(items, ctx)
  local max_pages = tonumber(ctx.job.vars.max_pages)
  local response = ctx.last_fetch.response
  local page_number = 1
  while true do
    -- With the page's address given, attr("href") is an absolute link.
    local page = html.parse(response.body, response.url)
    if page_number > 1 then
      for _, item in ipairs(books_on(page)) do items[#items + 1] = item end
    end
    local next_link = page:select_one("a.next")
    if not next_link or page_number == max_pages then return items end

    local failure
    response, failure = http_get(next_link:attr("href"))
    if not response or response.status ~= 200 then
      -- Half a list is better than none: keep what was found, and say what is missing.
      log("stopped after page", page_number, failure and failure.error or response.status)
      return items
    end
    page_number = page_number + 1
  end
end
