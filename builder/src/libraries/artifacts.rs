//! Runs cargo, and finds what it has made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

use super::toolchain::no_cargo;
use crate::models::licenses::{self, Embedded};
use fmus::error::{Error, FileContext};

/// A compiled library or program.
pub struct Compiled {
    /// Its content.
    pub bytes: Vec<u8>,
    /// The licence terms of foreign packages whose code it contains.
    pub terms: String,
}

/// What cargo has made for a target.
pub struct Artifacts<'a> {
    target: &'a str,
    /// Shared libraries and programs, by package.
    files: BTreeMap<String, PathBuf>,
    embedded: BTreeSet<Embedded>,
}

impl Artifacts<'_> {
    /// Runs a build; `None` if it fails, after cargo's messages have been printed.
    ///
    /// # Errors
    /// If cargo cannot be run.
    pub fn of<'a>(cargo: &mut Command, target: &'a str) -> Result<Option<Artifacts<'a>>, Error> {
        let mut child = cargo
            .arg("--message-format=json-render-diagnostics")
            .env_remove("RUSTFLAGS")
            // It would change the code.
            .env_remove("CARGO_INCREMENTAL")
            .env("CARGO_TERM_COLOR", if io::stderr().is_terminal() { "always" } else { "never" })
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(no_cargo)?;
        let printed =
            child.stderr.take().map(|stderr| thread::spawn(move || read_messages(stderr)));
        let (files, embedded) = Default::default();
        let mut artifacts = Artifacts { target, files, embedded };
        let messages = child.stdout.take().map(BufReader::new);
        for line in messages.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
            if let Ok(message) = serde_json::from_str::<Value>(&line) {
                artifacts.take(&message);
            }
        }
        let status = child.wait().map_err(no_cargo)?;
        let printed = printed.and_then(|printed| printed.join().ok()).unwrap_or_default();
        if !status.success() {
            // A closed standard error is not a failure.
            let _ = io::stderr().write_all(printed.as_bytes());
            return Ok(None);
        }
        Ok(Some(artifacts))
    }

    /// The library or program of a package, with its file.
    ///
    /// # Errors
    /// If there is none, or a file cannot be read.
    pub fn made(&self, package: &str) -> Result<(&Path, Compiled), Error> {
        let path = self.files.get(package);
        let path = path.ok_or_else(|| Error::Build(format!("cargo made no {package}")))?;
        let bytes = fs::read(path).attempt("read", path)?;
        let embedded: Vec<Embedded> = self.embedded.iter().cloned().collect();
        let terms = licenses::embedded(&embedded)? + licenses::of_c_library(self.target);
        Ok((path, Compiled { bytes, terms }))
    }

    /// Adds the artifact in a message of cargo, if it is for the target.
    fn take(&mut self, message: &Value) -> Option<()> {
        let id = message["package_id"].as_str()?;
        let manifest = Path::new(message["manifest_path"].as_str()?);
        let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
        let files: Vec<PathBuf> = files.map(PathBuf::from).collect();
        let for_target = |file: &&PathBuf| {
            file.components().any(|c| c.as_os_str() == std::ffi::OsStr::new(self.target))
        };
        files.iter().find(for_target)?;
        // Packages with paths belong to this workspace; published ones are `source#name@version`.
        let (source, name) = id.split_once('#')?;
        let folder = manifest.parent()?.to_owned();
        if !source.starts_with("path+") {
            self.embedded.insert(Embedded { name: name.replace('@', " "), folder });
            return Some(());
        }
        let is_shared = |file: &&PathBuf| {
            matches!(file.extension().and_then(|e| e.to_str()), Some("so" | "dll" | "dylib"))
        };
        let program = message["executable"].as_str().map(PathBuf::from);
        let file = program.or_else(|| files.iter().find(is_shared).cloned())?;
        // `path+file:///folder#name@version`, or `#version` if the folder has the same name.
        let name = name.split_once('@').map_or_else(
            || folder.file_name().map(|n| n.to_string_lossy().into_owned()),
            |(name, _)| Some(name.to_owned()),
        );
        self.files.insert(name?, file);
        Some(())
    }
}

/// Copies the messages of cargo to a terminal; returns those that were not copied.
fn read_messages(stderr: impl Read) -> String {
    let live = io::stderr().is_terminal();
    let mut rest = String::new();
    for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        if live {
            let _ = writeln!(io::stderr(), "{line}");
        } else {
            rest.push_str(&line);
            rest.push('\n');
        }
    }
    rest
}
