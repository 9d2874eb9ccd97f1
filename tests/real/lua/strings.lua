-- String functions, lengths, escapes, concatenation, comparison.
local s = "The quick brown fox"
print(#s, s:upper(), s:lower(), s:reverse())
print(s:sub(5, 9), s:sub(-3), s:sub(0), s:sub(10, 5) == "", s:sub(-100, 3))
print(("x"):rep(5), ("ab"):rep(3, "-"), ("z"):rep(0) == "")
print(s:byte(1, 4), string.char(72, 105, 33))
print(s:find("quick"), s:find("o", 14), s:find("zebra"), s:find(".", 1, true))
print("a" < "b", "Z" < "a", "abc" < "abd", "" < "a", "a\0b" < "a\0c")
print(#"with\0zero", ("with\0zero"):byte(5), "tab\tquote\"back\\slash\65\x42\u{20AC}")
print(10 .. 20, 1.5 .. "", -0.0 .. "", 2^53 .. "")
print(tostring(nil), tostring(true), tostring(12), tostring(1e15), tostring(1e100))
print(tonumber("0x1F"), tonumber("  12  "), tonumber("1e2"), tonumber("z", 36), tonumber("8", 8), tonumber("0x.8p1"))
print([[long
string]], [==[with ]] inside]==])
local parts = {}
for i = 1, 200 do parts[#parts + 1] = i * i end
print(#table.concat(parts, ","), table.concat(parts, " ", 1, 10))
print(string.pack("<i4", 100):byte(1, -1))
print(string.unpack("<i4", "\1\2\3\4"))
print(string.pack(">I2 s1 z", 258, "len", "zero"):byte(1, -1))
print(string.packsize("i4 i8 d"), ("%s"):format(setmetatable({}, {__tostring = function() return "custom" end})))
