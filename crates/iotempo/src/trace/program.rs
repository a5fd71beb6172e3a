//! Which programs a preloaded library can look into.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why nothing of a program can be seen.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Blind {
    Static,
    Setuid,
    OtherLibc(String),
    OtherMachine,
}

impl Blind {
    pub(super) fn message(&self) -> String {
        match self {
            Self::Static => "is linked statically, so no library can be preloaded".to_owned(),
            Self::Setuid => {
                "runs as another user (setuid or setgid), so the system preloads no library"
                    .to_owned()
            }
            Self::OtherLibc(loader) => format!("is started by {loader}, and not by that of glibc"),
            Self::OtherMachine => "is made for another kind of processor".to_owned(),
        }
    }

    /// Whether a preloaded library would keep it from running.
    pub(super) fn breaks(&self) -> bool {
        matches!(self, Self::OtherLibc(_) | Self::OtherMachine)
    }
}

/// How many scripts may be run by scripts.
const SCRIPTS: usize = 4;
/// The longest header of a program that is looked at.
const HEAD: u64 = 4096;
const ELF: &[u8; 4] = b"\x7fELF";
const PT_INTERP: u32 = 3;

/// The file that a shell would run; `None` where there is none.
pub(super) fn find(name: &OsStr) -> Option<PathBuf> {
    let path = Path::new(name);
    if path.components().count() > 1 || name.to_string_lossy().contains('/') {
        return path.is_file().then(|| path.to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(path));
    files.find(|file| is_executable(file))
}

fn is_executable(path: &Path) -> bool {
    let about = path.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Whether it is a program and no script.
pub(super) fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *ELF
}

/// Why the program in `path`, or the one that runs the script in it, cannot be looked into.
pub(super) fn blind(path: &Path) -> Option<Blind> {
    let mut path = path.to_owned();
    for _ in 0..SCRIPTS {
        let mut head = Vec::new();
        let mut file = File::open(&path).ok()?;
        (&mut file).take(HEAD).read_to_end(&mut head).ok()?;
        match interpreter(&head) {
            Some(next) => path = next,
            None => {
                return setuid(&path).or_else(|| elf(&head, &mut file).ok().flatten());
            }
        }
    }
    None
}

/// The program of a script; `env` looks for it among all commands.
fn interpreter(head: &[u8]) -> Option<PathBuf> {
    let line = head.strip_prefix(b"#!")?;
    let line = line.split(|&byte| byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line).into_owned();
    let mut words = line.split_whitespace();
    let program = Path::new(words.next()?);
    if program.file_name() != Some(OsStr::new("env")) {
        return Some(program.to_owned());
    }
    let named = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    find(&OsString::from(named))
}

fn setuid(path: &Path) -> Option<Blind> {
    let about = path.metadata().ok()?;
    let other_user =
        about.mode() & 0o4000 != 0 && about.uid() != rustix::process::geteuid().as_raw();
    let other_group =
        about.mode() & 0o2000 != 0 && about.gid() != rustix::process::getegid().as_raw();
    (other_user || other_group).then_some(Blind::Setuid)
}

fn elf(head: &[u8], file: &mut File) -> io::Result<Option<Blind>> {
    if !head.starts_with(ELF) || head.len() < 64 {
        return Ok(None);
    }
    let is_64_bit = head[4] == 2;
    let machine = number(head, 18, 2);
    let ours = match std::env::consts::ARCH {
        "x86_64" => 62,
        "aarch64" => 183,
        _ => machine,
    };
    if !is_64_bit || machine != ours {
        return Ok(Some(Blind::OtherMachine));
    }
    let loader = loader(head, file)?;
    Ok(match loader {
        None => Some(Blind::Static),
        Some(loader) if loader.contains("musl") => Some(Blind::OtherLibc(loader)),
        Some(_) => None,
    })
}

/// The dynamic loader that a program asks for.
fn loader(head: &[u8], file: &mut File) -> io::Result<Option<String>> {
    let (table, size, count) = (
        number(head, 32, 8),
        number(head, 54, 2),
        number(head, 56, 2),
    );
    for entry in 0..count {
        let mut bytes = [0; 40];
        file.seek(SeekFrom::Start(table.saturating_add(entry * size)))?;
        file.read_exact(&mut bytes)?;
        if number(&bytes, 0, 4) == u64::from(PT_INTERP) {
            file.seek(SeekFrom::Start(number(&bytes, 8, 8)))?;
            let mut name = Vec::new();
            let length = number(&bytes, 32, 8).min(HEAD);
            file.take(length).read_to_end(&mut name)?;
            let name = String::from_utf8_lossy(&name);
            return Ok(Some(name.trim_end_matches('\0').to_owned()));
        }
    }
    Ok(None)
}

fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let bytes = bytes.get(at..at + len).unwrap_or_default();
    bytes
        .iter()
        .rev()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least program: one entry in its table, which asks for a loader or not.
    fn program(loader: Option<&str>) -> Vec<u8> {
        let mut bytes = vec![0; 120];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        bytes[18] = if cfg!(target_arch = "x86_64") {
            62
        } else {
            183
        };
        (bytes[32], bytes[54], bytes[56]) = (64, 56, 1);
        if let Some(loader) = loader {
            (bytes[64], bytes[72], bytes[96]) = (3, 120, loader.len() as u8);
            bytes.extend_from_slice(loader.as_bytes());
        }
        bytes
    }

    fn judged(bytes: &[u8]) -> Option<Blind> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("written");
        blind(file.path())
    }

    #[test]
    fn only_programs_with_the_loader_of_glibc_can_be_looked_into() {
        let musl = "/lib/ld-musl-x86_64.so.1";
        assert_eq!(
            judged(&program(Some("/lib64/ld-linux-x86-64.so.2\0"))),
            None
        );
        assert_eq!(judged(&program(None)), Some(Blind::Static));
        assert_eq!(
            judged(&program(Some(musl))),
            Some(Blind::OtherLibc(musl.to_owned()))
        );
        let mut other = program(None);
        other[18] = 8;
        assert_eq!(judged(&other), Some(Blind::OtherMachine));
    }

    #[test]
    fn a_script_is_what_runs_it() {
        assert_eq!(
            interpreter(b"#!/bin/sh -e\n"),
            Some(PathBuf::from("/bin/sh"))
        );
        assert_eq!(
            interpreter(b"#!/usr/bin/env -S sh\n"),
            find(OsStr::new("sh"))
        );
        assert_eq!(interpreter(b"echo\n"), None);
    }
}
