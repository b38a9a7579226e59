function test_turns_parts_into_items()
  local cycle = heddle.run_cycle({
    body = json_encode({
      parts = {
        { sku = "H-1", name = "Heddle", price = { amount = 16.9, currency = "EUR" }, stock = 12 },
        { sku = "S-2", name = "Shuttle", price = json_null, stock = 0 },
      },
    }),
  })
  heddle.assert_eq(cycle.items[1].fields, { sku = "H-1", name = "Heddle", price = "16.90 EUR", stock = "12" })
  heddle.assert_eq(cycle.items[2].fields.price, nil)
end

function test_an_empty_list_is_no_mistake()
  local cycle = heddle.run_cycle({ body = '{"parts":[]}' })
  heddle.assert_eq(cycle.ok, true)
  heddle.assert_eq(cycle.items, {})
end

function test_fails_when_the_answer_is_no_json()
  local cycle = heddle.run_cycle({ body = "<h1>Maintenance</h1>" })
  heddle.assert_eq(cycle.ok, false)
  heddle.assert_match(cycle.error, "did not answer in JSON")
end

function test_sends_the_token_only_when_there_is_one()
  env_get = function(key) return key == "API_TOKEN" and "secret" or nil end
  heddle.assert_eq(before_fetch({ headers = {} }, {}).headers.Authorization, "Bearer secret")
  env_get = function() return nil end
  heddle.assert_eq(before_fetch({ headers = {} }, {}).headers.Authorization, nil)
end
