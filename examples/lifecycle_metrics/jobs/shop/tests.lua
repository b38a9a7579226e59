local PAGE = [[<li class="product"><a class="name" href="/k">Kettle</a><span class="price">€ 4</span></li>]]

-- Collects what would be posted.
local function collecting()
  local sent = {}
  http_post = function(url, body)
    sent[#sent + 1] = json_decode(body)
    return { status = 204, url = url, headers = {}, body = "" }
  end
  return sent
end

function test_reports_success_and_then_the_cycle()
  local sent = collecting()
  heddle.run_cycle({ body = PAGE })
  heddle.assert_eq(#sent, 2)
  heddle.assert_eq(sent[1], { event = "success", job = "shop", items = 1 })
  heddle.assert_eq(sent[2].event, "cycle")
  heddle.assert_eq(sent[2].stages.store, "success")
end

function test_reports_an_error()
  local sent = collecting()
  local cycle = heddle.run_cycle({ status = 500 })
  heddle.assert_eq(cycle.ok, false)
  heddle.assert_eq(sent[1].event, "error")
  heddle.assert_match(sent[1].message, "500")
  heddle.assert_eq(sent[2].event, "cycle") -- on_finally, whatever happened
end

function test_a_dead_metrics_server_hurts_nothing()
  http_post = function() return nil, { error = "connection refused", kind = "connect" } end
  local cycle = heddle.run_cycle({ body = PAGE })
  heddle.assert_eq(cycle.ok, true)
  heddle.assert_eq(cycle.new_count, 1)
end
