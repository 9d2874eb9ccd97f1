-- Generators, producers and consumers, status, errors and closing inside coroutines.
local function range(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
local s = 0 for i in range(100) do s = s + i end print(s)
local co = coroutine.create(function(a, b)
  print("start", a, b)
  local c = coroutine.yield(a + b)
  print("got", c)
  local d, e = coroutine.yield(c * 2)
  print("got", d, e)
  return "done", 99
end)
print(coroutine.status(co), coroutine.resume(co, 1, 2))
print(coroutine.status(co), coroutine.resume(co, 10))
print(coroutine.resume(co, "x", "y")); print(coroutine.status(co), coroutine.resume(co))
local bad = coroutine.create(function() error("inside") end)
print(coroutine.resume(bad)); print(coroutine.status(bad))
local function producer() return coroutine.create(function() for _, w in ipairs{"alpha", "beta", "gamma"} do coroutine.yield(w) end return nil end) end
local function filter(p) return coroutine.create(function() local n = 1 while true do local _, v = coroutine.resume(p) if not v then return nil end coroutine.yield(n .. ":" .. v) n = n + 1 end end) end
local f = filter(producer())
while true do local _, v = coroutine.resume(f) if not v then break end print(v) end
local function permute(a, n) n = n or #a if n <= 1 then coroutine.yield(a) else for i = 1, n do a[n], a[i] = a[i], a[n] permute(a, n - 1) a[n], a[i] = a[i], a[n] end end end
for p in coroutine.wrap(function() permute{1, 2, 3} end) do print(table.concat(p, " ")) end
print(coroutine.isyieldable(), select(2, coroutine.running()))
local c2 = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() print("cleanup") end}) coroutine.yield() end)
coroutine.resume(c2) print(coroutine.close(c2), coroutine.status(c2))
print(select(2, pcall(coroutine.wrap(function() error({code = 7}) end))).code)
