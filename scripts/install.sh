#!/bin/sh
# install.sh BUILT PREFIX: put executables that were built, their man pages and completions below PREFIX.
set -eu

built=$1
prefix=$2

mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
# The helpers are looked for beside the executable.
for name in parallax parallax-box parallax-read-bitcode; do
    install -m 755 "$built/$name" "$prefix/bin/$name"
done
ln -sf parallax "$prefix/bin/parallax-cc"
parallax=$prefix/bin/parallax
"$parallax" man "$prefix/share/man/man1" 2>/dev/null
"$parallax" completions bash >"$prefix/share/bash-completion/completions/parallax"
"$parallax" completions zsh >"$prefix/share/zsh/site-functions/_parallax"
"$parallax" completions fish >"$prefix/share/fish/vendor_completions.d/parallax.fish"
echo "installed below $prefix"
