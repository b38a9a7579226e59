-- defer.lua is for what needs to know that a cycle is over. Its functions may wait, so metrics can go
-- out by HTTP. Nothing that fails here can hurt the cycle: its items are stored by now.

local function push(ctx, metric)
  local answer, failure = http_post(ctx.job.vars.metrics, json_encode(metric),
    { ["Content-Type"] = "application/json" })
  if not answer then log("metrics were not sent:", failure.error) end
end

-- Went well; a cycle that a hook skipped counts as well, too.
function on_success(ctx)
  push(ctx, { event = "success", job = ctx.job.id, items = ctx.shared.item_count or 0 })
end

-- Failed: err is a text.
function on_error(err, ctx)
  push(ctx, { event = "error", job = ctx.job.id, attempt = ctx.attempt, message = err })
end

-- Always, after one of the two above.
function on_finally(ctx)
  local stages = {}
  for _, stage in ipairs(ctx.telemetry.stages) do
    if stage.status ~= "inactive" then stages[stage.name] = stage.status end
  end
  push(ctx, { event = "cycle", duration_ms = ctx.telemetry.total_duration_ms, stages = stages })
  metrics_url = ctx.job.vars.metrics -- on_finished has no ctx; a global hands this on
end

-- Once per run, after all its cycles.
function on_finished()
  if metrics_url then http_post(metrics_url, json_encode({ event = "finished" })) end
end
