-- Files: a path is in the job's folder, or in the project's shared/ when it begins with "shared/".
-- Nothing else can be reached, and only kinds of files that hold text can be written.

-- A field of a CSV file: quoted when it must be.
local function csv(text)
  if text:find('[",\n]') then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

-- Sees new items only, and only when there are some: the right place for a log of news.
function before_notify(items, ctx)
  local lines = {}
  for _, item in ipairs(items) do
    local fields = item.fields
    lines[#lines + 1] = table.concat({ os.date("!%F"), csv(fields.name), csv(fields.price), csv(fields.stock) }, ",")
  end
  -- Appending rotates at 10 MB, so the file cannot fill the disk.
  fs_append("shared/news.csv", table.concat(lines, "\n") .. "\n")
  ctx.shared.news = #lines
  return items
end

-- The newest state of the shop, written anew each time; readers never see half a file.
function on_success(ctx)
  local rows = db_query("SELECT fields FROM items WHERE state = 'present' ORDER BY first_seen DESC")
  local list = {}
  for i, row in ipairs(rows) do
    local fields = json_decode(row.fields)
    list[i] = ("- %s: %s, %s"):format(fields.name, fields.price, fields.stock)
  end
  fs_overwrite("shared/shop.md", ("# The shop\n\n%s\n\n%d new in this run\n"):format(
    table.concat(list, "\n"), ctx.shared.news or 0))
end
