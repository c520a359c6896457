//! Builds FMUs: runs cargo for a model, then packs its library and its description.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, str, thread};

use equations::description::Description;
use serde_json::Value;

use crate::archive::{self, Entry};
use crate::check::{self, Severity};
use crate::error::{Attempt, Error};
use crate::licenses::Embedded;
use crate::workspace::{Package, Workspace, cargo};
use crate::{docs, licenses, xml};

/// Where an FMU is built for and to.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The compiler's target; the machine's own unless given.
    pub target: Option<String>,
    /// The folder to write to; `target/fmu` of the workspace unless given.
    pub out: Option<PathBuf>,
}

/// Builds the FMUs of the models that are named by package, by FMI name or by folder.
///
/// # Errors
/// A model does not exist, does not compile, or breaks the rules of FMI.
pub fn models(names: &[String], options: &Options) -> Result<Vec<PathBuf>, Error> {
    names.iter().map(|name| model(name, options)).collect()
}

/// Builds the FMU of one model; see [`models`].
///
/// # Errors
/// See [`models`].
pub fn model(name: &str, options: &Options) -> Result<PathBuf, Error> {
    let folder = Path::new(name);
    let is_path = folder.components().count() > 1 || folder.has_root() || name.starts_with('.');
    if is_path {
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            return Err(Error::Request(format!("{name} is not a model: it has no Cargo.toml")));
        }
        let workspace = Workspace::locate(Some(&manifest))?;
        return package(workspace.model_in(folder)?, &workspace, options);
    }
    let workspace = Workspace::locate(None)?;
    package(workspace.model(name)?, &workspace, options)
}

/// Builds the FMUs of all models of the workspace.
///
/// # Errors
/// See [`models`]; or there are no models.
pub fn all(options: &Options) -> Result<Vec<PathBuf>, Error> {
    let workspace = Workspace::locate(None)?;
    let models = workspace.models();
    if models.is_empty() {
        return Err(Error::Request("this workspace has no models yet".to_owned()));
    }
    models.into_iter().map(|model| package(model, &workspace, options)).collect()
}

/// Builds the FMU of a package.
fn package(model: &Package, workspace: &Workspace, options: &Options) -> Result<PathBuf, Error> {
    let toolchain = Toolchain::find()?;
    let target = options.target.as_deref().unwrap_or(&toolchain.host);
    let built = compile(model, workspace, target, &toolchain)?;
    let description = read_description(model, &built.out_dir)?;
    let library = fs::read(&built.library).attempt("read", &built.library)?;
    let origin = model.origin();
    let description_text = xml::model_description(&description, &origin)?;

    let folder = options.out.clone().unwrap_or_else(|| workspace.fmu_folder());
    let path = folder.join(format!("{}.fmu", description.name));
    let resources = model.folder().join("resources");
    let mut findings = check::description(description_text.as_bytes());
    findings.extend(check::library(&library, target, check::Interfaces::Both));
    findings.extend(check::build_paths(&library, &build_folders(workspace, &toolchain)));
    findings.retain(|f| f.severity == Severity::Error || f.rule == "D010");
    if findings.is_empty() && target == toolchain.host {
        let (name, guid) = (&description.name, &description.guid);
        findings.extend(check::instantiates(&built.library, name, guid, &resources));
    }
    if !findings.is_empty() {
        return Err(Error::Rejected { path, findings });
    }

    let (platform, extension) = archive::platform(target);
    let mut entries = vec![
        Entry::new("modelDescription.xml", description_text),
        Entry::new(format!("binaries/{platform}/{}.{extension}", description.name), library),
        Entry::new("documentation/index.html", docs::page(&description, &origin)),
        Entry::new("model.png", include_bytes!("icon.png")),
        licenses::entry(model, &workspace.root, &built.embedded)?,
    ];
    for folder in [resources, built.out_dir.join("resources")] {
        if folder.is_dir() {
            add_folder(&folder, "resources", &mut entries)?;
        }
    }
    archive::write(&path, entries)?;
    Ok(path)
}

fn read_description(model: &Package, out_dir: &Path) -> Result<Description, Error> {
    let file = out_dir.join("description.json");
    let text = fs::read_to_string(&file).map_err(|_| {
        let name = &model.name;
        Error::Build(format!("{name} is not a model: its build script wrote no description.json"))
    })?;
    let description: Description = serde_json::from_str(&text).map_err(|e| Error::Content {
        path: file,
        reason: format!("it is not as expected: {e}"),
    })?;
    if description.name != model.model_name() {
        return Err(Error::Build(format!(
            "{}: the description is of {}, the package's name makes it {}",
            model.name,
            description.name,
            model.model_name()
        )));
    }
    Ok(description)
}

/// Adds the files of a folder and of the folders in it, except hidden ones.
fn add_folder(folder: &Path, prefix: &str, entries: &mut Vec<Entry>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).attempt("read", folder)? {
        let path = entry.attempt("read", folder)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let inside = format!("{prefix}/{name}");
        if path.is_dir() {
            add_folder(&path, &inside, entries)?;
        } else {
            entries.push(Entry::new(inside, fs::read(&path).attempt("read", &path)?));
        }
    }
    Ok(())
}

/// What the compiler says about itself.
struct Toolchain {
    /// The target that is this machine.
    host: String,
    sysroot: PathBuf,
}

impl Toolchain {
    fn find() -> Result<Toolchain, Error> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let ask = |arguments: &[&str]| {
            let output = Command::new(&rustc).args(arguments).output();
            output
                .ok()
                .filter(|o| o.status.success())
                .and_then(|o| String::from_utf8(o.stdout).ok())
                .ok_or_else(|| Error::Build("cannot run rustc; is Rust installed?".to_owned()))
        };
        let version = ask(&["-vV"])?;
        let host = version.lines().find_map(|l| l.strip_prefix("host: "));
        Ok(Toolchain {
            host: host.unwrap_or_default().to_owned(),
            sysroot: PathBuf::from(ask(&["--print", "sysroot"])?.trim()),
        })
    }
}

/// Folders of this machine that must not be named in a library, the more special ones later.
fn build_folders(workspace: &Workspace, toolchain: &Toolchain) -> Vec<(PathBuf, &'static str)> {
    let home = env::home_dir().unwrap_or_default();
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    vec![
        (toolchain.sysroot.clone(), "/rust"),
        (cargo_home, "/cargo"),
        (workspace.root.clone(), "/coupler"),
        (workspace.target.clone(), "/target"),
    ]
}

/// The compiler's flags: the user's own, then the renaming of this machine's folders, so that the
/// same sources give the same bytes wherever they are.
fn rust_flags(workspace: &Workspace, toolchain: &Toolchain) -> String {
    let own = match (env::var("CARGO_ENCODED_RUSTFLAGS"), env::var("RUSTFLAGS")) {
        (Ok(encoded), _) => encoded.split('\x1f').map(str::to_owned).collect(),
        (_, Ok(plain)) => plain.split_whitespace().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let renamed = build_folders(workspace, toolchain)
        .into_iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    let flags: Vec<String> = own.into_iter().filter(|f| !f.is_empty()).chain(renamed).collect();
    flags.join("\x1f")
}

/// What cargo made.
struct Built {
    library: PathBuf,
    out_dir: PathBuf,
    embedded: Vec<Embedded>,
}

fn compile(
    model: &Package,
    workspace: &Workspace,
    target: &str,
    toolchain: &Toolchain,
) -> Result<Built, Error> {
    let mut child = cargo()
        .args(["build", "--release", "--lib", "--message-format=json-render-diagnostics"])
        .args(["--package", &model.id, "--target", target])
        .arg("--manifest-path")
        .arg(&model.manifest_path)
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags(workspace, toolchain))
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("CARGO_TERM_COLOR", if io::stderr().is_terminal() { "always" } else { "never" })
        .spawn()
        .map_err(|e| Error::Build(format!("cannot run cargo: {e}")))?;
    let said = child.stderr.take().map(|stderr| {
        let name = model.name.clone();
        thread::spawn(move || follow(stderr, &name))
    });
    let (mut library, mut out_dir) = (None, None);
    let mut embedded = BTreeSet::new();
    let messages = child.stdout.take().map(BufReader::new);
    for line in messages.into_iter().flat_map(BufRead::lines) {
        let Ok(line) = line else { break };
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        embedded.extend(embedded_package(&message, target));
        if message["package_id"].as_str() != Some(&model.id) {
            continue;
        }
        match message["reason"].as_str() {
            Some("compiler-artifact") => library = library_of(&message).or(library),
            Some("build-script-executed") => {
                out_dir = message["out_dir"].as_str().map(PathBuf::from);
            }
            _ => {}
        }
    }
    let status = child.wait().map_err(|e| Error::Build(format!("cannot wait for cargo: {e}")))?;
    let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
    let name = &model.name;
    if !status.success()
        && let Some(sentence) = script_sentence(&said, name)
    {
        return Err(Error::Build(sentence));
    }
    // Where the standard error is closed, nobody misses it.
    let _ = io::stderr().write_all(said.as_bytes());
    if !status.success() {
        return Err(Error::Build(format!("{name} does not build, see above")));
    }
    Ok(Built {
        library: library.ok_or_else(|| {
            Error::Build(format!("{name} is not a model: its library is not a cdylib"))
        })?,
        out_dir: out_dir
            .ok_or_else(|| Error::Build(format!("{name} is not a model: no build script")))?,
        embedded: embedded.into_iter().collect(),
    })
}

/// Whether a line of cargo begins the report on the failed build script of a package.
fn is_script_failure(line: &str, name: &str) -> bool {
    line.contains(&format!("failed to run custom build command for `{name} "))
}

/// Shows a terminal what cargo says, up to a failure of the package's build script; returns the
/// rest. What is not a terminal sees nothing yet: a mistake in a model is to be one sentence there.
fn follow(stderr: impl Read, name: &str) -> String {
    let mut live = io::stderr().is_terminal();
    let mut rest = String::new();
    for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        live &= !is_script_failure(&line, name);
        if live {
            let _ = writeln!(io::stderr(), "{line}");
        } else {
            rest.push_str(&line);
            rest.push('\n');
        }
    }
    rest
}

/// The sentence with which a package's build script refused the model, out of what cargo said.
fn script_sentence(said: &str, name: &str) -> Option<String> {
    let report = said.lines().skip_while(|line| !is_script_failure(line, name));
    let text: Vec<&str> = report
        .skip_while(|line| line.trim() != "--- stderr")
        .skip(1)
        .map(str::trim)
        .take_while(|line| !line.contains("build failed, waiting for other jobs"))
        .filter(|line| !line.is_empty())
        .collect();
    let text = text.join(" ");
    // A panic is no sentence about the model: cargo's report shows where it was.
    if text.is_empty() || text.contains("panicked at") {
        return None;
    }
    let sentence = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
    Some(format!("{name}: {}", sentence.unwrap_or(&text)))
}

/// The published package of which an artifact for the target was made.
fn embedded_package(message: &Value, target: &str) -> Option<Embedded> {
    // Path packages are of this workspace; `source#name@version` is what was published.
    let (source, name) = message["package_id"].as_str()?.split_once('#')?;
    let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
    let for_target =
        files.map(Path::new).any(|file| file.components().any(|c| c.as_os_str() == target));
    if source.starts_with("path+") || !for_target {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    Some(Embedded { name: name.replace('@', " "), folder })
}

/// The shared library among the files of an artifact.
fn library_of(message: &Value) -> Option<PathBuf> {
    let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
    files
        .map(PathBuf::from)
        .find(|f| matches!(f.extension().and_then(|e| e.to_str()), Some("so" | "dll" | "dylib")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What cargo says about a failed build script of `swing`.
    fn report(stderr: &str) -> String {
        format!(
            "   Compiling swing v0.1.0 (/w/models/swing)\n\
             error: failed to run custom build command for `swing v0.1.0 (/w/models/swing)`\n\n\
             Caused by:\n  process didn't exit successfully: `build-script-build` (exit status: 1)\n\
             \x20 --- stdout\n  cargo::rerun-if-changed=build.rs\n\n  --- stderr\n  {stderr}\n\
             warning: build failed, waiting for other jobs to finish...\n"
        )
    }

    #[test]
    fn mistake_in_a_model_is_the_sentence_of_its_own_build_script() {
        let said = report("swing: unit `x` of phi is not known");
        let sentence = "swing: unit `x` of phi is not known";
        assert_eq!(script_sentence(&said, "swing").as_deref(), Some(sentence));
        assert_eq!(script_sentence(&report("no file"), "swing").as_deref(), Some("swing: no file"));
        assert_eq!(script_sentence(&said, "swing2"), None);
        assert_eq!(script_sentence(&said, "win"), None);
        assert_eq!(
            script_sentence(&report("thread 'main' panicked at build.rs:1:1:"), "swing"),
            None
        );
        assert_eq!(script_sentence("error: could not compile `swing`", "swing"), None);
    }
}
