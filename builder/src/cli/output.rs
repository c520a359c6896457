//! Output of lines and progress, and checks of output files.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use fmus::archive::unpack::FIRST_ENTRY;
use fmus::error::of_system;
use fmus::wording::{is_hidden, printable};

/// The exit code; a failure is reported in one line on the standard error.
pub fn status(result: Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    // If the standard error is closed, the exit code must suffice.
    remark(&error.to_string());
    ExitCode::FAILURE
}

/// Prints a remark on the standard error, if it is open.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "fmu: {}", one_line(text));
}

/// Prints a line of a file on the standard error, with its blanks.
pub fn quotation(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// A text on one line without hidden characters.
pub fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    printable(&line)
}

/// Prints a line, without hidden characters. If the reader has closed the pipe, the work goes on
/// without output.
pub fn print_line(line: &str) -> Result<()> {
    match writeln!(io::stdout(), "{}", printable(line)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow!("cannot write to the standard output: {}", of_system(&error)))
        }
        _ => Ok(()),
    }
}

/// The number of warnings of an FMU that are printed at most.
const MAX_WARNINGS: usize = 20;

/// Prints the warnings of an FMU.
pub fn print_warnings(warnings: &[String]) -> Result<()> {
    for warning in warnings.iter().take(MAX_WARNINGS) {
        print_line(&one_line(&format!("warning: {warning}")))?;
    }
    match warnings.len().saturating_sub(MAX_WARNINGS) {
        0 => Ok(()),
        _ => print_line("warning: the FMU logs more warnings"),
    }
}

/// Prints JSON, in which hidden characters are escaped.
pub fn print_json(value: &serde_json::Value) -> Result<()> {
    let mut text = String::new();
    for c in serde_json::to_string_pretty(value)?.chars() {
        match c {
            // Pretty JSON has line breaks between its values.
            c if is_hidden(c) && c != '\n' => text += &format!("\\u{:04x}", u32::from(c)),
            c => text.push(c),
        }
    }
    print_line(&text)
}

/// A path as seen from the current folder.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// The name of a file without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Refuses a file that cannot be written to its folder.
pub fn writable(file: &Path) -> Result<()> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let reason = match file {
        _ if file.is_dir() => "it is a folder".to_owned(),
        _ if !folder.is_dir() => format!("there is no folder {}", folder.display()),
        _ if is_archive(file) => "it is an archive, such as an FMU".to_owned(),
        _ => return Ok(()),
    };
    Err(anyhow!("cannot write {}: {reason}", file.display()))
}

/// Whether there is an archive already, perhaps at the end of a symbolic link.
fn is_archive(file: &Path) -> bool {
    let begins_as_one = |path: &Path| {
        let mut beginning = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
        read.is_ok() && beginning == FIRST_ENTRY
    };
    file.is_file() && begins_as_one(file)
}

/// Refuses a file for a table with the extension of another format.
pub fn writable_table(file: &Path) -> Result<()> {
    if !file.extension().is_none_or(|e| e.eq_ignore_ascii_case("csv")) {
        return Err(anyhow!("{}: the name of a table ends in .csv", file.display()));
    }
    writable(file)
}

/// Refuses a file for a plot with the extension of another format.
pub fn writable_plot(file: &Path) -> Result<()> {
    let is = |e: &OsStr| ["svg", "png"].iter().any(|known| e.eq_ignore_ascii_case(known));
    if !file.extension().is_none_or(is) {
        return Err(anyhow!("{}: the name of a plot ends in .svg or .png", file.display()));
    }
    writable(file)
}

/// Refuses a file as the folder for results.
pub fn folder(path: &Path) -> Result<()> {
    match path.exists() && !path.is_dir() {
        true => Err(anyhow!("--out {}: it is a file, not a folder", path.display())),
        false => Ok(()),
    }
}

/// Shows the progress of a task, which reports it from 0 to 1.
pub fn with_progress<T>(
    name: &str,
    work: impl FnOnce(&mut dyn FnMut(f64)) -> Result<T, crate::Error>,
) -> Result<T> {
    let bar = ProgressBar::new(1000).with_message(one_line(name));
    bar.set_style(ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {eta}")?);
    let mut shown_part = 0;
    let done = work(&mut |part| {
        let part = (part * 1000.0) as u64;
        if part > shown_part {
            shown_part = part;
            bar.set_position(part);
        }
    });
    bar.finish_and_clear();
    Ok(done?)
}

/// Does work; prints a notice on the standard error if the work has not ended after some time.
pub fn with_notice<T>(after: Duration, notice: String, work: impl FnOnce() -> T) -> T {
    noticed(after, work, move || drop(writeln!(io::stderr(), "{notice}")))
}

/// Does work; calls a function, in another thread, if the work has not ended after some time.
fn noticed<T>(
    after: Duration,
    work: impl FnOnce() -> T,
    notice: impl FnOnce() + Send + 'static,
) -> T {
    let (_end, ended) = mpsc::channel::<()>();
    thread::spawn(move || {
        if ended.recv_timeout(after) == Err(RecvTimeoutError::Timeout) {
            notice();
        }
    });
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_over_an_archive() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.fmu"), b"PK\x03\x04...").unwrap();
        std::fs::write(at("old.csv"), "time").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.fmu", at("link.csv")).unwrap();
        #[cfg(not(unix))]
        std::fs::copy(at("a.fmu"), at("link.csv")).unwrap();
        let refused = writable_table(&at("link.csv")).unwrap_err().to_string();
        assert!(refused.ends_with("link.csv: it is an archive, such as an FMU"), "{refused}");
        assert!(writable_table(&at("old.csv")).is_ok() && writable_table(&at("new.csv")).is_ok());
    }

    #[test]
    fn work_is_announced_only_if_it_does_not_end_in_time() {
        let patience = Duration::from_secs(60);
        let (heard, hear) = mpsc::channel();
        let hear = noticed(Duration::from_millis(1), || hear.recv_timeout(patience), {
            let heard = heard.clone();
            move || heard.send("slow").unwrap()
        });
        assert_eq!(hear, Ok("slow"));
        // The thread drops the sender without a message as soon as the work ends.
        let (heard, hear) = mpsc::channel();
        noticed(patience, || (), move || heard.send("quick").unwrap());
        assert_eq!(hear.recv_timeout(patience), Err(RecvTimeoutError::Disconnected));
    }
}
