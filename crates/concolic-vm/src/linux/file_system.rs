//! The in-memory file system: inodes, directories, links and permissions.
//!
//! It knows nothing of descriptors or guest memory. Every operation takes inodes that a path walk
//! ([`super::paths`]) has found, checks in the order the kernel does, and reports the kernel's error.
//! Inodes are shared by reference count, so copying a file system for a snapshot is cheap and a
//! file's content is copied only when one of the copies changes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bytes::Bytes;
use super::errno::Errno;

pub(super) const MAY_EXECUTE: u32 = 1;
pub(super) const MAY_WRITE: u32 = 2;
pub(super) const MAY_READ: u32 = 4;

pub(super) const SET_USER_ID: u32 = 0o4000;
pub(super) const SET_GROUP_ID: u32 = 0o2000;
pub(super) const STICKY: u32 = 0o1000;

/// The longest name of one directory entry.
const NAME_MAX: usize = 255;

/// The name of an inode; also its `st_ino`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct InodeId(pub(super) u32);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Inode {
    pub(super) node: Node,
    /// Permission bits, `mode & 0o7777`.
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) links: u32,
    /// Nanoseconds since 1970.
    pub(super) accessed: i64,
    pub(super) modified: i64,
    pub(super) changed: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Node {
    File(Bytes),
    Directory(Directory),
    Symlink(Vec<u8>),
    Device(Device),
    Pipe(Pipe),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Device {
    Null,
    Zero,
    Full,
    Random,
    /// `/dev/tty` of a process without a controlling terminal.
    Terminal,
}

/// A pipe, or one of the standard streams whose other end is outside the process.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Pipe {
    pub(super) content: Bytes,
    /// How much of `content` has been read.
    pub(super) consumed: usize,
    pub(super) end: PipeEnd,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum PipeEnd {
    /// Both ends belong to the process.
    #[default]
    Inside,
    /// Standard input: the writer has written everything and closed.
    WrittenOutside,
    /// Standard output and error: the reader takes everything at once.
    ReadOutside,
}

impl Inode {
    fn content_mut(&mut self) -> Option<&mut Bytes> {
        match &mut self.node {
            Node::File(content) => Some(content),
            Node::Pipe(pipe) => Some(&mut pipe.content),
            _ => None,
        }
    }

    fn is_symbolic(&self) -> bool {
        match &self.node {
            Node::File(content) => content.terms().is_some(),
            Node::Pipe(pipe) => pipe.content.terms().is_some(),
            _ => false,
        }
    }

    fn change_content(&mut self, change: &mut dyn FnMut(&mut Bytes)) {
        if let Some(content) = self.content_mut() {
            change(content);
        }
    }
}

/// Entries in creation order, which is the order `getdents64` lists them in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Directory {
    pub(super) parent: InodeId,
    by_name: BTreeMap<Vec<u8>, (u64, InodeId)>,
    by_position: BTreeMap<u64, Vec<u8>>,
    next_position: u64,
}

/// Who asks: decides permissions and the owner of new files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credentials {
    pub uid: u32,
    pub gid: u32,
    pub groups: Vec<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileSystem {
    inodes: BTreeMap<InodeId, Arc<Inode>>,
    next: u32,
    pub(super) root: InodeId,
}

impl FileSystem {
    pub(super) fn new(now: i64) -> FileSystem {
        let root = InodeId(2);
        let inode = Inode {
            node: Node::Directory(Directory::new(root)),
            mode: 0o755,
            uid: 0,
            gid: 0,
            links: 2,
            accessed: now,
            modified: now,
            changed: now,
        };
        FileSystem {
            inodes: BTreeMap::from([(root, Arc::new(inode))]),
            next: 11,
            root,
        }
    }

    pub(super) fn inode(&self, id: InodeId) -> &Inode {
        &self.inodes[&id]
    }

    pub(super) fn inode_mut(&mut self, id: InodeId) -> &mut Inode {
        Arc::make_mut(self.inodes.get_mut(&id).expect("an inode in use exists"))
    }

    /// Whether `id` is the very same, unchanged inode in both file systems.
    pub(super) fn shares(&self, other: &FileSystem, id: InodeId) -> bool {
        match (self.inodes.get(&id), other.inodes.get(&id)) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }

    /// Changes all content that has terms. What is shared with `initial`, the same file system at an earlier time,
    /// stays shared.
    pub(super) fn change_symbolic(
        &mut self,
        initial: &mut FileSystem,
        change: &mut dyn FnMut(&mut Bytes),
    ) {
        for (id, inode) in &mut self.inodes {
            if !inode.is_symbolic() {
                continue;
            }
            let twin = initial.inodes.get_mut(id);
            let twin = twin.filter(|twin| Arc::ptr_eq(inode, twin));
            let mut changed = Inode::clone(inode);
            changed.change_content(change);
            *inode = Arc::new(changed);
            if let Some(twin) = twin {
                *twin = inode.clone();
            }
        }
        for (id, inode) in &mut initial.inodes {
            let done = self
                .inodes
                .get(id)
                .is_some_and(|own| Arc::ptr_eq(own, inode));
            if inode.is_symbolic() && !done {
                Arc::make_mut(inode).change_content(change);
            }
        }
    }

    /// Adds an inode that no directory names yet.
    pub(super) fn add(&mut self, node: Node, mode: u32, who: &Credentials, now: i64) -> InodeId {
        let id = InodeId(self.next);
        self.next += 1;
        let inode = Inode {
            node,
            mode,
            uid: who.uid,
            gid: who.gid,
            links: 0,
            accessed: now,
            modified: now,
            changed: now,
        };
        self.inodes.insert(id, Arc::new(inode));
        id
    }

    /// Forgets an inode that neither a directory nor an open file refers to. Directories stay: the
    /// `..` of a removed directory that is still somebody's working directory must lead somewhere.
    pub(super) fn forget(&mut self, id: InodeId) {
        let inode = self.inode(id);
        if inode.links == 0 && !inode.is_directory() {
            self.inodes.remove(&id);
        }
    }

    pub(super) fn directory(&self, id: InodeId) -> Result<&Directory, Errno> {
        match &self.inode(id).node {
            Node::Directory(directory) => Ok(directory),
            _ => Err(Errno::ENOTDIR),
        }
    }

    fn directory_mut(&mut self, id: InodeId) -> &mut Directory {
        match &mut self.inode_mut(id).node {
            Node::Directory(directory) => directory,
            _ => unreachable!("checked to be a directory"),
        }
    }

    /// Finds `name` in a directory the caller may search.
    pub(super) fn lookup(
        &self,
        directory: InodeId,
        name: &[u8],
        who: &Credentials,
    ) -> Result<Option<InodeId>, Errno> {
        let entries = self.directory(directory)?;
        self.permission(directory, MAY_EXECUTE, who)?;
        if name.len() > NAME_MAX {
            return Err(Errno::ENAMETOOLONG);
        }
        Ok(entries.get(name))
    }

    /// `EACCES` unless `who` has all of the wanted rights.
    pub(super) fn permission(
        &self,
        id: InodeId,
        want: u32,
        who: &Credentials,
    ) -> Result<(), Errno> {
        let inode = self.inode(id);
        let granted = if inode.uid == who.uid {
            inode.mode >> 6
        } else if who.is_member(inode.gid) {
            inode.mode >> 3
        } else {
            inode.mode
        };
        if granted & want == want {
            return Ok(());
        }
        let root_may = want & MAY_EXECUTE == 0 || inode.is_directory() || inode.mode & 0o111 != 0;
        if who.is_root() && root_may {
            Ok(())
        } else {
            Err(Errno::EACCES)
        }
    }

    fn may_create(&self, directory: InodeId, who: &Credentials) -> Result<(), Errno> {
        if self.inode(directory).links == 0 {
            return Err(Errno::ENOENT);
        }
        self.permission(directory, MAY_WRITE | MAY_EXECUTE, who)
    }

    fn may_delete(
        &self,
        directory: InodeId,
        victim: InodeId,
        want_directory: bool,
        who: &Credentials,
    ) -> Result<(), Errno> {
        self.permission(directory, MAY_WRITE | MAY_EXECUTE, who)?;
        let (parent, inode) = (self.inode(directory), self.inode(victim));
        let sticky = parent.mode & STICKY != 0;
        if sticky && !who.is_root() && who.uid != inode.uid && who.uid != parent.uid {
            return Err(Errno::EPERM);
        }
        match (want_directory, inode.is_directory()) {
            (true, false) => Err(Errno::ENOTDIR),
            (false, true) => Err(Errno::EISDIR),
            _ => Ok(()),
        }
    }

    /// Creates `name`, which must not exist.
    pub(super) fn create(
        &mut self,
        directory: InodeId,
        name: &[u8],
        node: NewNode,
        mode: u32,
        who: &Credentials,
        now: i64,
    ) -> Result<InodeId, Errno> {
        self.may_create(directory, who)?;
        let parent = self.inode(directory);
        let inherit_group = parent.mode & SET_GROUP_ID != 0;
        let group = if inherit_group { parent.gid } else { who.gid };
        let (node, mode) = match node {
            NewNode::File => (Node::File(Bytes::default()), mode),
            NewNode::Symlink(target) => (Node::Symlink(target), 0o777),
            NewNode::Device(device) => (Node::Device(device), mode),
            NewNode::Directory => {
                let inherited = if inherit_group { SET_GROUP_ID } else { 0 };
                (Node::Directory(Directory::new(directory)), mode | inherited)
            }
        };
        let is_directory = matches!(node, Node::Directory(_));
        let id = self.add(node, mode, who, now);
        let inode = self.inode_mut(id);
        inode.gid = group;
        inode.links = if is_directory { 2 } else { 1 };
        if is_directory {
            self.inode_mut(directory).links += 1;
        }
        self.directory_mut(directory).insert(name, id);
        self.touch(directory, now);
        Ok(id)
    }

    /// Gives `target` a further name, which must not exist.
    pub(super) fn link(
        &mut self,
        target: InodeId,
        directory: InodeId,
        name: &[u8],
        who: &Credentials,
        now: i64,
    ) -> Result<(), Errno> {
        self.may_create(directory, who)?;
        let inode = self.inode(target);
        if inode.is_directory() {
            return Err(Errno::EPERM);
        }
        if inode.links == 0 {
            return Err(Errno::ENOENT);
        }
        let inode = self.inode_mut(target);
        inode.links += 1;
        inode.changed = now;
        self.directory_mut(directory).insert(name, target);
        self.touch(directory, now);
        Ok(())
    }

    /// Removes the name of a non-directory. The caller forgets the inode when it is no longer open.
    pub(super) fn unlink(
        &mut self,
        directory: InodeId,
        name: &[u8],
        victim: InodeId,
        who: &Credentials,
        now: i64,
    ) -> Result<(), Errno> {
        self.may_delete(directory, victim, false, who)?;
        self.drop_entry(directory, name, victim, now);
        Ok(())
    }

    pub(super) fn remove_directory(
        &mut self,
        directory: InodeId,
        name: &[u8],
        victim: InodeId,
        who: &Credentials,
        now: i64,
    ) -> Result<(), Errno> {
        self.may_delete(directory, victim, true, who)?;
        if !self.directory(victim)?.is_empty() {
            return Err(Errno::ENOTEMPTY);
        }
        self.drop_entry(directory, name, victim, now);
        Ok(())
    }

    fn drop_entry(&mut self, directory: InodeId, name: &[u8], victim: InodeId, now: i64) {
        self.directory_mut(directory).remove(name);
        self.touch(directory, now);
        let inode = self.inode_mut(victim);
        inode.changed = now;
        if inode.is_directory() {
            inode.links = 0;
            self.inode_mut(directory).links -= 1;
        } else {
            inode.links -= 1;
        }
    }

    /// Moves `old` to `new`, replacing what `new` named. Returns the inode that lost a name.
    pub(super) fn rename(
        &mut self,
        old: Entry<'_>,
        new: Entry<'_>,
        exchange: bool,
        who: &Credentials,
        now: i64,
    ) -> Result<Option<InodeId>, Errno> {
        let moved = old.inode.ok_or(Errno::ENOENT)?;
        if new.inode == Some(moved) {
            return Ok(None);
        }
        let is_directory = self.inode(moved).is_directory();
        self.may_delete(old.directory, moved, is_directory, who)?;
        match new.inode {
            None => self.may_create(new.directory, who)?,
            Some(target) => {
                let want_directory = if exchange {
                    self.inode(target).is_directory()
                } else {
                    is_directory
                };
                self.may_delete(new.directory, target, want_directory, who)?;
            }
        }
        if new.directory != old.directory {
            if is_directory {
                self.permission(moved, MAY_WRITE, who)?;
            }
            if let (true, Some(target)) = (exchange, new.inode)
                && self.inode(target).is_directory()
            {
                self.permission(target, MAY_WRITE, who)?;
            }
        }
        if let (true, Some(target)) = (exchange, new.inode) {
            self.place(old, target, now);
            self.place(new, moved, now);
            return Ok(None);
        }
        if let Some(target) = new.inode {
            if let Node::Directory(directory) = &self.inode(target).node
                && !directory.is_empty()
            {
                return Err(Errno::ENOTEMPTY);
            }
            self.drop_entry(new.directory, new.name, target, now);
        }
        self.directory_mut(old.directory).remove(old.name);
        self.directory_mut(new.directory).insert(new.name, moved);
        if is_directory {
            self.inode_mut(old.directory).links -= 1;
            self.inode_mut(new.directory).links += 1;
            self.directory_mut(moved).parent = new.directory;
        }
        self.inode_mut(moved).changed = now;
        self.touch(old.directory, now);
        self.touch(new.directory, now);
        Ok(new.inode)
    }

    /// Lets an existing entry name another inode: one half of an exchange.
    fn place(&mut self, entry: Entry<'_>, inode: InodeId, now: i64) {
        let previous = self
            .directory_mut(entry.directory)
            .replace(entry.name, inode);
        if self.inode(previous).is_directory() {
            self.inode_mut(entry.directory).links -= 1;
        }
        if self.inode(inode).is_directory() {
            self.inode_mut(entry.directory).links += 1;
            self.directory_mut(inode).parent = entry.directory;
        }
        self.inode_mut(inode).changed = now;
        self.touch(entry.directory, now);
    }

    fn touch(&mut self, id: InodeId, now: i64) {
        let inode = self.inode_mut(id);
        inode.modified = now;
        inode.changed = now;
    }

    /// Whether `ancestor` is `id` or above it.
    pub(super) fn is_ancestor(&self, ancestor: InodeId, mut id: InodeId) -> bool {
        loop {
            if id == ancestor {
                return true;
            }
            match self.directory(id) {
                Ok(directory) if directory.parent != id => id = directory.parent,
                _ => return false,
            }
        }
    }

    /// The absolute path of a directory; `None` once it was removed.
    pub(super) fn directory_path(&self, mut id: InodeId) -> Option<Vec<u8>> {
        let mut components = Vec::new();
        while id != self.root {
            if self.inode(id).links == 0 {
                return None;
            }
            let parent = self.directory(id).ok()?.parent;
            components.push(self.directory(parent).ok()?.name_of(id)?.to_vec());
            id = parent;
        }
        if components.is_empty() {
            return Some(b"/".to_vec());
        }
        let mut path = Vec::new();
        for component in components.iter().rev() {
            path.push(b'/');
            path.extend_from_slice(component);
        }
        Some(path)
    }
}

/// What [`FileSystem::create`] makes.
pub(super) enum NewNode {
    File,
    Directory,
    Symlink(Vec<u8>),
    Device(Device),
}

/// A place in a directory and what it names now.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) directory: InodeId,
    pub(super) name: &'a [u8],
    pub(super) inode: Option<InodeId>,
}

impl Inode {
    pub(super) fn is_directory(&self) -> bool {
        matches!(self.node, Node::Directory(_))
    }

    /// `S_IFMT` bits and permissions together, as `st_mode` has them.
    pub(super) fn full_mode(&self) -> u32 {
        self.mode | u32::from(self.type_code()) << 12
    }

    /// The type as `d_type` codes it: the `S_IFMT` bits shifted down.
    pub(super) fn type_code(&self) -> u8 {
        match self.node {
            Node::Pipe(_) => 1,
            Node::Device(_) => 2,
            Node::Directory(_) => 4,
            Node::File(_) => 8,
            Node::Symlink(_) => 10,
        }
    }

    /// `st_nlink`; a pipe has one link although nothing names it.
    pub(super) fn reported_links(&self) -> u32 {
        match self.node {
            Node::Pipe(_) => 1,
            _ => self.links,
        }
    }

    pub(super) fn size(&self) -> u64 {
        match &self.node {
            Node::File(content) => content.len() as u64,
            Node::Directory(_) => 4096,
            Node::Symlink(target) => target.len() as u64,
            Node::Device(_) | Node::Pipe(_) => 0,
        }
    }

    /// Device number of a device, as `st_rdev` encodes it.
    pub(super) fn device_number(&self) -> (u32, u32) {
        match self.node {
            Node::Device(Device::Null) => (1, 3),
            Node::Device(Device::Zero) => (1, 5),
            Node::Device(Device::Full) => (1, 7),
            Node::Device(Device::Random) => (1, 9),
            Node::Device(Device::Terminal) => (5, 0),
            _ => (0, 0),
        }
    }

    /// What a write or a truncation by an ordinary user does to set-user-id programs.
    pub(super) fn drop_privileges(&mut self) {
        if matches!(self.node, Node::File(_)) {
            self.mode &= !SET_USER_ID;
            if self.mode & 0o010 != 0 {
                self.mode &= !SET_GROUP_ID;
            }
        }
    }
}

impl Directory {
    fn new(parent: InodeId) -> Directory {
        Directory {
            parent,
            by_name: BTreeMap::new(),
            by_position: BTreeMap::new(),
            // 0 and 1 are the positions of `.` and `..`.
            next_position: 2,
        }
    }

    pub(super) fn get(&self, name: &[u8]) -> Option<InodeId> {
        self.by_name.get(name).map(|&(_, id)| id)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Names in byte order.
    pub(super) fn names(&self) -> impl Iterator<Item = (&[u8], InodeId)> {
        self.by_name
            .iter()
            .map(|(name, &(_, id))| (name.as_slice(), id))
    }

    /// Entries from `position` on: position, name, inode.
    pub(super) fn entries_from(
        &self,
        position: u64,
    ) -> impl Iterator<Item = (u64, &[u8], InodeId)> {
        self.by_position
            .range(position..)
            .map(|(&position, name)| (position, name.as_slice(), self.by_name[name].1))
    }

    fn name_of(&self, id: InodeId) -> Option<&[u8]> {
        self.names()
            .find(|&(_, entry)| entry == id)
            .map(|(name, _)| name)
    }

    fn insert(&mut self, name: &[u8], id: InodeId) {
        let position = self.next_position;
        self.next_position += 1;
        self.by_name.insert(name.to_vec(), (position, id));
        self.by_position.insert(position, name.to_vec());
    }

    fn remove(&mut self, name: &[u8]) {
        if let Some((position, _)) = self.by_name.remove(name) {
            self.by_position.remove(&position);
        }
    }

    fn replace(&mut self, name: &[u8], id: InodeId) -> InodeId {
        let entry = self.by_name.get_mut(name).expect("an entry to exchange");
        std::mem::replace(&mut entry.1, id)
    }
}

impl Credentials {
    pub const ROOT: Credentials = Credentials {
        uid: 0,
        gid: 0,
        groups: Vec::new(),
    };

    pub fn is_root(&self) -> bool {
        self.uid == 0
    }

    pub fn is_member(&self, gid: u32) -> bool {
        self.gid == gid || self.groups.contains(&gid)
    }
}
