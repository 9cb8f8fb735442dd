//! The only disk writes of the house: locked, atomic, synced.
//!
//! A file is written to a temporary one in the same folder, synced, renamed over the old
//! one, and the folder is synced. So at any moment there is the old file or the new one,
//! whole. A key never passes through a temporary file: it is created once, with mode 0600,
//! and never overwritten. A journal, which may hold a fleet that is still sealed, is written
//! like any file, but each part of it with mode 0600 and in a private folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::Path;

use crate::document::LARGEST_FILE;
use crate::fault::{Checked, Code, Fault};

#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

fn io(code: Code, what: &str, path: &Path, error: &std::io::Error) -> Fault {
    Fault::new(code, format!("{} cannot be {what}: {}", path.display(), reason(error)))
}

/// The reason of a failure in words for people, without the number of the system's error.
#[must_use]
pub fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        ErrorKind::PermissionDenied => "you may not".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        ErrorKind::QuotaExceeded => "your disk quota is used up".to_owned(),
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only".to_owned(),
        ErrorKind::FileTooLarge => "it would be larger than the system allows".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::NotADirectory => "a file stands where a folder is needed".to_owned(),
        _ => error.to_string(),
    }
}

/// Reads a whole file of at most 8 MiB.
///
/// # Errors
/// `not-there`, `cannot-read`, `too-large`.
pub fn read(path: &Path) -> Checked<Vec<u8>> {
    let file = File::open(path).map_err(|error| {
        let code =
            if error.kind() == std::io::ErrorKind::NotFound { Code::NotThere } else { Code::CannotRead };
        io(code, "read", path, &error)
    })?;
    read_limited(file, &path.display().to_string())
}

/// Reads a stream to its end, of at most 8 MiB.
///
/// # Errors
/// `cannot-read`, `too-large`.
pub fn read_limited(stream: impl std::io::Read, name: &str) -> Checked<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = LARGEST_FILE as u64 + 1;
    stream
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| io(Code::CannotRead, "read", Path::new(name), &error))?;
    if bytes.len() > LARGEST_FILE {
        return Err(Fault::new(
            Code::TooLarge,
            format!("{name} is larger than 8 MiB; no document of a game is"),
        )
        .help("check that this is the file you mean"));
    }
    Ok(bytes)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn sync_folder(folder: &Path) -> std::io::Result<()> {
    // Only Unix can sync a folder; elsewhere the rename has to do.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// `cannot-write`: then the old file is untouched.
pub fn write(path: &Path, bytes: &[u8]) -> Checked<()> {
    write_as(path, bytes, false)
}

/// As [`write()`], but readable by its owner only, whatever stood there before: for a journal,
/// which may hold a fleet that is still sealed.
///
/// # Errors
/// `cannot-write`: the old file is untouched then.
pub fn write_private(path: &Path, bytes: &[u8]) -> Checked<()> {
    write_as(path, bytes, true)
}

fn write_as(path: &Path, bytes: &[u8], private: bool) -> Checked<()> {
    let write = || -> std::io::Result<()> {
        let folder = folder_of(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sealed-").suffix(".part");
        #[cfg(unix)]
        {
            let usual = if private { 0o600 } else { 0o666 };
            let kept = fs::metadata(path).map(|old| old.permissions()).ok().filter(|_| !private);
            builder.permissions(kept.unwrap_or_else(|| fs::Permissions::from_mode(usual)));
        }
        let mut part = builder.tempfile_in(folder)?;
        part.write_all(bytes)?;
        part.as_file().sync_all()?;
        part.persist(path).map_err(|error| error.error)?;
        sync_folder(folder)
    };
    write().map_err(|error| {
        io(Code::CannotWrite, "written", path, &error)
            .help("what stood there before is untouched; make room or mend the permissions, and try again")
    })
}

/// Creates a file that must not exist yet; with `private`, readable by its owner only.
///
/// # Errors
/// `exists`, `cannot-write`.
pub fn create(path: &Path, bytes: &[u8], private: bool) -> Checked<()> {
    let create = || -> std::io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        options.mode(if private { 0o600 } else { 0o666 });
        let mut file = options.open(path)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        if written.is_err() {
            // Half a file would stand in the way of the next try.
            let _ = fs::remove_file(path);
        }
        written.and_then(|()| sync_folder(folder_of(path)))
    };
    create().map_err(|error| {
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            Fault::new(Code::Exists, format!("{} exists already and is not overwritten", path.display()))
                .help("name another file, or move that one away")
        } else {
            io(Code::CannotWrite, "written", path, &error)
        }
    })
}

/// Makes a folder with all that lead to it; with `private`, for its owner only.
///
/// # Errors
/// `cannot-write`.
pub fn make_folder(path: &Path, private: bool) -> Checked<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if private {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path).map_err(|error| io(Code::CannotWrite, "made", path, &error))
}

/// Whether a folder can be filled without touching anything: it is not there, or empty.
///
/// # Errors
/// `cannot-read`.
pub fn is_free(path: &Path) -> Checked<bool> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Ok(!path.exists()),
        Err(error) => Err(io(Code::CannotRead, "read", path, &error)),
    }
}

/// Checks that nobody but its owner can read a file.
///
/// # Errors
/// `open-key-file`, with the command that mends it; `not-there`.
pub fn check_private(path: &Path) -> Checked<()> {
    #[cfg(unix)]
    {
        let metadata = fs::metadata(path).map_err(|error| io(Code::NotThere, "read", path, &error))?;
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(Fault::new(
                Code::OpenKeyFile,
                format!("the key file {} can be read or changed by others (mode {mode:03o})", path.display()),
            )
            .help(format!("type: chmod 600 {}", path.display())));
        }
    }
    Ok(())
}

/// Removes a file if it is there.
///
/// # Errors
/// `cannot-write`.
pub fn remove(path: &Path) -> Checked<()> {
    match fs::remove_file(path) {
        Ok(()) => {
            sync_folder(folder_of(path)).map_err(|error| io(Code::CannotWrite, "changed", path, &error))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(io(Code::CannotWrite, "removed", path, &error)),
    }
}

/// The right to change a file; given back when dropped.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "held for its lock")] File);

impl Lock {
    /// Takes the right to change `path`, by locking a file beside it.
    ///
    /// # Errors
    /// `locked` when another program has it; `cannot-write`.
    pub fn take(path: &Path) -> Checked<Self> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let lock_path = folder_of(path).join(format!(".{name}.lock"));
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path).map_err(
            |error| {
                io(Code::CannotWrite, "locked", path, &error)
                    .help("its folder must be one that you can write in")
            },
        )?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(Fault::new(
                Code::Locked,
                format!("another program is changing {} just now", path.display()),
            )
            .help("wait until it is done, and try again")),
            Err(TryLockError::Error(error)) => Err(io(Code::CannotWrite, "locked", path, &error)),
        }
    }
}
