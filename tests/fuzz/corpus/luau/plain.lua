local x <const>, y = 0x1p-4, ("a"):rep(3)
goto continue ::top:: do local function g(...) return ... end end
::continue:: while x < y and not (x >> 2 ~= ~y) do x = x // 3 break end
return { [1] = x; y = y, type = 3, continue = g { 1 } }
