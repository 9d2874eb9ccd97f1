-- The utf8 library, and bytes that are not valid.
local s = "naïve café €5 😀"
print(#s, utf8.len(s), utf8.charpattern == "[\0-\x7F\xC2-\xFD][\x80-\xBF]*")
for p, c in utf8.codes(s) do io.write(p, ":", c, " ") end print()
print(utf8.char(72, 228, 8364, 128512), utf8.codepoint(s, 1, -1)) print(utf8.offset(s, 5), utf8.offset(s, -1), utf8.offset(s, 100))
print(utf8.len("\xff\xfe"), utf8.len("abc", 2), utf8.len("é", 2), pcall(utf8.codepoint, "\xff"), pcall(utf8.char, -1))
local r = {} for _, c in utf8.codes(s) do table.insert(r, 1, utf8.char(c)) end print(table.concat(r))
for ch in s:gmatch(utf8.charpattern) do io.write("[", ch, "]") end print()
print(pcall(function() for _ in utf8.codes("a\x80b") do end end), utf8.len("\u{7FFFFFFF}", 1, -1, true), ("\u{48}\u{20AC}"):byte(1, -1))
