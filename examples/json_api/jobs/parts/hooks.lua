-- An API instead of a page: override_extract stands in for selectors.

function before_fetch(request, ctx)
  request.headers["Accept"] = "application/json"
  -- Scripts see HEDDLE_ENV_… of the environment and nothing else: HEDDLE_ENV_API_TOKEN is this one.
  local token = env_get("API_TOKEN")
  if token then request.headers["Authorization"] = "Bearer " .. token end
  return request
end

function override_extract(response, ctx)
  local answer, message = json_decode(response.body)
  -- An error here fails the cycle, and on_error is told. Returning nil would say "no items today",
  -- which is not what a broken answer means.
  if not answer then error("the API did not answer in JSON: " .. message) end

  local items = {}
  for _, part in ipairs(answer.parts) do
    local fields = { sku = part.sku, name = part.name, stock = part.stock }
    if part.price ~= json_null then -- JSON's null is not nil: it can stand in a table
      fields.price = ("%.2f %s"):format(part.price.amount, part.price.currency)
    end
    items[#items + 1] = { fields = fields }
  end
  return items
end
