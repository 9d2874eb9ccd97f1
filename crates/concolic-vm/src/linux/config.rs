//! What a process finds when it starts: streams, files, identity, time.

use std::collections::BTreeMap;
use std::sync::Arc;

use ::random::SplitMix;

use super::bytes::Bytes;
use super::errno::Errno;
use super::file_system::{Credentials, Device, FileSystem, InodeId, NewNode, Node, Pipe, PipeEnd};
use super::open_files::{O_RDONLY, O_WRONLY, OpenFiles};
use super::paths::Walk;
use super::{Kernel, Notes, memory, process, signals, time};

/// Everything a program can observe of its surroundings.
#[derive(Clone, Debug)]
pub struct KernelConfig {
    pub stdin: Bytes,
    /// What descriptors 0, 1 and 2 are.
    pub streams: [StandardStream; 3],
    /// By absolute path; missing parent directories are made. `/dev`, `/proc/self/exe` and `/tmp` are
    /// there by themselves.
    pub files: BTreeMap<Vec<u8>, FileConfig>,
    /// Must be a directory; it is made if `files` does not have it.
    pub working_directory: Vec<u8>,
    /// What `/proc/self/exe` points to.
    pub executable: Vec<u8>,
    /// Default: user and group 1000, like the first account of a desktop system. To compare with
    /// native runs, pass the identity these run under.
    pub credentials: Credentials,
    pub umask: u32,
    pub pid: u32,
    pub host_name: String,
    /// Seconds since 1970; also the times of all initial files.
    pub time: i64,
    /// The seed of `getrandom` and `/dev/urandom`.
    pub seed: u64,
    pub limits: Limits,
}

/// An initial file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileConfig {
    pub kind: FileKind,
    /// Permission bits; unused for a symbolic link.
    pub mode: u32,
    /// Owner and group; `None` for those of the process.
    pub owner: Option<(u32, u32)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileKind {
    File(Bytes),
    Directory,
    Symlink(Vec<u8>),
}

/// What a standard descriptor is connected to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandardStream {
    /// A pipe whose other end is outside: input ends when it is used up, output never blocks.
    Pipe,
    /// A regular file without a name in the guest's file system.
    File,
    /// `/dev/null`.
    Null,
    Closed,
}

/// Bounds of the model; reaching one is named, not guessed around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest file; beyond it the run ends as unsupported.
    pub file_bytes: u64,
    /// How far `brk` can grow the heap; beyond it `brk` fails as it may on a real system.
    pub heap_bytes: u64,
    /// `RLIMIT_NOFILE`.
    pub open_files: u32,
    /// `RLIMIT_STACK`, as reported.
    pub stack_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 1 << 30,
            heap_bytes: 1 << 20,
            open_files: 1024,
            stack_bytes: 8 << 20,
        }
    }
}

impl Default for KernelConfig {
    fn default() -> KernelConfig {
        KernelConfig {
            stdin: Bytes::default(),
            streams: [StandardStream::Pipe; 3],
            files: BTreeMap::new(),
            working_directory: b"/home/user".to_vec(),
            executable: b"/usr/bin/program".to_vec(),
            credentials: Credentials {
                uid: 1000,
                gid: 1000,
                groups: vec![1000],
            },
            umask: 0o022,
            pid: 1000,
            host_name: "localhost".to_string(),
            time: 1_700_000_000,
            seed: 0,
            limits: Limits::default(),
        }
    }
}

impl FileConfig {
    pub fn file(content: impl Into<Bytes>) -> FileConfig {
        FileConfig {
            kind: FileKind::File(content.into()),
            mode: 0o644,
            owner: None,
        }
    }

    pub fn directory() -> FileConfig {
        FileConfig {
            kind: FileKind::Directory,
            mode: 0o755,
            owner: None,
        }
    }

    pub fn symlink(target: impl Into<Vec<u8>>) -> FileConfig {
        FileConfig {
            kind: FileKind::Symlink(target.into()),
            mode: 0o777,
            owner: None,
        }
    }
}

/// A configured path that cannot be made, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    pub path: Vec<u8>,
    pub error: Errno,
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = String::from_utf8_lossy(&self.path);
        write!(
            formatter,
            "cannot place {path} in the guest's file system: {:?}",
            self.error
        )
    }
}

impl std::error::Error for ConfigError {}

impl Kernel {
    /// A process that is about to start. Fails if a configured path contradicts another one, for
    /// instance if it leads through a regular file.
    pub fn new(config: KernelConfig) -> Result<Kernel, ConfigError> {
        let now = config.time.saturating_mul(1_000_000_000);
        let mut builder = Builder {
            files: FileSystem::new(now),
            owner: config.credentials.clone(),
            now,
        };
        builder.add_system_files(&config.executable)?;
        for (path, file) in &config.files {
            builder.place(path, file)?;
        }
        let working_directory = builder.directory(
            &config.working_directory,
            (config.credentials.uid, config.credentials.gid),
        )?;
        let mut streams = [None; 3];
        for (index, stream) in config.streams.iter().enumerate() {
            streams[index] = builder.stream(index, *stream, &config.stdin)?;
        }
        let files = builder.files;
        let mut kernel = Kernel {
            initial_files: Arc::new(files.clone()),
            files,
            open_files: OpenFiles::default(),
            streams,
            working_directory,
            umask: config.umask & 0o777,
            process: process::Process::new(config.pid, config.host_name, &config.credentials),
            credentials: config.credentials,
            signals: signals::Signals::default(),
            memory: memory::Mappings::default(),
            clock: time::Clock::new(now),
            random: SplitMix(config.seed),
            limits: config.limits,
            current: 0,
            notes: Notes::default(),
        };
        for (index, stream) in streams.iter().enumerate() {
            if let Some(inode) = *stream {
                let access = if index == 0 { O_RDONLY } else { O_WRONLY };
                kernel.install_at(index as i32, inode, access);
            }
        }
        Ok(kernel)
    }
}

struct Builder {
    files: FileSystem,
    owner: Credentials,
    now: i64,
}

impl Builder {
    fn add_system_files(&mut self, executable: &[u8]) -> Result<(), ConfigError> {
        let devices = [
            (&b"null"[..], Device::Null),
            (b"zero", Device::Zero),
            (b"full", Device::Full),
            (b"random", Device::Random),
            (b"urandom", Device::Random),
            (b"tty", Device::Terminal),
        ];
        let directory = self.directory(b"/dev", (0, 0))?;
        for (name, device) in devices {
            self.create(directory, name, NewNode::Device(device), 0o666)
                .map_err(|error| ConfigError {
                    path: name.to_vec(),
                    error,
                })?;
        }
        let directory = self.directory(b"/proc/self", (0, 0))?;
        self.create(directory, b"exe", NewNode::Symlink(executable.to_vec()), 0)
            .map_err(|error| ConfigError {
                path: b"/proc/self/exe".to_vec(),
                error,
            })?;
        let temporary = self.directory(b"/tmp", (0, 0))?;
        self.files.inode_mut(temporary).mode = 0o1777;
        Ok(())
    }

    fn create(
        &mut self,
        directory: InodeId,
        name: &[u8],
        node: NewNode,
        mode: u32,
    ) -> Result<InodeId, Errno> {
        self.files
            .create(directory, name, node, mode, &Credentials::ROOT, self.now)
    }

    /// The directory at `path`, made with its parents if need be.
    fn directory(&mut self, path: &[u8], owner: (u32, u32)) -> Result<InodeId, ConfigError> {
        let mut directory = self.files.root;
        for name in path.split(|&byte| byte == b'/').filter(|c| !c.is_empty()) {
            let error = |error| ConfigError {
                path: path.to_vec(),
                error,
            };
            let found = Walk::new(&self.files, &Credentials::ROOT).target(directory, name, true);
            directory = match found {
                Ok(found) => found,
                Err(Errno::ENOENT) => {
                    let made = self
                        .create(directory, name, NewNode::Directory, 0o755)
                        .map_err(error)?;
                    let inode = self.files.inode_mut(made);
                    (inode.uid, inode.gid) = owner;
                    made
                }
                Err(errno) => return Err(error(errno)),
            };
            self.files.directory(directory).map_err(error)?;
        }
        Ok(directory)
    }

    fn place(&mut self, path: &[u8], file: &FileConfig) -> Result<(), ConfigError> {
        let owner = file.owner.unwrap_or((self.owner.uid, self.owner.gid));
        let error = |error| ConfigError {
            path: path.to_vec(),
            error,
        };
        let split = path
            .iter()
            .rposition(|&byte| byte == b'/')
            .ok_or_else(|| error(Errno::EINVAL))?;
        let (parent, name) = (&path[..split], &path[split + 1..]);
        let id = if file.kind == FileKind::Directory {
            self.directory(path, owner)?
        } else {
            if matches!(name, b"" | b"." | b"..") {
                return Err(error(Errno::EINVAL));
            }
            let directory = self.directory(parent, owner)?;
            let existing = self.files.lookup(directory, name, &Credentials::ROOT);
            if existing.map_err(error)?.is_some() {
                return Err(error(Errno::EEXIST));
            }
            let node = match &file.kind {
                FileKind::Symlink(target) => NewNode::Symlink(target.clone()),
                _ => NewNode::File,
            };
            self.create(directory, name, node, file.mode & 0o7777)
                .map_err(error)?
        };
        let inode = self.files.inode_mut(id);
        (inode.uid, inode.gid) = owner;
        match &file.kind {
            FileKind::File(content) => inode.node = Node::File(content.clone()),
            FileKind::Directory => inode.mode = file.mode & 0o7777,
            FileKind::Symlink(_) => {}
        }
        Ok(())
    }

    fn stream(
        &mut self,
        index: usize,
        stream: StandardStream,
        stdin: &Bytes,
    ) -> Result<Option<InodeId>, ConfigError> {
        let content = if index == 0 {
            stdin.clone()
        } else {
            Bytes::default()
        };
        let node = match stream {
            StandardStream::Closed => return Ok(None),
            StandardStream::Null => {
                let null = Walk::new(&self.files, &Credentials::ROOT)
                    .target(self.files.root, b"/dev/null", true)
                    .expect("/dev/null is always there");
                return Ok(Some(null));
            }
            StandardStream::File => Node::File(content),
            StandardStream::Pipe => Node::Pipe(Pipe {
                content,
                consumed: 0,
                end: if index == 0 {
                    PipeEnd::WrittenOutside
                } else {
                    PipeEnd::ReadOutside
                },
            }),
        };
        let id = self.files.add(node, 0o600, &self.owner, self.now);
        // One link that is never removed: what was written can be asked for after the run.
        self.files.inode_mut(id).links = 1;
        Ok(Some(id))
    }
}
