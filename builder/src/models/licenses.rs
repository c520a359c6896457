//! Collects the licences of all code in an FMU's library.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::own_files::folders;
use fmus::archive::Entry;
use fmus::error::{Error, FileContext};

/// A foreign package whose code is in a library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Embedded {
    /// Its name and version.
    pub name: String,
    /// The folder of its sources.
    pub folder: PathBuf,
}

/// The file with the licences of an FMU.
pub const PATH: &str = "documentation/licenses/license.txt";

/// The licence terms of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms(String);

impl Terms {
    /// The terms of a package with a title (name and version) and a licence. The licence texts are
    /// in the folder of the package, or else in the folder of its workspace, if the workspace
    /// states the same licence.
    ///
    /// # Errors
    /// If a licence file exists but cannot be read.
    pub fn of(title: &str, license: &str, folder: &Path) -> Result<Terms, Error> {
        let mut text = format!("{title}\n{}", stated(license));
        if !append_files(&mut text, folder)?
            && !license.is_empty()
            && let Some(root) = folders::workspace(folder)
            && stated_license(&root).as_deref() == Some(license)
        {
            append_files(&mut text, &root)?;
        }
        Ok(Terms(text))
    }

    /// The terms of a model without a stated licence.
    pub fn none(title: &str) -> Terms {
        Terms(format!("{title}\n{}", stated("")))
    }
}

fn stated(license: &str) -> String {
    match license {
        "" => "No license is stated for the model itself.\n".to_owned(),
        license => format!("License: {license}\n"),
    }
}

/// The file documentation/licenses/license.txt: the terms of the model, then those of the packages
/// that its library contains.
pub fn entry(own: &Terms, embedded: &str) -> Entry {
    let text = [
        own.0.as_str(),
        concat!(
            "\nThe library contains code of the following projects.\n",
            "\n== Coupler run time ",
            env!("CARGO_PKG_VERSION"),
            " ==\nLicense: MIT OR Apache-2.0\nCopyright (c) the Coupler developers\n",
        ),
        OF_RUST,
        include_str!("mit.txt"),
        embedded,
    ];
    Entry::new(PATH, text.concat())
}

/// The terms of the standard library, before the text of the licence.
const OF_RUST: &str = concat!(
    "\n== Rust standard library ==\nLicense: MIT OR Apache-2.0\n",
    "Copyright (c) the Rust project contributors, https://www.rust-lang.org\n",
    "\nThe text of the MIT license:\n",
);

/// The licences of a distributed program, which contains packages with these terms.
pub fn of_program<'a>(version: &str, terms: impl IntoIterator<Item = &'a str>) -> String {
    let own = "License: MIT OR Apache-2.0\nCopyright (c) the Coupler developers\n\n\
               The program and the players in it contain code of the following projects.\n";
    let mit = include_str!("mit.txt");
    format!("fmu {version}\n{own}{OF_RUST}{mit}{}", merged(terms))
}

/// The beginning of the terms of a package.
const TITLE: &str = "\n== ";

/// Texts with the terms of packages as one text, with the terms of each package once.
pub fn merged<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut merged = String::new();
    for text in texts {
        let mut parts = text.split(TITLE);
        let before = parts.next().unwrap_or_default();
        merged.push_str(before);
        for part in parts {
            // The last part of a text has no line break that belongs to the next title.
            let section = format!("{TITLE}{}", part.trim_end_matches('\n'));
            if !merged.contains(&section) {
                merged.push_str(&section);
                merged.push('\n');
            }
        }
    }
    merged
}

/// The terms of foreign packages.
///
/// # Errors
/// If a licence file exists but cannot be read.
pub fn embedded(packages: &[Embedded]) -> Result<String, Error> {
    let mut text = String::new();
    for package in packages {
        let _ = write!(text, "\n== {} ==\n", package.name);
        if let Some(license) = stated_license(&package.folder) {
            let _ = writeln!(text, "License: {license}");
        }
        append_files(&mut text, &package.folder)?;
    }
    Ok(text)
}

/// The terms of the start code and the C library that are linked for a target, as far as they must
/// be passed on.
pub fn of_c_library(target: &str) -> &'static str {
    match target.ends_with("-windows-gnu") {
        true => concat!(
            "\n== mingw-w64 run time ==\nLicense: ZPL-2.1\n",
            "Copyright (c) 2009-2016 the mingw-w64 project\n\n",
            include_str!("zpl.txt"),
        ),
        false => "",
    }
}

/// Appends the licence files of a folder, sorted by name; returns whether there are any.
fn append_files(text: &mut String, folder: &Path) -> Result<bool, Error> {
    let is_license = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["license", "licence", "copying", "notice"].iter().any(|start| name.starts_with(start))
    };
    if !folder.is_dir() {
        return Ok(false);
    }
    let mut paths: Vec<_> = fs::read_dir(folder)
        .attempt("read", folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| p.is_file() && p.file_name().and_then(|n| n.to_str()).is_some_and(is_license))
        .collect();
    paths.sort();
    for path in &paths {
        let bytes = fs::read(path).attempt("read", path)?;
        let _ = write!(text, "\n{}\n", String::from_utf8_lossy(&bytes).trim_end());
    }
    Ok(!paths.is_empty())
}

/// The licence that the Cargo.toml of a published package states.
fn stated_license(folder: &Path) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let value = manifest.lines().find_map(|l| l.strip_prefix("license = "))?;
    Some(value.trim().trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_of_a_package_are_stated_once() {
        let (a, b) = ("\n== a 1 ==\nLicense: MIT\n", "\n== b 2 ==\nLicense: MIT\n\nText\n");
        let (first, second) = (format!("{a}{b}"), format!("{b}{a}"));
        assert_eq!(merged([first.as_str(), second.as_str()]), first);
        assert_eq!(merged([a]), a);
    }

    #[test]
    fn what_is_linked_for_windows_has_the_terms_of_its_run_time() {
        assert!(of_c_library("x86_64-pc-windows-gnu").contains("must reproduce the accompanying"));
        assert_eq!(of_c_library("x86_64-unknown-linux-gnu"), "");
        let all = of_program("1.0.0", [of_c_library("x86_64-pc-windows-gnu")]);
        assert!(all.starts_with("fmu 1.0.0\n") && all.contains("\n== mingw-w64 run time ==\n"));
    }

    #[test]
    fn a_model_has_the_terms_that_its_package_states() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("models/pump");
        fs::create_dir_all(&folder).unwrap();
        fs::write(root.path().join("Cargo.toml"), "[workspace.package]\nlicense = \"MIT\"\n")
            .unwrap();
        fs::write(root.path().join("LICENSE"), "terms of the workspace").unwrap();
        let terms = |license| Terms::of("pump 1.0.0", license, &folder).unwrap().0;
        assert!(terms("MIT").contains("terms of the workspace"));
        for license in ["", "LicenseRef-Works"] {
            assert!(!terms(license).contains("terms of the workspace"), "{license}");
        }
        fs::write(folder.join("LICENSE"), "terms of the works").unwrap();
        let own = terms("LicenseRef-Works");
        assert!(own.contains("License: LicenseRef-Works\n\nterms of the works\n"), "{own}");
    }
}
