#!/bin/sh
# setup.sh [tests]: put in place everything that building Parallax needs, and with `tests` what only its tests need; do nothing that
# is already done.
#
# On Debian 12 missing packages are installed (as root, or through sudo). On any other system nothing is
# changed: what is missing is named, and the exit status is 2.
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# package              a file or command that shows it is there
packages='
build-essential        command:cc
clang-22               command:clang-22
llvm-22                command:llvm-link-22
llvm-22-dev            file:/usr/lib/llvm-22/include/llvm-c/Core.h
libclang-rt-22-dev     file:/usr/lib/llvm-22/lib/clang/22/lib/linux/libclang_rt.asan-x86_64.a
libz3-dev              file:/usr/include/z3.h
dpkg-dev               command:dpkg-source
cmake                  command:cmake
git                    command:git
'
if [ "${1:-}" = tests ]; then
    packages="$packages
chromium               command:chromium
libxml2-utils          command:xmllint
bats                   command:bats
python3-pytest         file:/usr/lib/python3/dist-packages/pytest/__init__.py
libcmocka-dev          file:/usr/include/cmocka.h
libgtest-dev           file:/usr/include/gtest/gtest.h
"
fi

is_there() {
    case $1 in
    command:*) command -v "${1#command:}" >/dev/null ;;
    file:*) [ -e "${1#file:}" ] ;;
    esac
}

missing=$(echo "$packages" | while read -r package sign; do
    [ -z "$package" ] || is_there "$sign" || echo "$package"
done)

if [ -n "$missing" ]; then
    names=$(echo "$missing" | tr '\n' ' ')
    release=$(. /etc/os-release 2>/dev/null && echo "${ID:-}${VERSION_ID:-}")
    if [ "$release" != debian12 ] || ! command -v apt-get >/dev/null; then
        echo "setup: this is not Debian 12; please install what corresponds to these packages: $names" >&2
        exit 2
    fi
    sudo=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            echo "setup: run as root, or install sudo; these packages are missing: $names" >&2
            exit 2
        }
        sudo=sudo
    fi
    echo "setup: installing $names"
    $sudo apt-get -q update
    # shellcheck disable=SC2086 # a list of words
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $names
fi

# Rust: at least 1.95, whose LLVM is the same major version as clang-22's.
rust_minor() {
    rustc --version 2>/dev/null | sed -n -E 's/^rustc 1\.([0-9]+)\..*/\1/p'
}
minor=$(rust_minor)
if [ "${minor:-0}" -lt 95 ]; then
    # Which Rust is the default is the user's choice, for all of their projects.
    echo "setup: Rust 1.95 or newer is missing (found: $(rustc --version 2>/dev/null || echo none))" >&2
    if command -v rustup >/dev/null; then
        echo "  to have it for this folder alone, run there:" >&2
        echo "  rustup toolchain install stable && rustup override set stable" >&2
    else
        echo "  install it with rustup, the Rust project's installer (Debian 12's own rustc is too old)" >&2
    fi
    exit 2
fi
for tool in cargo-clippy rustfmt; do
    if ! command -v "$tool" >/dev/null; then
        echo "setup: '$tool' is missing; run 'rustup component add clippy rustfmt'" >&2
        exit 2
    fi
done

"$here/fetch-source.sh" musl >/dev/null
