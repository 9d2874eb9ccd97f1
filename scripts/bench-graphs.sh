#!/bin/sh
# Measure the graphs on SQLite's amalgamation: what ten edits change and what they affect. Prints one row per
# command: seconds of wall time, seconds of processor time, megabytes of memory. Both versions are built before.
#
#   PARALLAX=path/to/parallax scripts/bench-graphs.sh
#
# Needs SQLite as scripts/build-real.sh leaves it.
set -eu

: "${PARALLAX:?name the parallax executable}"
cache=${PARALLAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parallax}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/old" "$folder/new"
cp "$cache/real/sqlite/sqlite3.c" "$folder/old"
# In ten functions far from each other, a comparison becomes another one.
awk 'NR > 35000 && NR - last > 8000 && edits < 10 && /^ +if\( [A-Za-z]+<[A-Za-z0-9]+ \)\{?$/ {
        sub(/</, "<="); last = NR; edits++
    } { print }' "$folder/old/sqlite3.c" >"$folder/new/sqlite3.c"

measure() {
    command -v /usr/bin/time >/dev/null || { echo "bench-graphs: install the Debian package time" >&2; exit 2; }
    status=0
    /usr/bin/time -f '%e %U %S %M' -o "$folder/time" "$PARALLAX" "$@" --cflag -DSQLITE_THREADSAFE=0 \
        --cflag -DSQLITE_OMIT_LOAD_EXTENSION=1 >"$folder/out" 2>"$folder/err" || status=$?
    [ "$status" -le 1 ] || { cat "$folder/err" >&2; exit "$status"; }
    tail -n 1 "$folder/time"
}

measure diff "$folder/old/sqlite3.c" "$folder/new/sqlite3.c" >/dev/null
echo "SQLite: $(wc -l <"$folder/old/sqlite3.c") lines, $(grep -c '^  + ' "$folder/out") changed statements"
echo '| command | wall, s | processor, s | memory, MB |'
echo '|---|---:|---:|---:|'
for command in diff impact; do
    measure "$command" "$folder/old/sqlite3.c" "$folder/new/sqlite3.c" |
        awk -v command="$command" '{ printf "| `parallax %s` | %.1f | %.1f | %d |\n", command, $1, $2 + $3, $4 / 1024 }'
done
