-- Operators, indexing, inheritance, calls, comparison, length, iteration through metatables.
local V = {} V.__index = V
local function vec(x, y) return setmetatable({x = x, y = y}, V) end
V.__add = function(a, b) return vec(a.x + b.x, a.y + b.y) end
V.__sub = function(a, b) return vec(a.x - b.x, a.y - b.y) end
V.__mul = function(a, b) if type(a) == "number" then return vec(a * b.x, a * b.y) elseif type(b) == "number" then return vec(a.x * b, a.y * b) end return a.x * b.x + a.y * b.y end
V.__unm = function(a) return vec(-a.x, -a.y) end
V.__eq = function(a, b) return a.x == b.x and a.y == b.y end
V.__lt = function(a, b) return a.x < b.x end V.__le = function(a, b) return a.x <= b.x end
V.__len = function(a) return a.x * a.x + a.y * a.y end
V.__tostring = function(a) return "(" .. a.x .. ", " .. a.y .. ")" end
V.__concat = function(a, b) return tostring(a) .. tostring(b) end
V.__call = function(self, k) return self[k] end
V.__idiv = function(a, n) return vec(a.x // n, a.y // n) end
V.__band = function() return "band" end V.__shl = function() return "shl" end V.__bnot = function() return "bnot" end
local a, b = vec(3, 4), vec(1, 2)
print(tostring(a + b), tostring(a - b), a * b, tostring(2 * a), tostring(a * 2), tostring(-a))
print(a == vec(3, 4), a ~= b, a < b, a >= b, #a, a .. b, a("x"), tostring(a // 2), a & b, a << 1, ~a)
local Animal = {} Animal.__index = Animal
function Animal.new(name) return setmetatable({name = name}, Animal) end
function Animal:speak() return self.name .. " makes a sound" end
local Dog = setmetatable({}, {__index = Animal}) Dog.__index = Dog
function Dog.new(name) local d = Animal.new(name) return setmetatable(d, Dog) end
function Dog:speak() return Animal.speak(self) .. ": woof" end
print(Animal.new("cat"):speak(), Dog.new("rex"):speak())
local log = {} local proxy = setmetatable({}, {__index = function(_, k) log[#log + 1] = "get " .. k return 1 end, __newindex = function(_, k, v) log[#log + 1] = "set " .. k .. "=" .. tostring(v) end})
proxy.a = proxy.b; print(table.concat(log, "; "))
for k, v in pairs(setmetatable({}, {__pairs = function() return function(_, i) i = (i or 0) + 1 if i < 4 then return i, i * i end end, nil, nil end})) do io.write(k, ":", v, " ") end print()
print(getmetatable("").__index == string, getmetatable(setmetatable({}, {__metatable = "locked"})), pcall(setmetatable, setmetatable({}, {__metatable = 1}), {}))
