-- Modules are found in the job's folder and then in the project: all jobs can require this one.
local prices = {}

-- "€ 1,299.00" -> 1299.0; nil when there is no number in the text.
function prices.parse(text)
  local digits = text:gsub(",", ""):match("%d+%.?%d*")
  return digits and tonumber(digits)
end

return prices
