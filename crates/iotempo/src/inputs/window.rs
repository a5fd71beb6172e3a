//! A part of a file, read in place.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A stretch of a file that looks like a file of its own. Windows on one file do not disturb each
/// other: none uses the file's own position.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    file: Arc<File>,
    offset: u64,
    len: u64,
    position: u64,
}

impl Window {
    pub(super) fn new(file: Arc<File>, offset: u64, len: u64) -> Self {
        Self {
            file,
            offset,
            len,
            position: 0,
        }
    }
}

impl Read for Window {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.len.saturating_sub(self.position);
        let wanted = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = read_at(
            &self.file,
            &mut buffer[..wanted],
            self.offset + self.position,
        )?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Window {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        // Beyond the largest offset of a file there is nothing to read, and sums would overflow.
        let target = target.filter(|target| *target <= i64::MAX as u64 - self.offset);
        self.position = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_window_is_a_file_of_its_own() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"0123456789").expect("room");
        let file = Arc::new(file);
        let mut window = Window::new(file.clone(), 3, 4);
        let mut other = Window::new(file, 8, 100);
        let mut text = String::new();
        window.read_to_string(&mut text).expect("readable");
        other.read_to_string(&mut text).expect("readable");
        assert_eq!(text, "345689");
        assert_eq!(window.seek(SeekFrom::End(-1)).expect("inside"), 3);
        window.read_to_string(&mut text).expect("readable");
        assert_eq!(text, "3456896");
        assert!(window.seek(SeekFrom::Current(-9)).is_err());
        assert!(window.seek(SeekFrom::Start(u64::MAX)).is_err());
        window.seek(SeekFrom::Start(50)).expect("beyond the end");
        assert_eq!(window.read(&mut [0; 8]).expect("nothing"), 0);
    }
}
