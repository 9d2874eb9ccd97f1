#!/bin/sh
# Build real projects from their Debian source packages through `parallax cc`, then ask for each program
# as a guest module. Prints one line per program: its name, how many functions the module defines, and the
# symbols that nothing defines.
#
#   PARALLAX=path/to/parallax scripts/build-real.sh [FOLDER]
#
# The results stay in FOLDER (default: real/ in the cache), so that other tests can run them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
cache=${PARALLAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parallax}
folder=${1:-$cache/real}
: "${PARALLAX:?name the parallax executable}"
command -v tclsh >/dev/null || {
    echo "build-real: 'tclsh' is missing; SQLite's build needs it: install the Debian package tcl" >&2
    exit 2
}
jobs=$(nproc)
mkdir -p "$folder"

# What decides the guest code that `parallax cc` leaves behind: its sources, the guest's headers and the
# compiler. The rest of Parallax may change without a new build.
compiler_key() {
    (cd "$root/crates/build/src" && cat cc.rs compiler_arguments.rs guest_c.rs twin.rs)
    find "$root/runtime/host" "$root/runtime/include" -type f | LC_ALL=C sort | xargs cat
    clang-22 --version
}
compiler=$(compiler_key | cksum)

# project NAME PACKAGE: copy the source (with its times: generated files must not look outdated), then run
# the commands on standard input there; done once per compiler and commands.
project() {
    name=$1
    package=$2
    commands=$(cat)
    stamp=$folder/$name/.built
    key=$(printf '%s\n%s' "$compiler" "$commands" | cksum)
    if [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then
        return
    fi
    source=$("$here/fetch-source.sh" "$package")
    rm -rf "${folder:?}/$name"
    cp -a "$source" "$folder/$name"
    echo "build-real: building $name (log: $folder/$name.log)"
    if ! (cd "$folder/$name" && CC="$PARALLAX cc" JOBS=$jobs sh -euc "$commands") >"$folder/$name.log" 2>&1; then
        tail -n 20 "$folder/$name.log" >&2
        echo "build-real: $name failed" >&2
        exit 1
    fi
    echo "$key" >"$stamp"
}

# `factor` multiplies in assembly unless told not to.
project coreutils coreutils <<'END'
FORCE_UNSAFE_CONFIGURE=1 ./configure CC="$CC" CPPFLAGS=-DNO_ASM --disable-nls --with-included-regex --without-openssl --without-libgmp
make -j"$JOBS"
END

# Debian's Lua expects a generated header and libtool; its sources are simple enough for one command.
project lua lua5.4 <<'END'
echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' >src/lua5.4-deb-multiarch.h
$CC -O2 -Wall -DLUA_USE_POSIX -o lua $(ls src/*.c | grep -v src/luac.c) -lm
END

project zlib zlib <<'END'
./configure
make -j"$JOBS" minigzip
END

# Without zlib, of which the host has no guest code.
project sqlite sqlite3 <<'END'
./configure CC="$CC" ac_cv_search_deflate=no --disable-tcl --disable-readline --disable-shared --disable-threadsafe --disable-load-extension
make -j"$JOBS" sqlite3
END

failed=0
ask() {
    if ! report=$("$PARALLAX" build "$1" 2>&1); then
        printf '%-14s FAILED\n%s\n' "$2" "$report"
        failed=$((failed + 1))
        return
    fi
    module=$(echo "$report" | tail -n 1)
    functions=$(llvm-nm-22 --defined-only "$module" | grep -c -i ' t ')
    printf '%-14s %6s functions  %s\n' "$2" "$functions" \
        "$(echo "$report" | sed -n 's/.*nothing defines \(.*\); a run.*/unresolved: \1/p')"
}

for program in "$folder"/coreutils/src/*; do
    # Programs only: no sources, scripts or objects.
    name=$(basename "$program")
    case $name in *.* | make-prime-list) continue ;; esac
    [ "$(head -c 4 "$program" 2>/dev/null | tr -d '\0' | cut -c 2-4)" = ELF ] || continue
    ask "$program" "$name"
done
ask "$folder/lua/lua" lua
ask "$folder/zlib/minigzip" minigzip
ask "$folder/sqlite/sqlite3" sqlite3
[ "$failed" = 0 ]
