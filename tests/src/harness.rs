//! The C harness: it is compiled with the official headers, and loads each library in a process of
//! its own.

use std::cell::{Cell, RefCell};
use std::fmt::{Debug, Write as _};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

pub use fmu_builder::fmi::Status;
pub use fmu_runtime::calls::FmuType;

use crate::{Fmu, Instance};

/// The answer of the harness to one call.
#[derive(Clone, Debug)]
pub struct Answer {
    words: Vec<String>,
}

impl Answer {
    /// The status of the call.
    pub fn status(&self) -> Status {
        match self.words[0].as_str() {
            "0" => Status::Ok,
            "1" => Status::Warning,
            "2" => Status::Discard,
            "3" => Status::Error,
            "4" => Status::Fatal,
            "5" => Status::Pending,
            other => panic!("the harness answered {other:?}"),
        }
    }

    /// The words after the status and `skip` more words, as Reals.
    pub fn reals(&self, skip: usize) -> Vec<f64> {
        let real = |word: &String| {
            f64::from_bits(u64::from_str_radix(word, 16).expect("the bits of a Real"))
        };
        self.words[1 + skip..].iter().map(real).collect()
    }

    /// One word after the status, as an Integer.
    pub fn integer(&self, index: usize) -> i64 {
        self.words[1 + index].parse().expect("an Integer")
    }

    /// The words after the status.
    pub fn words(&self) -> &[String] {
        &self.words[1..]
    }
}

/// A message that the FMU logged.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The number of the instance whose environment came with it; -1 if it is that of no instance.
    pub instance: i64,
    /// Its status.
    pub status: i64,
    /// Whether the instance name that came with it is that of the instance.
    pub name_is_right: bool,
    /// Its category.
    pub category: String,
    /// The message with its arguments inserted.
    pub text: String,
}

/// A process of the harness with a loaded library.
pub struct Harness {
    child: Child,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
    instances: Cell<usize>,
}

impl Drop for Harness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Harness {
    /// Starts a process and loads an FMU's library.
    pub fn new(fmu: &Fmu) -> Harness {
        Harness::load(fmu.library())
    }

    /// Starts a process and loads a library, which must have all 44 functions.
    pub fn load(library: &Path) -> Harness {
        Harness::start(Command::new(program()), library)
    }

    /// Starts a process within another program, which receives the harness as its last argument.
    pub fn below(mut program_around: Command, library: &Path) -> Harness {
        program_around.arg(program());
        Harness::start(program_around, library)
    }

    fn start(mut command: Command, library: &Path) -> Harness {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the harness starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let pipes = RefCell::new((input, output));
        let harness = Harness { child, pipes, instances: Cell::new(0) };
        let answer = harness.call(&format!("load {}", library.display()));
        assert_eq!(answer.words, ["0"], "{} has all functions of FMI 2.0", library.display());
        harness
    }

    fn line(&self, pipes: &mut (ChildStdin, BufReader<ChildStdout>), what: &str) -> String {
        let mut line = String::new();
        pipes.1.read_line(&mut line).expect("the harness answers");
        assert!(!line.is_empty(), "the FMU's process died during `{what}`");
        line.truncate(line.trim_end_matches('\n').len());
        line
    }

    /// Makes one call.
    pub fn call(&self, command: &str) -> Answer {
        let mut pipes = self.pipes.borrow_mut();
        writeln!(pipes.0, "{command}")
            .unwrap_or_else(|_| panic!("the FMU's process died before `{command}`"));
        let line = self.line(&mut pipes, command);
        Answer { words: line.split(' ').map(str::to_owned).collect() }
    }

    /// Takes the messages that were logged since the last call.
    pub fn log(&self) -> Vec<Message> {
        let mut pipes = self.pipes.borrow_mut();
        writeln!(pipes.0, "log").expect("the harness listens");
        let count: usize = self.line(&mut pipes, "log").parse().expect("a number");
        let messages = (0..count)
            .map(|_| {
                let line = self.line(&mut pipes, "log");
                let mut words = line.splitn(5, ' ');
                let mut word = || words.next().expect("a complete message").to_owned();
                Message {
                    instance: word().parse().expect("a number"),
                    status: word().parse().expect("a status"),
                    name_is_right: word() == "1",
                    category: word(),
                    text: word(),
                }
            })
            .collect();
        // The list ends with an empty line, like every answer.
        self.line(&mut pipes, "log\n");
        messages
    }

    /// Takes the number of allocations by the library, and of calls of the two memory callbacks.
    pub fn taken(&self) -> (i64, i64) {
        let answer = self.call("taken");
        (answer.integer(0), answer.integer(1))
    }

    /// The number of bytes that were printed to the standard output.
    pub fn printed(&self) -> i64 {
        self.call("printed").integer(0)
    }

    /// An instance of the FMU, or `None` if it refuses; strings of `None` are NULL.
    pub fn try_instantiate<'a>(
        &'a self,
        fmu: &'a Fmu,
        with: &Instantiation,
    ) -> Option<Instance<'a>> {
        let number = self.instances.get();
        self.instances.set(number + 1);
        let answer = self.call(&format!(
            "instantiate {number} {} {} {} {} {} {} {}",
            with.fmu_type,
            quote(with.name),
            quote(with.guid),
            quote(with.uri),
            with.callbacks as i32,
            i32::from(with.visible),
            i32::from(with.logging),
        ));
        (answer.status() == Status::Ok).then(|| Instance::new(self, fmu, number))
    }

    /// An instance with the arguments of a usual importer.
    pub fn instantiate<'a>(&'a self, fmu: &'a Fmu, fmu_type: FmuType) -> Instance<'a> {
        let with = Instantiation { fmu_type: fmu_type as i32, ..Instantiation::of(fmu) };
        let instance = self.try_instantiate(fmu, &with);
        instance.unwrap_or_else(|| panic!("{} refuses to start: {:?}", fmu.name(), self.log()))
    }

    /// Simulates an instance in each of several threads at once, and counts those whose results
    /// differ from a single one.
    pub fn threads_that_differ(&self, fmu: &Fmu, threads: usize, h: f64, steps: usize) -> i64 {
        let references = fmu.reals(fmu.signals());
        let (guid, uri) = (quote(Some(&fmu.description.guid)), quote(Some(fmu.resources())));
        let (h, list) = (bits(h), references_text(&references));
        self.call(&format!("threads {threads} {guid} {uri} {h} {steps} {list}")).integer(0)
    }
}

/// The callbacks that an instance receives.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Callbacks {
    None,
    WithoutLogger,
    All,
}

/// The arguments of fmi2Instantiate.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Instantiation<'a> {
    pub fmu_type: i32,
    pub name: Option<&'a str>,
    pub guid: Option<&'a str>,
    pub uri: Option<&'a str>,
    pub callbacks: Callbacks,
    pub visible: bool,
    pub logging: bool,
}

impl<'a> Instantiation<'a> {
    /// Valid arguments for Co-Simulation.
    pub fn of(fmu: &'a Fmu) -> Instantiation<'a> {
        Instantiation {
            fmu_type: FmuType::CoSimulation as i32,
            name: Some("instance"),
            guid: Some(&fmu.description.guid),
            uri: Some(fmu.resources()),
            callbacks: Callbacks::All,
            visible: false,
            logging: false,
        }
    }
}

/// The bits of a Real, as the harness reads them.
pub fn bits(value: f64) -> String {
    format!("{:016x}", value.to_bits())
}

/// The bits of several Reals.
pub fn bits_of(values: &[f64]) -> String {
    values.iter().map(|v| bits(*v)).collect::<Vec<_>>().join(" ")
}

/// The number of value references, then these.
pub fn references_text(references: &[u32]) -> String {
    let mut text = references.len().to_string();
    references.iter().for_each(|r| {
        let _ = write!(text, " {r}");
    });
    text
}

/// A string as the harness reads it.
pub fn quote(text: Option<&str>) -> String {
    match text {
        None => "-".to_owned(),
        Some(text) => {
            let encode = |b: u8| match b {
                b'%' | b' ' | b'\n' => format!("%{b:02x}"),
                _ => char::from(b).to_string(),
            };
            format!("={}", text.bytes().map(encode).collect::<String>())
        }
    }
}

/// The folder with the official headers, which come with FMPy.
pub fn headers() -> PathBuf {
    let packages = crate::python::packages().join("fmpy/c-code");
    assert!(packages.is_dir(), "{} is missing: {}", packages.display(), crate::ADVICE);
    packages
}

/// The compiled harness; it is compiled again if its source is newer.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = crate::target().join("harness");
        let folder = crate::root().join("tests/c");
        let sources: Vec<PathBuf> = fs::read_dir(folder)
            .expect("the harness' source")
            .flatten()
            .map(|e| e.path())
            .collect();
        let modified = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
        if sources.iter().any(|source| modified(source) > modified(&program)) {
            compile(&sources, &program);
        }
        program
    })
}

/// Compiles to a temporary file and renames it, because other tests may do the same at the same
/// time.
fn compile(sources: &[PathBuf], program: &Path) {
    let scratch = program.with_extension(std::process::id().to_string());
    let status = Command::new("cc")
        .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-rdynamic", "-I"])
        .arg(headers())
        .args(sources.iter().filter(|path| path.extension().is_some_and(|e| e == "c")))
        .args(["-ldl", "-lpthread", "-lm", "-o"])
        .arg(&scratch)
        .status()
        .expect("a C compiler `cc` is needed");
    assert!(status.success(), "the harness compiles");
    fs::rename(&scratch, program).expect("the harness is put in place");
}
