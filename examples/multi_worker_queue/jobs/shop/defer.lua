-- What happens when a cycle, or the whole run, is over. Same VM as hooks.lua.

function on_success(ctx)
  -- Two workers may be here at once, and other jobs and processes too. Reading a number, adding and
  -- writing it back would lose counts; global_store_incr is one step, whoever else is counting.
  global_store_incr("items_found", 0, ctx.shared.found)
end

-- Once, after the last worker's last cycle.
function on_finished()
  local workers, pages = 0, 0
  for _, count in pairs(pages_of_worker) do
    workers, pages = workers + 1, pages + count
  end
  log(("%d workers fetched %d pages; %s items found in all runs"):format(
    workers, pages, global_store_get("items_found") or 0))
  pages_of_worker = {} -- the VM lives on until the next run
end
