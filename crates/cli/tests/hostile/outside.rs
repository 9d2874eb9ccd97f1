//! What lies outside the sandbox, and whether it is still as it was.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What no output may hold.
pub(crate) const SECRET: &str = "the secret that nobody is to see";

/// Files of the machine that programs of ours try to open for writing.
const OF_THE_SYSTEM: [&str; 8] = [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/ld.so.cache",
    "/etc/profile",
    "/usr/bin/env",
    "/root/.bashrc",
    "/root/.profile",
    "/dev/null",
];

/// A folder, a process, servers and a shared memory segment that hostile programs try to reach. All of it is open to everybody, so
/// that nothing but the sandbox protects it.
pub(crate) struct Outside {
    folder: tempfile::TempDir,
    canary: Child,
    stream: TcpListener,
    packets: UdpSocket,
    named: UnixListener,
    nameless: UnixListener,
    /// Sockets that need no connection, with a name and without.
    datagrams: [UnixDatagram; 2],
    segment: Segment,
    before: BTreeMap<PathBuf, String>,
}

impl Outside {
    pub(crate) fn new(user: Option<u32>) -> Outside {
        let folder = tempfile::Builder::new()
            .prefix("hostile-outside-")
            .tempdir()
            .unwrap();
        let place = folder.path();
        fs::create_dir_all(place.join("folder/inner")).unwrap();
        fs::create_dir_all(place.join("home/.ssh")).unwrap();
        for (name, text) in [
            ("guard", ""),
            ("file", "content\n"),
            ("folder/inner/file", "content\n"),
            ("home/.bashrc", "# start\n"),
            ("home/.profile", "# start\n"),
            ("home/.ssh/id_ed25519", SECRET),
            ("private", SECRET),
        ] {
            fs::write(place.join(name), text).unwrap();
        }
        symlink("file", place.join("link")).unwrap();
        let (stream, packets) = listeners();
        let port = stream.local_addr().unwrap().port();
        let named = UnixListener::bind(place.join("socket")).unwrap();
        let address = format!("parallax-hostile-{port}");
        let address = SocketAddr::from_abstract_name(address).unwrap();
        let nameless = UnixListener::bind_addr(&address).unwrap();
        for listener in [&named, &nameless] {
            listener.set_nonblocking(true).unwrap();
        }
        let address = format!("parallax-hostile-datagrams-{port}");
        let address = SocketAddr::from_abstract_name(address).unwrap();
        let datagrams = [
            UnixDatagram::bind(place.join("datagrams")).unwrap(),
            UnixDatagram::bind_addr(&address).unwrap(),
        ];
        for socket in &datagrams {
            socket.set_nonblocking(true).unwrap();
        }
        for path in paths(place) {
            if !path.is_symlink() {
                let is_open =
                    path.is_dir() || path.ends_with("socket") || path.ends_with("datagrams");
                let mode = if is_open { 0o777 } else { 0o666 };
                fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
                chown(&path, user, user).unwrap();
            }
        }
        let mut canary = Command::new("sleep");
        canary
            .arg("1000")
            .env("SECRET", SECRET)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(user) = user {
            use std::os::unix::process::CommandExt;
            canary.uid(user).gid(user);
        }
        let canary = with_a_number_of_its_own(canary);
        // Until it is `sleep`, its name changes.
        let is_sleep = || {
            fs::read_to_string(format!("/proc/{}/comm", canary.id()))
                .is_ok_and(|name| name == "sleep\n")
        };
        while !is_sleep() {
            std::thread::yield_now();
        }
        let mut outside = Outside {
            folder,
            canary,
            stream,
            packets,
            named,
            nameless,
            datagrams,
            segment: Segment::new(),
            before: BTreeMap::new(),
        };
        outside.before = outside.look();
        outside
    }

    /// What is outside, for scripts.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn port(&self) -> u16 {
        self.stream.local_addr().unwrap().port()
    }

    pub(crate) fn canary(&self) -> u32 {
        self.canary.id()
    }

    /// The compiler's flags that tell a program of all this.
    pub(crate) fn flags(&self) -> Vec<String> {
        let port = self.stream.local_addr().unwrap().port();
        vec![
            format!("-DOUTSIDE=\"{}\"", self.folder.path().display()),
            format!("-DCANARY={}", self.canary.id()),
            format!("-DPORT={port}"),
            format!("-DKEY={}", self.segment.key),
        ]
    }

    /// Fails if anything is not as it was, or somebody has called.
    pub(crate) fn assert_untouched(&mut self, after: &str) {
        assert!(
            self.canary.try_wait().unwrap().is_none(),
            "{after}: a process outside was killed"
        );
        for (path, now) in self.look() {
            let before = self
                .before
                .get(&path)
                .unwrap_or_else(|| panic!("{after}: {} is new", path.display()));
            assert_eq!(&now, before, "{after}: {} is not as it was", path.display());
        }
        assert_eq!(
            self.look().len(),
            self.before.len(),
            "{after}: something is gone"
        );
        let nobody = |error: std::io::Error| {
            assert_eq!(error.kind(), ErrorKind::WouldBlock, "{after}: {error}")
        };
        nobody(self.stream.accept().expect_err("somebody has connected"));
        nobody(
            self.packets
                .recv(&mut [0; 8])
                .expect_err("somebody has sent a packet"),
        );
        nobody(
            self.named
                .accept()
                .expect_err("somebody has connected to a named socket"),
        );
        nobody(
            self.nameless
                .accept()
                .expect_err("somebody has connected to a nameless socket"),
        );
        for socket in &self.datagrams {
            nobody(
                socket
                    .recv(&mut [0; 8])
                    .expect_err("somebody has sent to a local socket"),
            );
        }
        let port = self.stream.local_addr().unwrap().port() + 1;
        assert!(
            TcpStream::connect(("127.0.0.1", port)).is_err(),
            "{after}: somebody listens"
        );
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            assert_ne!(
                name,
                format!("hostile-{}\n", self.port()),
                "{after}: {} is left",
                process.path().display()
            );
        }
    }

    /// Everything that must not change, each with what it is like.
    fn look(&self) -> BTreeMap<PathBuf, String> {
        let system = OF_THE_SYSTEM.iter().map(PathBuf::from);
        let system = system.filter(|path| path.symlink_metadata().is_ok());
        let mut seen: BTreeMap<PathBuf, String> = paths(self.folder.path())
            .into_iter()
            .chain(system)
            .map(|path| (path.clone(), describe(&path)))
            .collect();
        for name in ["limits", "oom_score_adj", "comm"] {
            let path = PathBuf::from(format!("/proc/{}/{name}", self.canary.id()));
            let text = fs::read_to_string(&path).unwrap_or_default();
            seen.insert(path, text);
        }
        let stat =
            fs::read_to_string(format!("/proc/{}/stat", self.canary.id())).unwrap_or_default();
        // Priority, and how nice it is.
        let fields: Vec<&str> = stat.split_whitespace().skip(17).take(2).collect();
        seen.insert(PathBuf::from("priority"), fields.join(" "));
        seen.insert(PathBuf::from("segment"), self.segment.describe());
        let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        seen.insert(PathBuf::from("host name"), name);
        seen
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.canary.kill();
        let _ = self.canary.wait();
    }
}

/// Starts a process whose number none has that hostile programs start: inside, numbers begin at 1 again.
fn with_a_number_of_its_own(mut command: Command) -> Child {
    const MOST_INSIDE: u32 = 3000;
    loop {
        let mut child = command.spawn().unwrap();
        if child.id() > MOST_INSIDE {
            return child;
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// A stream and a packet socket with the same number, the next of which is free.
fn listeners() -> (TcpListener, UdpSocket) {
    loop {
        let stream = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = stream.local_addr().unwrap();
        let Ok(packets) = UdpSocket::bind(address) else {
            continue;
        };
        if address.port() == u16::MAX
            || TcpStream::connect(("127.0.0.1", address.port() + 1)).is_ok()
        {
            continue;
        }
        stream.set_nonblocking(true).unwrap();
        packets.set_nonblocking(true).unwrap();
        return (stream, packets);
    }
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    let mut at = 0;
    while at < all.len() {
        let path = all[at].clone();
        if path.is_dir() && !path.is_symlink() {
            all.extend(
                fs::read_dir(path)
                    .unwrap()
                    .flatten()
                    .map(|entry| entry.path()),
            );
        }
        at += 1;
    }
    all
}

/// Kind, mode, owner, times and content.
fn describe(path: &Path) -> String {
    let Ok(data) = path.symlink_metadata() else {
        return "gone".to_owned();
    };
    let content = match data.is_file() {
        true => fs::read(path)
            .map(|bytes| bytes.escape_ascii().to_string())
            .unwrap_or_default(),
        false => String::new(),
    };
    let changed = match path.starts_with("/dev") {
        // Whoever writes there changes its time.
        true => String::new(),
        false => format!(
            "{}.{} {}.{}",
            data.mtime(),
            data.mtime_nsec(),
            data.ctime(),
            data.ctime_nsec()
        ),
    };
    format!(
        "{:o} {} {} {} {changed} {content}",
        data.mode(),
        data.uid(),
        data.gid(),
        data.nlink()
    )
}

/// A shared memory segment of the host.
struct Segment {
    id: String,
    key: i64,
}

impl Segment {
    fn new() -> Segment {
        let made = Command::new("ipcmk")
            .args(["-M", "4096", "-p", "0666"])
            .output()
            .expect("ipcmk of util-linux");
        let text = String::from_utf8(made.stdout).unwrap();
        let id = text.trim().rsplit(' ').next().unwrap().to_owned();
        let line = Segment::line(&id);
        let key = line.split_whitespace().next().unwrap().parse().unwrap();
        Segment { id, key }
    }

    fn line(id: &str) -> String {
        let list = fs::read_to_string("/proc/sysvipc/shm").unwrap();
        let line = list
            .lines()
            .find(|line| line.split_whitespace().nth(1) == Some(id));
        line.unwrap_or("gone").to_owned()
    }

    fn describe(&self) -> String {
        Segment::line(&self.id)
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        let _ = Command::new("ipcrm").args(["-m", &self.id]).status();
    }
}
