#!/bin/sh
# Measure the complexity of 206 consecutive changes of a real C program: GRUB 2.06 as Debian 12 carries it,
# whose patch series consists mostly of commits of the project itself. Prints one row for each.
#
#   PARALLAX=path/to/parallax scripts/complexity-history.sh [OPTION...]
#
# Options go to `parallax complexity` (--format markdown, --plot FILE, -j N).
#
# First a git repository is made in the cache (real/grub-history): the unpatched source, then a commit for
# each patch, in the series' order, with its author and subject. Dates are made up, so that every machine
# gets the same commit ids. The project's own configure script would have to run for each commit. Instead
# the first commit has what it writes for a 64-bit EFI machine: two links and a config.h.
#
# The program is a library of the files below: those of GRUB's core that the series touches and that
# compile for such a machine, and those that define what they call most.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${PARALLAX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/parallax}
folder=$cache/real/grub-history
: "${PARALLAX:?name the parallax executable}"
for tool in git patch; do
    command -v "$tool" >/dev/null || {
        echo "complexity-history: '$tool' is missing; install the Debian package of that name" >&2
        exit 2
    }
done

# commit MESSAGE AUTHOR: everything in the working folder, on the day of that number.
commit() {
    day=$((day + 1))
    GIT_AUTHOR_NAME=$(echo "$2" | sed 's/ *<.*//') GIT_AUTHOR_EMAIL=$(echo "$2" | sed -n 's/.*<\(.*\)>.*/\1/p') \
        GIT_AUTHOR_DATE="$((day * 86400 + 1600000000)) +0000" GIT_COMMITTER_DATE="$((day * 86400 + 1600000000)) +0000" \
        GIT_COMMITTER_NAME=history GIT_COMMITTER_EMAIL=history@localhost \
        git -c core.hooksPath=/dev/null -c commit.gpgSign=false commit -q --allow-empty -m "$1"
}

# The value of a patch's header field, without what a mail adds.
field() {
    sed -n -E "1,/^(---|diff|Index)/ { s/^$1: *//p; }" "$2" | head -n 1 | sed -E 's/^\[PATCH[^]]*\] *//'
}

make_repository() {
    source=$("$here/fetch-source.sh" grub2)
    rm -rf "$folder" "$folder.new"
    cp -a "$source" "$folder.new"
    cd "$folder.new"
    series=$(grep -v -e '^#' -e '^$' debian/patches/series)
    # The source comes patched.
    for name in $(echo "$series" | sed '1!G;h;$!d'); do
        patch -s -R -p1 --no-backup-if-mismatch <"debian/patches/$name"
    done
    rm -rf .pc .complete
    mv debian ../grub-history.debian.$$
    trap 'rm -rf "$cache/real/grub-history.debian.$$"' EXIT

    ln -s x86_64 include/grub/cpu
    ln -s x86_64/efi include/grub/machine
    cat >config.h <<'END'
#define GCRYPT_NO_DEPRECATED 1
#define HAVE_MEMMOVE 1
#define DISK_CACHE_STATS 0
#define BOOT_TIME_STATS 0
#define HAVE_FONT_SOURCE 0
#define HAVE_ASM_USCORE 0
#define PACKAGE "grub"
#define VERSION "2.06"
#define PACKAGE_NAME "GRUB"
#define PACKAGE_VERSION "2.06"
#define PACKAGE_STRING "GRUB 2.06"
#define GRUB_TARGET_CPU "x86_64"
#define GRUB_PLATFORM "efi"
END
    day=0
    git -c init.defaultBranch=main init -q
    git config core.autocrlf false
    git add -A -f
    commit 'GRUB 2.06' 'The GRUB developers <grub@localhost>'
    for name in $series; do
        file=../grub-history.debian.$$/patches/$name
        patch -s -p1 --no-backup-if-mismatch <"$file"
        git add -A -f
        subject=$(field Subject "$file")
        author=$(field From "$file")
        commit "${subject:-$(basename "$name" .patch)}" "${author:-Debian <debian@localhost>}"
    done
    cd "$here"
    mv "$folder.new" "$folder"
}

[ -d "$folder/.git" ] || make_repository
cd "$folder"
first=$(git rev-list --max-parents=0 HEAD)
exec "$PARALLAX" complexity --git "$first..HEAD" "$@" \
    --cflag=-include --cflag=config.h --cflag=-ffreestanding \
    --cflag=-DGRUB_MACHINE=X86_64_EFI --cflag=-DGRUB_MACHINE_EFI=1 --cflag=-DGRUB_TARGET_CPU_X86_64=1 \
    --cflag=-DGRUB_KERNEL=1 --cflag='-DGRUB_FILE="grub"' \
    --cflag=-I. --cflag=-Iinclude --cflag=-Igrub-core --cflag=-Igrub-core/lib/minilzo \
    --cflag=-Igrub-core/lib/xzembed --cflag=-Igrub-core/lib/zstd --cflag=-Igrub-core/lib/libgcrypt_wrap \
    --cflag=-Igrub-core/lib/posix_wrap \
    --source \
    grub-core/bus/cs5536.c grub-core/bus/usb/ehci.c grub-core/commands/acpi.c grub-core/commands/boot.c \
    grub-core/commands/efi/loadbios.c grub-core/commands/efi/tpm.c grub-core/commands/extcmd.c \
    grub-core/commands/hexdump.c grub-core/commands/i386/pc/sendkey.c grub-core/commands/ls.c \
    grub-core/commands/memrw.c grub-core/commands/minicmd.c grub-core/commands/read.c grub-core/commands/test.c \
    grub-core/disk/ata.c grub-core/disk/cryptodisk.c grub-core/disk/diskfilter.c grub-core/disk/ldm.c \
    grub-core/disk/loopback.c grub-core/disk/lvm.c grub-core/disk/memdisk.c grub-core/font/font.c \
    grub-core/fs/affs.c grub-core/fs/archelp.c grub-core/fs/bfs.c grub-core/fs/btrfs.c grub-core/fs/cbfs.c \
    grub-core/fs/cpio.c grub-core/fs/cpio_be.c grub-core/fs/ext2.c grub-core/fs/f2fs.c grub-core/fs/fat.c \
    grub-core/fs/fshelp.c grub-core/fs/hfs.c grub-core/fs/hfsplus.c grub-core/fs/hfspluscomp.c \
    grub-core/fs/iso9660.c grub-core/fs/jfs.c grub-core/fs/minix.c grub-core/fs/newc.c grub-core/fs/nilfs2.c \
    grub-core/fs/ntfs.c grub-core/fs/ntfscomp.c grub-core/fs/odc.c grub-core/fs/proc.c grub-core/fs/reiserfs.c \
    grub-core/fs/romfs.c grub-core/fs/sfs.c grub-core/fs/squash4.c grub-core/fs/tar.c grub-core/fs/udf.c \
    grub-core/fs/ufs.c grub-core/fs/xfs.c grub-core/fs/zfs/zfs.c grub-core/gettext/gettext.c \
    grub-core/io/bufio.c grub-core/kern/command.c grub-core/kern/device.c grub-core/kern/disk.c \
    grub-core/kern/dl.c grub-core/kern/efi/efi.c grub-core/kern/efi/mm.c grub-core/kern/efi/sb.c \
    grub-core/kern/env.c grub-core/kern/err.c grub-core/kern/file.c grub-core/kern/fs.c \
    grub-core/kern/i386/pc/acpi.c grub-core/kern/list.c grub-core/kern/lockdown.c grub-core/kern/main.c \
    grub-core/kern/misc.c grub-core/kern/mm.c grub-core/kern/partition.c grub-core/kern/rescue_reader.c \
    grub-core/kern/term.c grub-core/kern/time.c grub-core/kern/verifiers.c grub-core/lib/crypto.c \
    grub-core/lib/minilzo/minilzo.c grub-core/lib/relocator.c grub-core/loader/efi/chainloader.c \
    grub-core/loader/i386/bsd.c grub-core/loader/i386/linux.c grub-core/loader/i386/multiboot_mbi.c \
    grub-core/loader/multiboot_mbi2.c grub-core/mmap/mmap.c grub-core/net/bootp.c grub-core/net/dns.c \
    grub-core/net/drivers/efi/efinet.c grub-core/net/ethernet.c grub-core/net/http.c grub-core/net/ip.c \
    grub-core/net/net.c grub-core/net/netbuff.c grub-core/net/tcp.c grub-core/net/tftp.c grub-core/net/udp.c \
    grub-core/normal/charset.c grub-core/normal/main.c grub-core/normal/menu.c grub-core/script/execute.c \
    grub-core/term/at_keyboard.c grub-core/term/i386/pc/vga_text.c grub-core/term/ns8250.c \
    grub-core/term/terminfo.c grub-core/video/bitmap.c grub-core/video/fb/fbutil.c \
    grub-core/video/readers/jpeg.c grub-core/video/readers/png.c grub-core/video/readers/tga.c \
    grub-core/video/video.c
