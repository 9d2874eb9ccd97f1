-- Tables as arrays, maps, sets; insertion, removal, moves, borders.
local t = {5, 2, 8, 1, 9, 3}
table.sort(t); print(table.concat(t, " "))
table.sort(t, function(a, b) return a > b end); print(table.concat(t, " "))
table.insert(t, 7); table.insert(t, 1, 0); print(table.concat(t, " "), #t)
print(table.remove(t), table.remove(t, 1), table.remove(t, 3), table.concat(t, " "))
print(table.unpack({1, 2, 3}, 2)); print(select("#", table.unpack({n = 3}, 1, 3)))
local packed = table.pack(1, nil, 3); print(packed.n, packed[1], packed[2], packed[3])
print(table.concat(table.move({1, 2, 3, 4}, 2, 4, 1), ","))
local map = {}
for i = 1, 1000 do map["key" .. i] = i end
for i = 1, 1000, 2 do map["key" .. i] = nil end
local count, sum = 0, 0
for _, v in pairs(map) do count = count + 1; sum = sum + v end
print(count, sum, next({}), rawlen({1, 2}), rawequal(map, map), rawget(map, "key2"))
local matrix = {}
for i = 1, 5 do matrix[i] = {} for j = 1, 5 do matrix[i][j] = i * j end end
for i = 1, 5 do print(table.concat(matrix[i], "\t")) end
for i, v in ipairs({"a", "b", nil, "d"}) do io.write(i, "=", v, " ") end print()
local keys = {} for k in pairs({x = 1, y = 2, z = 3, 10, 20}) do keys[#keys + 1] = tostring(k) end
table.sort(keys) print(table.concat(keys, " "))
local weak = setmetatable({}, {__mode = "k"}); weak[{}] = 1; collectgarbage(); print(next(weak))
print(#"", #{}, #{n = 1}, ({1, 2, 3})[2], {} == {})
