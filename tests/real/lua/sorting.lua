-- Sorting by several orders, own quicksort and heap, stability checks, queens and sieve.
local seed = 7 local function rnd(n) seed = (seed * 1103515245 + 12345) % 2147483648 return seed % n end
local t = {} for i = 1, 2000 do t[i] = rnd(10000) end
local function quick(a, lo, hi) if lo < hi then local p, i = a[hi], lo - 1 for j = lo, hi - 1 do if a[j] <= p then i = i + 1 a[i], a[j] = a[j], a[i] end end a[i + 1], a[hi] = a[hi], a[i + 1] quick(a, lo, i) quick(a, i + 2, hi) end end
local q = {table.unpack(t)} quick(q, 1, #q) local s = {table.unpack(t)} table.sort(s)
local same = true for i = 1, #s do same = same and s[i] == q[i] end print(same, s[1], s[1000], s[2000])
local people = {} for _, p in ipairs{{"ada", 36}, {"alan", 41}, {"grace", 85}, {"tony", 41}} do people[#people + 1] = {name = p[1], age = p[2]} end
table.sort(people, function(a, b) if a.age ~= b.age then return a.age > b.age end return a.name < b.name end)
for _, p in ipairs(people) do io.write(p.name, " ", p.age, "; ") end print()
print(pcall(table.sort, {3, 1, "x"})) print(pcall(table.sort, {1, 2, 3, 4, 5}, function() return true end))
local function queens(n) local count, cols, d1, d2 = 0, {}, {}, {} local function place(r) if r > n then count = count + 1 return end for c = 1, n do if not cols[c] and not d1[r + c] and not d2[r - c + n] then cols[c], d1[r + c], d2[r - c + n] = true, true, true place(r + 1) cols[c], d1[r + c], d2[r - c + n] = nil, nil, nil end end end place(1) return count end
print(queens(6)) local sieve, primes = {}, {} for i = 2, 3000 do if not sieve[i] then primes[#primes + 1] = i for j = i * i, 3000, i do sieve[j] = true end end end print(#primes, primes[#primes])
local words = {} for w in ("the quick brown fox jumps over the lazy dog the end"):gmatch("%a+") do words[w] = (words[w] or 0) + 1 end
local list = {} for w, n in pairs(words) do list[#list + 1] = w .. "=" .. n end table.sort(list) print(table.concat(list, " "))
