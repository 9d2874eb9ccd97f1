#!/bin/sh
# Check programs whose work is to destroy: rm, mv, dd, chmod (coreutils), dash and find, of Debian's sources, each with one mutant,
# and see that nothing outside changes while their inputs are invented and run natively.
#
#   PARALLAX=path/to/parallax scripts/check-destructive.sh [FOLDER]
#
# Prints a table; the exit status is 1 if something outside has changed, or a difference is not confirmed natively. The builds stay in
# FOLDER (default: real/destructive in the cache).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${PARALLAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parallax}
folder=${1:-$cache/real/destructive}
: "${PARALLAX:?name the parallax executable}"
TIME=${TIME:-30s}
CC="$PARALLAX cc"
JOBS=$(nproc)
export CC JOBS
mkdir -p "$folder"

# build NAME: the commands on standard input, once, in a copy of the source; then a second copy for the mutants.
build() {
    commands=$(cat)
    if [ ! -f "$folder/$1/.built" ]; then
        source=$("$here/fetch-source.sh" "$1")
        rm -rf "${folder:?}/$1" "${folder:?}/$1-mutant"
        cp -a "$source" "$folder/$1"
        echo "check-destructive: building $1 (log: $folder/$1.log)" >&2
        (cd "$folder/$1" && sh -euc "$commands") >"$folder/$1.log" 2>&1 || {
            tail -n 20 "$folder/$1.log" >&2
            exit 2
        }
        touch "$folder/$1/.built"
    fi
    if [ ! -d "$folder/$1-mutant" ]; then
        cp -a "$folder/$1" "$folder/$1-mutant"
    fi
}

# mutate PROJECT FILE PROGRAM EDIT: an edit of sed in one file, then the program once more.
mutate() {
    tree=$folder/$1-mutant
    if [ ! -f "$tree/$2.mutated" ]; then
        cp "$tree/$2" "$tree/$2.mutated"
        sed -i "$4" "$tree/$2"
        if cmp -s "$tree/$2" "$tree/$2.mutated"; then
            rm "$tree/$2.mutated"
            echo "check-destructive: the edit of $2 changes nothing" >&2
            exit 2
        fi
        touch "$tree/$2"
        # coreutils has one Makefile, the others one in each folder.
        if [ -f "$tree/$(dirname "$3")/Makefile" ]; then
            place=$(dirname "$3") target=$(basename "$3")
        else
            place=. target=$3
        fi
        (cd "$tree/$place" && make CC="$CC" "$target") >>"$folder/$1.log" 2>&1 || {
            tail -n 20 "$folder/$1.log" >&2
            exit 2
        }
    fi
}

build coreutils <<'END'
FORCE_UNSAFE_CONFIGURE=1 ./configure CC="$CC" CPPFLAGS=-DNO_ASM --disable-nls --with-included-regex --without-openssl --without-libgmp
printf 'built: $(BUILT_SOURCES)\n' | make -j"$JOBS" -f Makefile -f - built
make -j"$JOBS" src/rm src/mv src/dd src/chmod
END
# What Debian's patches change must not make the generated files look outdated.
build dash <<'END'
# These add a source file, for which the generated files would have to be made anew.
for patch in 9002-Add-privmode-Part-2.diff 9001-Add-privmode-Part-1.diff; do
    patch -s -R -p1 <debian/patches/$patch
done
touch aclocal.m4
touch configure config.h.in Makefile.in src/Makefile.in
# musl does not declare this one.
./configure CC="$CC" ac_cv_func_sigsetmask=no
make -j"$JOBS" || make
END
build findutils <<'END'
find . -name aclocal.m4 -exec touch {} +
find . -name configure -exec touch {} + -o -name config.h.in -exec touch {} + -o -name Makefile.in -exec touch {} +
./configure CC="$CC" --disable-nls
make -j"$JOBS"
END

# What could be hit: a folder in the way of every short name, and what lies beside the working folder.
outside=$(mktemp -d)
work=$(mktemp -d)
trap 'rm -rf "$outside" "$work"; rm -f /tmp/parallax-destructive' EXIT
mkdir "$outside/folder"
echo content >"$outside/file"
echo content >"$outside/folder/file"
echo content >/tmp/parallax-destructive
cd "$work"
echo content >beside

look() {
    for place in "$outside" "$work/beside" /tmp/parallax-destructive; do
        find "$place" -exec stat -c '%n %a %u %g %Y %Z %s' {} + | sort
        find "$place" -type f -exec cksum {} + | sort
    done
    # Everything in the root folder, and which processes of the test are there.
    find / -maxdepth 1 -exec stat -c '%n %a %u %g' {} + | sort
    stat -c '%n %a %u %g %Y %Z %s' /etc/passwd /usr/bin/env /dev/null | sed 's,^\(/dev/null [0-9 ]* [0-9]* [0-9]*\) .*,\1,'
}

failed=0
echo '| program | mutant | verdict | confirmed natively | outside |'
echo '|---|---|---|---|---|'
# check NAME PROJECT PROGRAM MUTANT ARGUMENTS...
check() {
    name=$1 project=$2 program=$3 mutant=$4
    shift 4
    before=$(look)
    "$PARALLAX" check "$folder/$project/$program" "$folder/$project-mutant/$program" --timeout "$TIME" --fresh --tests "$work/tests-$name" \
        "$@" >"$work/$name.txt" 2>"$work/$name.err" || test $? -le 3
    verdict=$(head -n 1 "$work/$name.txt" | cut -d: -f1)
    confirmed=$(grep -c 'seen natively' "$work/$name.txt" || true)
    if [ "$(look)" = "$before" ]; then changed=unchanged; else changed=CHANGED failed=1; fi
    all=$(grep -c '^[0-9]*\. ' "$work/$name.txt" || true)
    missing=
    [ "$verdict" = different ] && [ "$confirmed" -ge "$all" ] || missing=1 failed=1
    echo "| $name | $mutant | $verdict | $confirmed of $all | $changed |"
    if [ -n "$missing" ]; then head -n 12 "$work/$name.txt" "$work/$name.err" >&2; fi
}

mutate coreutils src/rm.c src/rm 's/x.ignore_missing_files = true;/x.ignore_missing_files = false;/'
mutate coreutils src/mv.c src/mv 's/x.interactive = I_ALWAYS_NO;/x.interactive = I_ALWAYS_YES;/'
mutate coreutils src/dd.c src/dd 's/trans_table\[i\] = toupper (trans_table\[i\]);/trans_table[i] = tolower (trans_table[i]);/'
mutate coreutils src/chmod.c src/chmod 's/verbosity = V_high;/verbosity = V_changes_only;/'
mutate dash src/bltin/printf.c src/dash 's/equal(\*argv, "-n")/equal(*argv, "-m")/'
mutate findutils find/pred.c find/find 's/if (perform_delete (flags))/if (!perform_delete (flags))/'

check rm coreutils src/rm '`-f` minds missing files' --sym-args 1 2 2 -- -f
check mv coreutils src/mv '`-n` overwrites' --sym-file a 2 --sym-file b 1 --sym-args 1 1 2 -- a b
check dd coreutils src/dd '`conv=ucase` writes small letters' --sym-stdin 2 --sym-args 0 1 4 -- status=none conv=ucase
check chmod coreutils src/chmod '`-v` speaks of changes only' --sym-file f 1 --sym-args 2 2 2 -- -v
check dash dash src/dash '`echo -m` for `echo -n`' --sym-args 1 1 2 -- -c 'echo "$@"; : >"$1"' dash
check find findutils find/find '`-delete` takes success for failure' --sym-file f 1 --sym-args 1 1 1 -- . -type f -delete -printf
exit $failed
