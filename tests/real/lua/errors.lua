-- error, pcall, xpcall, assert, nested handlers, error objects, tracebacks.
print(pcall(error, "plain"), pcall(error, "level", 0), pcall(error), pcall(error, nil))
print(pcall(function() error("with position") end), pcall(function() error("level 2", 2) end))
print(select(2, pcall(error, {code = 42})).code, pcall(assert, false), pcall(assert, nil, "message"), pcall(assert, 1, 2, 3))
print(pcall(function() local t = nil; return t.x end)); print(pcall(function() return 1 + {} end)); print(pcall(function() return #5 end))
print(pcall(function() return {} .. "x" end)); print(pcall(function() return 1 < "2" end)); print(pcall(function() undefinedfunction() end))
print(pcall(function() local a = {b = {}} a.b.c.d = 1 end)); print(pcall(function() return ("x"):nomethod() end)); print(pcall(function() return 2^53 | 1.5 end))
print(xpcall(function() error("handled") end, function(m) return "H: " .. m end)); print(xpcall(function(...) return ... end, print, 1, 2))
print(xpcall(function() error("first") end, function(m) error("second") end))
local function deep(n) if n == 0 then error("bottom") end deep(n - 1) end
print(pcall(deep, 10)); print((select(2, xpcall(deep, debug.traceback, 3)):gsub("\n.*", "")))
local function overflow() return 1 + overflow() end
local ok, message = pcall(overflow) print(ok, message:match("stack overflow"))
print(pcall(string.rep, "x", 1 << 40)); print(pcall(setmetatable, 1, {})); print(pcall(ipairs)); print(tostring(select("#", pcall(next, {}, "no"))))
print(pcall(load, nil)); print(load("x = ")); print(load("for")); print(load("return 'unfinished")); print(load("goto nowhere"))
local E = setmetatable({}, {__tostring = function() return "an error object" end}) print(pcall(error, E))
io.stderr:write("to standard error\n") warn("@on") warn("a ", "warning")
error("the end is an error")
