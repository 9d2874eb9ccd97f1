-- Function calls, tables, strings and floats in one Lua script.
local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end

local composite, primes = {}, 0
for i = 2, 20000 do
  if not composite[i] then
    primes = primes + 1
    for j = i * i, 20000, i do composite[j] = true end
  end
end

local words = {}
for i = 1, 3000 do words[i] = ("word%d"):format(i * 7919 % 3001) end
table.sort(words)
local text = table.concat(words, " ")
local _, ones = text:gsub("1", "one")

local sum = 0.0
for i = 1, 50000 do sum = sum + 1 / (i * i) end
print(fibonacci(26), primes, ones, words[1], ("%.12f"):format(sum))
