//! `read(2)`, `write(2)` and their positioned, vectored and descriptor-to-descriptor variants.

use super::bytes::{Bytes, BytesView};
use super::errno::Errno;
use super::file_system::{Device, InodeId, Node, PipeEnd};
use super::open_files::{O_APPEND, OpenFile};
use super::signals::Signal;
use super::user_memory::{UserMemory, read_data, write_data, write_plain};
use super::{Interrupt, Kernel, Outcome, OutputPiece};

/// One call never moves more than this.
const MAXIMUM_TRANSFER: u64 = 0x7fff_f000;

/// What a pipe inside the process holds before a writer would block.
pub(super) const PIPE_CAPACITY: usize = 65536;

const MAXIMUM_VECTORS: u64 = 1024;

/// Part of guest memory, as an `iovec` gives it.
#[derive(Clone, Copy)]
struct Span {
    address: u64,
    length: u64,
}

impl Kernel {
    pub(super) fn read(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        address: u64,
        length: u64,
    ) -> Outcome {
        let file = self.readable_file(descriptor)?;
        self.read_at_current(memory, descriptor, file, Span { address, length })
    }

    pub(super) fn write(
        &mut self,
        memory: &dyn UserMemory,
        descriptor: i32,
        address: u64,
        length: u64,
    ) -> Outcome {
        let file = self.writable_file(descriptor)?;
        self.write_at_current(memory, descriptor, file, Span { address, length })
    }

    pub(super) fn pread(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        address: u64,
        length: u64,
        offset: u64,
    ) -> Outcome {
        let file = self.positioned(descriptor, offset, OpenFile::readable)?;
        self.read_from(memory, file, offset, Span { address, length })
    }

    pub(super) fn pwrite(
        &mut self,
        memory: &dyn UserMemory,
        descriptor: i32,
        address: u64,
        length: u64,
        offset: u64,
    ) -> Outcome {
        let file = self.positioned(descriptor, offset, OpenFile::writable)?;
        let data = read_data(memory, address, length.min(MAXIMUM_TRANSFER) as usize)?;
        let (count, _) = self.store(file, offset, data)?;
        Ok(count as i64)
    }

    pub(super) fn readv(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        vectors: u64,
        count: u64,
    ) -> Outcome {
        let file = self.readable_file(descriptor)?;
        let spans = self.read_vectors(memory, vectors, count)?;
        self.each_span(&spans, |kernel, span| {
            let file = OpenFile {
                offset: kernel.file(descriptor)?.offset,
                ..file
            };
            kernel.read_at_current(memory, descriptor, file, span)
        })
    }

    pub(super) fn writev(
        &mut self,
        memory: &dyn UserMemory,
        descriptor: i32,
        vectors: u64,
        count: u64,
    ) -> Outcome {
        let file = self.writable_file(descriptor)?;
        let spans = self.read_vectors(memory, vectors, count)?;
        self.each_span(&spans, |kernel, span| {
            let file = OpenFile {
                offset: kernel.file(descriptor)?.offset,
                ..file
            };
            kernel.write_at_current(memory, descriptor, file, span)
        })
    }

    pub(super) fn preadv(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        vectors: u64,
        count: u64,
        offset: u64,
    ) -> Outcome {
        let file = self.positioned(descriptor, offset, OpenFile::readable)?;
        let spans = self.read_vectors(memory, vectors, count)?;
        let mut position = offset;
        self.each_span(&spans, |kernel, span| {
            let count = kernel.read_from(memory, file, position, span)?;
            position += count as u64;
            Ok(count)
        })
    }

    pub(super) fn pwritev(
        &mut self,
        memory: &dyn UserMemory,
        descriptor: i32,
        vectors: u64,
        count: u64,
        offset: u64,
    ) -> Outcome {
        let file = self.positioned(descriptor, offset, OpenFile::writable)?;
        let spans = self.read_vectors(memory, vectors, count)?;
        let mut position = offset;
        self.each_span(&spans, |kernel, span| {
            let data = read_data(memory, span.address, span.length as usize)?;
            let (count, _) = kernel.store(file, position, data)?;
            position += count as u64;
            Ok(count as i64)
        })
    }

    /// `preadv2`/`pwritev2` with an offset of -1 mean the current one.
    pub(super) fn is_current_offset(low: u64) -> bool {
        low == u64::MAX
    }

    fn positioned(
        &self,
        descriptor: i32,
        offset: u64,
        allowed: fn(&OpenFile) -> bool,
    ) -> Result<OpenFile, Errno> {
        if (offset as i64) < 0 {
            return Err(Errno::EINVAL);
        }
        let file = self.file(descriptor)?;
        if matches!(self.inode(file.inode).node, Node::Pipe(_)) {
            return Err(Errno::ESPIPE);
        }
        if allowed(&file) {
            Ok(file)
        } else {
            Err(Errno::EBADF)
        }
    }

    fn read_vectors(
        &mut self,
        memory: &dyn UserMemory,
        address: u64,
        count: u64,
    ) -> Outcome<Vec<Span>> {
        if count > MAXIMUM_VECTORS {
            return Err(Errno::EINVAL.into());
        }
        let mut spans = Vec::new();
        let mut total = 0;
        for index in 0..count {
            let (address, length) = self.read_pair(memory, address.wrapping_add(16 * index))?;
            if (length as i64) < 0 {
                return Err(Errno::EINVAL.into());
            }
            let length = length.min(MAXIMUM_TRANSFER - total);
            total += length;
            spans.push(Span { address, length });
        }
        Ok(spans)
    }

    /// Moves span after span until one is short; an error after the first bytes is not reported.
    fn each_span(
        &mut self,
        spans: &[Span],
        mut transfer: impl FnMut(&mut Kernel, Span) -> Outcome,
    ) -> Outcome {
        let mut total = 0;
        for &span in spans.iter().filter(|span| span.length > 0) {
            match transfer(self, span) {
                Ok(count) => {
                    total += count;
                    if (count as u64) < span.length {
                        break;
                    }
                }
                Err(Interrupt::Error(_)) if total > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(total)
    }

    fn read_at_current(
        &mut self,
        memory: &mut dyn UserMemory,
        descriptor: i32,
        file: OpenFile,
        span: Span,
    ) -> Outcome {
        let count = self.read_from(memory, file, file.offset, span)?;
        if matches!(self.inode(file.inode).node, Node::File(_)) {
            self.file_mut(descriptor)?.offset += count as u64;
        }
        Ok(count)
    }

    fn read_from(
        &mut self,
        memory: &mut dyn UserMemory,
        file: OpenFile,
        offset: u64,
        span: Span,
    ) -> Outcome {
        let length = span.length.min(MAXIMUM_TRANSFER) as usize;
        match &self.inode(file.inode).node {
            Node::File(content) => {
                let data = content.slice(offset, length);
                write_data(memory, span.address, data)?;
                Ok(data.bytes.len() as i64)
            }
            Node::Directory(_) => Err(Errno::EISDIR.into()),
            Node::Symlink(_) => Err(Errno::EINVAL.into()),
            Node::Device(Device::Null) => Ok(0),
            Node::Device(Device::Terminal) => Err(Errno::EIO.into()),
            Node::Device(Device::Zero | Device::Full) => {
                write_plain(memory, span.address, &vec![0; length])?;
                Ok(length as i64)
            }
            Node::Device(Device::Random) => {
                let bytes = self.random.bytes(length);
                write_plain(memory, span.address, &bytes)?;
                Ok(length as i64)
            }
            Node::Pipe(_) => {
                let data = self.take_from_pipe(file, length)?;
                write_data(memory, span.address, data.view())?;
                Ok(data.len() as i64)
            }
        }
    }

    /// Reads and consumes; an empty pipe is the end if nobody can write to it any more.
    fn take_from_pipe(&mut self, file: OpenFile, length: usize) -> Outcome<Bytes> {
        let (_, has_writer) = self.pipe_users(file.inode);
        let Node::Pipe(pipe) = &mut self.files.inode_mut(file.inode).node else {
            unreachable!("only called for pipes");
        };
        let data = pipe.content.slice(pipe.consumed as u64, length).to_bytes();
        pipe.consumed += data.len();
        if pipe.end == PipeEnd::Inside && pipe.consumed == pipe.content.len() {
            pipe.content = Bytes::default();
            pipe.consumed = 0;
        }
        if !data.is_empty() || length == 0 || !has_writer {
            return Ok(data);
        }
        if file.non_blocking() {
            return Err(Errno::EAGAIN.into());
        }
        self.unsupported("waits for ever: the pipe is empty and only this process could fill it")
    }

    fn write_at_current(
        &mut self,
        memory: &dyn UserMemory,
        descriptor: i32,
        file: OpenFile,
        span: Span,
    ) -> Outcome {
        let data = read_data(
            memory,
            span.address,
            span.length.min(MAXIMUM_TRANSFER) as usize,
        )?;
        let (count, end) = self.store(file, file.offset, data)?;
        if matches!(self.inode(file.inode).node, Node::File(_)) && count > 0 {
            self.file_mut(descriptor)?.offset = end;
        }
        Ok(count as i64)
    }

    /// Writes to whatever is open; returns how much, and the position after it.
    fn store(&mut self, file: OpenFile, offset: u64, data: BytesView<'_>) -> Outcome<(usize, u64)> {
        let length = data.bytes.len();
        match &self.inode(file.inode).node {
            Node::File(content) => {
                let offset = if file.flags & O_APPEND != 0 {
                    content.len() as u64
                } else {
                    offset
                };
                self.store_in_file(file.inode, offset, data)?;
                Ok((length, offset + length as u64))
            }
            Node::Directory(_) => Err(Errno::EISDIR.into()),
            Node::Symlink(_) => Err(Errno::EINVAL.into()),
            Node::Device(Device::Full) if length > 0 => Err(Errno::ENOSPC.into()),
            Node::Device(Device::Terminal) => Err(Errno::EIO.into()),
            Node::Device(_) => Ok((length, 0)),
            Node::Pipe(_) => Ok((self.put_into_pipe(file, data)?, 0)),
        }
    }

    fn store_in_file(&mut self, inode: InodeId, offset: u64, data: BytesView<'_>) -> Outcome<()> {
        if data.bytes.is_empty() {
            return Ok(());
        }
        let end = offset
            .checked_add(data.bytes.len() as u64)
            .ok_or(Errno::EFBIG)?;
        if end > i64::MAX as u64 {
            return Err(Errno::EFBIG.into());
        }
        self.check_file_size(end)?;
        let now = self.clock.now();
        let ordinary_user = !self.credentials.is_root();
        let inode = self.files.inode_mut(inode);
        if let Node::File(content) = &mut inode.node {
            content.write_at(offset as usize, data);
        }
        inode.modified = now;
        inode.changed = now;
        if ordinary_user {
            inode.drop_privileges();
        }
        Ok(())
    }

    fn put_into_pipe(&mut self, file: OpenFile, data: BytesView<'_>) -> Outcome<usize> {
        if data.bytes.is_empty() {
            return Ok(0);
        }
        let (has_reader, _) = self.pipe_users(file.inode);
        if !has_reader {
            self.raise(Signal::SIGPIPE);
            return Err(Errno::EPIPE.into());
        }
        let Node::Pipe(pipe) = &mut self.files.inode_mut(file.inode).node else {
            unreachable!("only called for pipes");
        };
        if pipe.end == PipeEnd::ReadOutside {
            let total = pipe.content.len() + data.bytes.len();
            pipe.content.append(data);
            self.note_output(file.inode, data.bytes.len());
            self.check_file_size(total as u64)?;
            return Ok(data.bytes.len());
        }
        let room = PIPE_CAPACITY - (pipe.content.len() - pipe.consumed).min(PIPE_CAPACITY);
        if data.bytes.len() <= room {
            pipe.content.append(data);
            return Ok(data.bytes.len());
        }
        if !file.non_blocking() {
            return self.unsupported(
                "waits for ever: the pipe is full and only this process could empty it",
            );
        }
        // Up to PIPE_BUF bytes go in one piece or not at all.
        if room == 0 || data.bytes.len() <= 4096 {
            return Err(Errno::EAGAIN.into());
        }
        pipe.content.append(data.prefix(room));
        Ok(room)
    }

    fn note_output(&mut self, inode: InodeId, length: usize) {
        let Some(descriptor) = self.streams.iter().position(|&id| id == Some(inode)) else {
            return;
        };
        match self.notes.output_order.last_mut() {
            Some(piece) if piece.descriptor == descriptor => piece.length += length,
            _ => self
                .notes
                .output_order
                .push(OutputPiece { descriptor, length }),
        }
    }

    pub(super) fn sendfile(
        &mut self,
        memory: &mut dyn UserMemory,
        output: i32,
        input: i32,
        offset: u64,
        count: u64,
    ) -> Outcome {
        let from = self.readable_file(input)?;
        let position = match offset {
            0 => None,
            address => {
                let position = self.read_u64(memory, address)?;
                Some((address, position))
            }
        };
        let from_pipe = matches!(self.inode(from.inode).node, Node::Pipe(_));
        if position.is_some() && from_pipe {
            return Err(Errno::ESPIPE.into());
        }
        if let Some((_, position)) = position
            && (position as i64) < 0
        {
            return Err(Errno::EINVAL.into());
        }
        let to = self.writable_file(output)?;
        let to_pipe = matches!(self.inode(to.inode).node, Node::Pipe(_));
        if !to_pipe && (to.flags & O_APPEND != 0 || from_pipe) {
            return Err(Errno::EINVAL.into());
        }
        if count == 0 {
            return Ok(0);
        }
        let Node::File(content) = &self.inode(from.inode).node else {
            return Err(Errno::EINVAL.into());
        };
        let start = position.map_or(from.offset, |(_, position)| position);
        let data = content
            .slice(start, count.min(MAXIMUM_TRANSFER) as usize)
            .to_bytes();
        let (moved, end) = self.store(to, to.offset, data.view())?;
        if matches!(self.inode(to.inode).node, Node::File(_)) {
            self.file_mut(output)?.offset = end;
        }
        let after = start + moved as u64;
        match position {
            Some((address, _)) => write_plain(memory, address, &after.to_le_bytes())?,
            None => self.file_mut(input)?.offset = after,
        }
        Ok(moved as i64)
    }

    pub(super) fn copy_file_range(
        &mut self,
        memory: &mut dyn UserMemory,
        [input, input_offset, output, output_offset, count, flags]: [u64; 6],
    ) -> Outcome {
        let (input, output) = (input as i32, output as i32);
        let (from, to) = (self.file(input)?, self.file(output)?);
        let mut start = from.offset;
        if input_offset != 0 {
            start = self.read_u64(memory, input_offset)?;
        }
        let mut target = to.offset;
        if output_offset != 0 {
            target = self.read_u64(memory, output_offset)?;
        }
        if flags != 0 {
            return Err(Errno::EINVAL.into());
        }
        for inode in [from.inode, to.inode] {
            match self.inode(inode).node {
                Node::File(_) => {}
                Node::Directory(_) => return Err(Errno::EISDIR.into()),
                _ => return Err(Errno::EINVAL.into()),
            }
        }
        if !from.readable() || !to.writable() || to.flags & O_APPEND != 0 {
            return Err(Errno::EBADF.into());
        }
        if start.checked_add(count).is_none() || target.checked_add(count).is_none() {
            return Err(Errno::EOVERFLOW.into());
        }
        if (start as i64) < 0 || (target as i64) < 0 {
            return Err(Errno::EINVAL.into());
        }
        let Node::File(content) = &self.inode(from.inode).node else {
            unreachable!("checked above");
        };
        let data = content
            .slice(start, count.min(MAXIMUM_TRANSFER) as usize)
            .to_bytes();
        let moved = data.len() as u64;
        let overlap = start < target.saturating_add(moved) && target < start.saturating_add(moved);
        if from.inode == to.inode && moved > 0 && overlap {
            return Err(Errno::EINVAL.into());
        }
        self.store_in_file(to.inode, target, data.view())?;
        match input_offset {
            0 => self.file_mut(input)?.offset = start + moved,
            address => write_plain(memory, address, &(start + moved).to_le_bytes())?,
        }
        match output_offset {
            0 => self.file_mut(output)?.offset = target + moved,
            address => write_plain(memory, address, &(target + moved).to_le_bytes())?,
        }
        Ok(moved as i64)
    }
}
