-- Four workers take the next address from the list until there is none left. They share this VM, and
-- only one of them computes at a time: another goes on only while this one waits in a binding. So a
-- plain table is a safe place to count, as long as nothing waits between reading and writing.
pages_of_worker = {}

function before_fetch(request, ctx)
  log("Worker " .. ctx.worker_id .. " processing " .. request.url)
  local id = ctx.worker_id
  pages_of_worker[id] = (pages_of_worker[id] or 0) + 1
  return request
end

function after_extract(items, ctx)
  ctx.shared.found = #items -- ctx.shared belongs to this cycle: no other worker sees it
  return items
end
