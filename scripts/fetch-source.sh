#!/bin/sh
# Fetch and unpack one Debian source package by name, into the cache folder.
#
#   scripts/fetch-source.sh PACKAGE     prints the unpacked folder
#
# Source entries are often not enabled on a machine. Rather than change the system's configuration,
# a private one is derived from the system's own entries (same archives, same keys, type deb-src) with
# its own list and archive folders inside the cache. The result is kept: a second call prints at once.
set -eu

package=${1:?usage: fetch-source.sh PACKAGE}
cache=${PARALLAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parallax}
target=$cache/sources/$package

if [ -f "$target/.complete" ]; then
    echo "$target"
    exit 0
fi

for tool in apt-get dpkg-source; do
    if ! command -v "$tool" >/dev/null; then
        echo "fetch-source: '$tool' is missing; install the Debian packages apt and dpkg-dev," >&2
        echo "  or unpack the source of '$package' into $target yourself and touch $target/.complete" >&2
        exit 2
    fi
done

apt=$cache/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/sources.list.d" "$cache/sources"

# One-line entries and deb822 entries, each with its type replaced.
: >"$apt/sources.list"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$list" ] || continue
    sed -n -E 's/^deb(-src)?([[:space:]])/deb-src\2/p' "$list" >>"$apt/sources.list"
done
rm -f "$apt/sources.list.d"/*
for sources in /etc/apt/sources.list.d/*.sources; do
    [ -f "$sources" ] || continue
    sed -E 's/^Types:.*/Types: deb-src/' "$sources" >"$apt/sources.list.d/$(basename "$sources")"
done

private_apt() {
    apt-get -q -o Dir::Etc::sourcelist="$apt/sources.list" \
        -o Dir::Etc::sourceparts="$apt/sources.list.d" \
        -o Dir::State::lists="$apt/lists" \
        -o Dir::Cache::archives="$apt/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

work=$(mktemp -d "$cache/sources/.fetch-XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM

echo "fetch-source: downloading Debian source package $package" >&2
# Refresh the lists once a day at most: several packages are usually fetched in a row.
if [ -z "$(find "$apt/lists" -maxdepth 1 -name '*Sources*' -mtime -1 2>/dev/null | head -n 1)" ]; then
    private_apt update >&2
fi
(cd "$work" && private_apt source --download-only "$package" >&2)
(cd "$work" && dpkg-source --no-check --extract ./*.dsc unpacked >&2)

touch "$work/unpacked/.complete"
rm -rf "$target"
mv "$work/unpacked" "$target"
echo "$target"
