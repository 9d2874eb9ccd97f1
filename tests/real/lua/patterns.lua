-- find, match, gmatch and gsub with captures, classes, anchors, frontiers, balanced pairs.
print(("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
print(("2024-02-29"):match("(%d+)-(%d+)-(%d+)"))
for k, v in ("a=1, b=2, c=3"):gmatch("(%w+)=(%w+)") do io.write(k, "->", v, " ") end print()
print(("hello world"):gsub("o", "0"), ("hello world"):gsub("%w+", string.upper), ("abc"):gsub("", "-"))
print(("$name is $age"):gsub("%$(%w+)", {name = "Ada", age = 36}), ("x y z"):gsub("%w", "%0%0", 2))
print(("f(a(b)c)d"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"), ("one;two;;four"):gsub(";;", ";nil;"))
print(("THE (quick) fox"):gsub("%f[%a]%a+", function(w) return w:lower() .. "!" end))
print(("  trim me  "):match("^%s*(.-)%s*$") .. "|", ("path/to/file.txt"):match("([^/]+)%.(%w+)$"))
print(("aaa"):find("a-", 2), ("aaa"):match("a-b"), ("[test]"):find("[", 1, true), ("x^2"):match("%^"), ("é"):byte(1, -1))
print(("0x1Fg"):match("^0[xX](%x+)"), ("a.b.c"):gsub("%.", "/"), ("()"):find("()", 1), ("abc"):find("b()"))
print(pcall(string.rep, "x", -1), pcall(string.find, "a", "[a"), pcall(string.gsub, "a", "(", "b"), pcall(string.match, "a", "%"))
local csv = 'one,"two, quoted",three,"with ""quotes"""' local fields = {}
local pos = 1 while pos <= #csv do local q = csv:match('^"', pos) if q then local s, e, v = csv:find('^"(.-)"%f[,\0]', pos) local n = e or #csv fields[#fields + 1] = v or csv:sub(pos) pos = n + 2 else local s, e, v = csv:find("^([^,]*)", pos) fields[#fields + 1] = v pos = e + 2 end end
print(#fields, table.concat(fields, "|"))
print(("word word other word"):gsub("(%w+) %1", "<%1>"), ("%d"):gsub("%%d", "%%"), ("abc"):gsub(".", {a = 1, b = true, c = false}))
local text = ("lorem ipsum dolor sit amet "):rep(200) local n = 0 for _ in text:gmatch("%a+") do n = n + 1 end print(n, select(2, text:gsub("[aeiou]", "")))
