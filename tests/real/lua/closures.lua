-- Upvalues, varargs, recursion, tail calls, goto, integer for loops, multiple assignment.
local function counter(start)
  local n = start
  return function() n = n + 1; return n end, function() return n end
end
local up, get = counter(10)
up(); up(); print(get(), up())
local fs = {} for i = 1, 3 do fs[i] = function() i = i + 10; return i end end
print(fs[1](), fs[1](), fs[2](), fs[3]())
local function sum(...) local s = 0 for _, v in ipairs({...}) do s = s + v end return s, select("#", ...) end
print(sum(1, 2, 3), (sum(4, 5)), sum())
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(18))
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + n) end
print(loop(100000, 0))
local a, b, c = 1, 2; a, b = b, a; print(a, b, c)
for i = 10, 1, -4 do io.write(i, " ") end
for x = 0, 1, 0.25 do io.write(x, " ") end print()
do local i = 1 ::top:: if i <= 3 then io.write("goto", i, " ") i = i + 1 goto top end print() end
local memo = setmetatable({}, {__index = function(t, n) local v = n < 2 and n or t[n - 1] + t[n - 2]; t[n] = v; return v end})
print(memo[80])
local compose = function(f, g) return function(...) return f(g(...)) end end
print(compose(math.abs, tonumber)("-42"))
do local closed <close> = setmetatable({}, {__close = function() print("closed") end}) print("open") end
local k <const> = 5; print(k)
print(load("return 1 + 1")(), load("syntax error here"))
print((function(...) return select(-1, ...) end)(1, 2, 3))
