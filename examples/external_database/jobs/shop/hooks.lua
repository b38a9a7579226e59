-- Tables of your own live in data/scripts.db, an SQLite file that all jobs of the project share. Beside
-- them stand the engine's own data about this job, to read: records, items, changes and prices.

-- Code at file level runs once, when the script is loaded. It may wait like any hook.
db_exec([[
  CREATE TABLE IF NOT EXISTS price_history (
    link   TEXT NOT NULL,
    amount REAL NOT NULL,
    at     INTEGER NOT NULL,
    PRIMARY KEY (link, at)
  )]])

local function remember(link, amount)
  -- Values go into ?, never into the text: no name can break the statement.
  db_exec("INSERT OR REPLACE INTO price_history (link, amount, at) VALUES (?, ?, ?)",
    { link, amount, os.time() })
end

local function lowest(link)
  return db_query("SELECT min(amount) AS amount FROM price_history WHERE link = ?", { link })[1].amount
end

function before_store(items, ctx)
  for _, item in ipairs(items) do
    local amount = tonumber(item.fields.price:match("%d+%.?%d*"))
    if amount then
      local before = lowest(item.fields.link) -- nil the first time: NULL is nil in Lua
      if before and amount < before then
        log(item.fields.name, "is cheaper than ever:", amount, "instead of", before)
      end
      remember(item.fields.link, amount)
    end
  end
  return items
end

-- By now this page's items are stored, so they are seen in the engine's tables.
function on_success(ctx)
  local totals = db_query([[
    SELECT (SELECT count(*) FROM items) AS stored,
           (SELECT count(*) FROM price_history) AS prices]])[1]
  log(totals.stored, "items stored,", totals.prices, "prices remembered")
end
