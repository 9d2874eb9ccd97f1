//! Which function answers which system call.

use super::errno::Errno;
use super::open_files::AT_FDCWD;
use super::status::AT_SYMLINK_NOFOLLOW;
use super::syscall_table::{name, number};
use super::user_memory::UserMemory;
use super::{Kernel, Outcome};

impl Kernel {
    pub(super) fn dispatch(
        &mut self,
        memory: &mut dyn UserMemory,
        call: u64,
        args: [u64; 6],
    ) -> Outcome {
        let [a, b, c, d, ..] = args;
        let here = AT_FDCWD as u64;
        let fd = a as i32;
        match call {
            // Reading and writing.
            number::read => self.read(memory, fd, b, c),
            number::write => self.write(memory, fd, b, c),
            number::pread64 => self.pread(memory, fd, b, c, d),
            number::pwrite64 => self.pwrite(memory, fd, b, c, d),
            number::readv => self.readv(memory, fd, b, c),
            number::writev => self.writev(memory, fd, b, c),
            number::preadv => self.preadv(memory, fd, b, c, d),
            number::pwritev => self.pwritev(memory, fd, b, c, d),
            number::preadv2 if Kernel::is_current_offset(d) => self.readv(memory, fd, b, c),
            number::pwritev2 if Kernel::is_current_offset(d) => self.writev(memory, fd, b, c),
            number::preadv2 => self.preadv(memory, fd, b, c, d),
            number::pwritev2 => self.pwritev(memory, fd, b, c, d),
            number::sendfile => self.sendfile(memory, fd, b as i32, c, d),
            number::copy_file_range => self.copy_file_range(memory, args),

            // Opening and sizing files.
            number::open => self.open(memory, AT_FDCWD, a, b, c),
            number::openat => self.open(memory, fd, b, c, d),
            number::openat2 => self.openat2(memory, fd, b, c, d),
            number::creat => self.creat(memory, a, b),
            number::close => self.close(fd),
            number::close_range => self.close_range(a, b, c),
            number::lseek => self.lseek(fd, b, c),
            number::truncate => self.truncate(memory, a, b),
            number::ftruncate => self.ftruncate(fd, b),
            number::fallocate => self.fallocate(fd, b, c, d),
            number::fsync | number::fdatasync | number::syncfs => self.fsync(fd),
            number::sync_file_range => self.fsync(fd),
            number::sync => Ok(0),
            number::fadvise64 => self.fadvise(fd, c, d),
            number::readahead => self.fadvise(fd, c, 0),
            number::flock => self.flock(fd, b),

            // Attributes.
            number::stat => self.fstatat(memory, AT_FDCWD, a, b, 0),
            number::lstat => self.fstatat(memory, AT_FDCWD, a, b, AT_SYMLINK_NOFOLLOW),
            number::fstat => self.fstat(memory, fd, b),
            number::newfstatat => self.fstatat(memory, fd, b, c, d),
            number::statx => self.statx(memory, args),
            number::access => self.faccessat(memory, AT_FDCWD, a, b, 0),
            number::faccessat => self.faccessat(memory, fd, b, c, 0),
            number::faccessat2 => self.faccessat(memory, fd, b, c, d),
            number::chmod => self.fchmodat(memory, AT_FDCWD, a, b, 0),
            number::fchmod => self.fchmod(fd, b),
            number::fchmodat => self.fchmodat(memory, fd, b, c, 0),
            number::fchmodat2 => self.fchmodat(memory, fd, b, c, d),
            number::chown => self.fchownat(memory, [here, a, b, c, 0, 0]),
            number::lchown => self.fchownat(memory, [here, a, b, c, AT_SYMLINK_NOFOLLOW, 0]),
            number::fchown => self.fchown(fd, b, c),
            number::fchownat => self.fchownat(memory, args),
            number::utimensat => self.utimensat(memory, fd, b, c, d),
            number::utimes => self.old_utimes(memory, AT_FDCWD, a, b, false),
            number::utime => self.old_utimes(memory, AT_FDCWD, a, b, true),
            number::futimesat => self.old_utimes(memory, fd, b, c, false),
            number::statfs => self.statfs(memory, a, b),
            number::fstatfs => self.fstatfs(memory, fd, b),
            number::readlink => self.readlink(memory, AT_FDCWD, a, b, c),
            number::readlinkat => self.readlink(memory, fd, b, c, d),
            // No file carries extended attributes, as on a file system mounted without them.
            number::getxattr
            | number::lgetxattr
            | number::fgetxattr
            | number::setxattr
            | number::lsetxattr
            | number::fsetxattr
            | number::listxattr
            | number::llistxattr
            | number::flistxattr
            | number::removexattr
            | number::lremovexattr
            | number::fremovexattr => Err(Errno::EOPNOTSUPP.into()),

            // Directories.
            number::mkdir => self.mkdirat(memory, AT_FDCWD, a, b),
            number::mkdirat => self.mkdirat(memory, fd, b, c),
            number::mknod => self.mknodat(memory, AT_FDCWD, a, b),
            number::mknodat => self.mknodat(memory, fd, b, c),
            number::rmdir => self.unlinkat(memory, AT_FDCWD, a, 0x200),
            number::unlink => self.unlinkat(memory, AT_FDCWD, a, 0),
            number::unlinkat => self.unlinkat(memory, fd, b, c),
            number::link => self.linkat(memory, [here, a, here, b, 0, 0]),
            number::linkat => self.linkat(memory, args),
            number::symlink => self.symlinkat(memory, a, AT_FDCWD, b),
            number::symlinkat => self.symlinkat(memory, a, b as i32, c),
            number::rename => self.renameat2(memory, [here, a, here, b, 0, 0]),
            number::renameat => self.renameat2(memory, [a, b, c, d, 0, 0]),
            number::renameat2 => self.renameat2(memory, args),
            number::getdents64 => self.getdents64(memory, fd, b, c),
            number::chdir => self.chdir(memory, a),
            number::fchdir => self.fchdir(fd),
            number::getcwd => self.getcwd(memory, a, b),

            // Descriptors.
            number::dup => self.dup(fd),
            number::dup2 => self.dup2(fd, b as i32),
            number::dup3 => self.dup3(fd, b as i32, c),
            number::pipe => self.pipe2(memory, a, 0),
            number::pipe2 => self.pipe2(memory, a, b),
            number::fcntl => self.fcntl(memory, fd, b, c),
            number::ioctl => self.ioctl(memory, fd, b, c),
            number::poll => {
                let timeout = c as i32;
                let timeout = (timeout >= 0).then(|| i64::from(timeout) * 1_000_000);
                self.poll(memory, a, b, timeout)
            }
            number::ppoll => self.ppoll(memory, a, b, c),
            number::select => self.select(memory, args, 1000),
            number::pselect6 => self.select(memory, args, 1),

            // Memory.
            number::mmap => self.mmap(memory, args),
            number::munmap => self.munmap(memory, a, b),
            number::mremap => self.mremap(memory, args),
            number::mprotect => self.mprotect(memory, a, b, c),
            number::madvise => self.madvise(memory, a, b, c),
            number::brk => self.brk(memory, a),
            number::mlock | number::munlock | number::msync | number::mlock2 => {
                self.mlock(memory, a, b)
            }
            number::mlockall | number::munlockall => Ok(0),

            // The process.
            number::exit | number::exit_group => self.exit(a),
            number::getpid | number::gettid | number::set_tid_address => {
                Ok(self.process.pid.into())
            }
            number::getppid => Ok(1),
            number::getpgrp | number::getpgid | number::getsid => Ok(self.process.pid.into()),
            number::getuid => Ok(self.real_ids().0.into()),
            number::getgid => Ok(self.real_ids().1.into()),
            number::geteuid => Ok(self.credentials.uid.into()),
            number::getegid => Ok(self.credentials.gid.into()),
            number::getresuid => {
                let (real, effective) = (self.real_ids().0, self.credentials.uid);
                self.getresid(memory, [a, b, c], real, effective)
            }
            number::getresgid => {
                let (real, effective) = (self.real_ids().1, self.credentials.gid);
                self.getresid(memory, [a, b, c], real, effective)
            }
            number::setuid => self.setuid(a),
            number::setgid => self.setgid(a),
            number::getgroups => self.getgroups(memory, a, b),
            number::umask => self.set_umask(a),
            number::arch_prctl => self.arch_prctl(a, b),
            number::prctl => self.prctl(memory, a, b),
            number::getrlimit => self.prlimit(memory, 0, a, 0, b),
            number::setrlimit => self.prlimit(memory, 0, a, b, 0),
            number::prlimit64 => self.prlimit(memory, a, b, c, d),
            number::uname => self.uname(memory, a),
            number::sysinfo => self.sysinfo(memory, a),
            number::getrusage => self.getrusage(memory, a, b),
            number::sched_yield => Ok(0),
            number::sched_getaffinity => self.sched_getaffinity(memory, a, b, c),
            number::getcpu => self.getcpu(memory, a, b),
            number::getpriority => Ok(20),
            number::wait4 | number::waitid => self.wait4(),
            number::futex => self.futex(memory, args),
            number::set_robust_list | number::membarrier => Ok(0),
            // Programs live without it; the C library registers only if it can.
            number::rseq => Err(Errno::ENOSYS.into()),

            // Signals.
            number::rt_sigaction => self.rt_sigaction(memory, a, b, c, d),
            number::rt_sigprocmask => self.rt_sigprocmask(memory, a, b, c, d),
            number::rt_sigpending => self.rt_sigpending(memory, a, b),
            number::rt_sigsuspend => self.rt_sigsuspend(memory, a, b),
            number::rt_sigtimedwait => self.rt_sigtimedwait(memory, args),
            number::pause => self.pause(),
            number::sigaltstack => self.sigaltstack(memory, a, b),
            number::kill => self.kill(a, b),
            number::tkill => self.tgkill(self.process.pid.into(), a, b),
            number::tgkill => self.tgkill(a, b, c),

            // Time and randomness.
            number::clock_gettime => self.clock_gettime(memory, a, b),
            number::clock_getres => self.clock_getres(memory, a, b),
            number::gettimeofday => self.gettimeofday(memory, a, b),
            number::time => self.time(memory, a),
            number::nanosleep => self.nanosleep(memory, a),
            number::clock_nanosleep => self.clock_nanosleep(memory, a, b, c),
            number::times => self.times(memory, a),
            number::alarm => self.alarm(a),
            number::setitimer => self.setitimer(memory, a, b, c),
            number::getitimer => self.getitimer(memory, a, b),
            number::getrandom => self.getrandom(memory, a, b, c),

            _ => self.unsupported(reason(call)),
        }
    }
}

/// Why a call is not modelled.
fn reason(call: u64) -> &'static str {
    match call {
        number::socket..=number::getsockopt
        | number::accept4
        | number::recvmmsg
        | number::sendmmsg => "networking is not modelled",
        number::clone | number::fork | number::vfork | number::clone3 => {
            "further threads and processes are not modelled"
        }
        number::execve | number::execveat => "starting another program is not modelled",
        number::epoll_create
        | number::epoll_create1
        | number::epoll_ctl
        | number::epoll_wait
        | number::epoll_pwait
        | number::epoll_pwait2
        | number::eventfd
        | number::eventfd2
        | number::timerfd_create
        | number::signalfd
        | number::signalfd4 => "event descriptors are not modelled",
        number::inotify_init | number::inotify_init1 => "watching files is not modelled",
        number::timer_create => "signals that arrive later are not modelled",
        _ if name(call).is_some() => "not modelled",
        _ => "Linux has no such call",
    }
}
