#!/bin/sh
# Build coreutils natively with clang's coverage instrumentation, so that llvm-cov can say which lines
# tests execute. Prints the folder of the programs.
#
#   scripts/build-coverage.sh PROGRAM...
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${PARALLAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parallax}
folder=$cache/real/coreutils-coverage
stamp=$folder/.built
key=$(printf '%s %s' "$(clang-22 --version)" "$*" | cksum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$key" ]; then
    source=$("$here/fetch-source.sh" coreutils)
    rm -rf "$folder"
    cp -a "$source" "$folder"
    if ! (
        cd "$folder"
        FORCE_UNSAFE_CONFIGURE=1 ./configure CC=clang-22 CPPFLAGS=-DNO_ASM \
            CFLAGS='-O0 -g -fprofile-instr-generate -fcoverage-mapping' \
            --disable-nls --with-included-regex --without-openssl --without-libgmp
        # Headers that are made come first: single programs do not ask for them.
        printf 'include Makefile\nmade: $(BUILT_SOURCES)\n' | make -f - -j"$(nproc)" made
        for program in "$@"; do make -j"$(nproc)" "src/$program"; done
    ) >"$folder.log" 2>&1; then
        tail -n 20 "$folder.log" >&2
        echo "build-coverage: coreutils failed (log: $folder.log)" >&2
        exit 1
    fi
    echo "$key" >"$stamp"
fi
echo "$folder/src"
