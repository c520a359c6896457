//! A session: an instance of the FMU in a process of its own, which simulates as far as it is
//! asked.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::child_process::{self, LIBRARY};
use crate::error::{Error, FileContext};
use crate::fmi::FmuType;
use crate::fmu::{Fmu, Implementation};
use crate::models::{ModelCode, Package};
use crate::run::{self, Advance, Chunk, Options, Overrides};

/// The hidden subcommand of `fmu` that runs a session.
pub const SUBCOMMAND: &str = "run-session";

/// The beginning of the lines with answers; other lines are what the library prints.
const ANSWER: &str = "\u{1}answer ";

/// An FMU that gives no answer for this time is ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// Everything that a session needs in order to start.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Launch {
    /// The file of the FMU, for messages.
    pub path: PathBuf,
    /// The folder with its unpacked files.
    pub folder: PathBuf,
    /// Its code.
    pub code: Code,
    /// Whether it is simulated as Model Exchange or Co-Simulation; by default as `fmu run` does.
    pub model_exchange: Option<bool>,
    /// Start time, communication step and stop time in s, and the tolerance, where they are not
    /// those of the FMU.
    pub times: [Option<f64>; 4],
    /// Start values, `name=value`.
    pub set: Vec<String>,
    /// The variables to record.
    pub variables: Vec<String>,
}

/// The place of the code of an FMU.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub enum Code {
    /// Its library.
    Library,
    /// Its tape, which this program plays.
    Tape,
    /// The hand-written system of the model with this name, which this program contains.
    System(String),
}

impl Code {
    /// The code of an FMU that was made from a model with a name.
    pub fn of(fmu: &Fmu, model: &str) -> Code {
        match fmu.implementation() {
            Implementation::Library => Code::Library,
            Implementation::Tape => Code::Tape,
            Implementation::Here(_) => Code::System(model.to_owned()),
        }
    }

    /// Its name in messages.
    fn subject(&self) -> String {
        match self {
            Code::Library => LIBRARY.to_owned(),
            Code::Tape => "the player of the FMU's tape".to_owned(),
            Code::System(name) => format!("the system {name}"),
        }
    }

    /// The code in this process.
    fn found(&self, package: &Package) -> Result<Implementation, Error> {
        Ok(match self {
            Code::Library => Implementation::Library,
            Code::Tape => Implementation::Tape,
            Code::System(name) => match package.trace(package.model(name)?)?.code {
                ModelCode::HandWritten(system) => Implementation::Here(system.model),
                ModelCode::Program(_) => Implementation::Tape,
            },
        })
    }
}

impl Launch {
    /// A session with these options.
    pub fn new(fmu: &Fmu, code: Code, options: &Options<'_>, variables: Vec<String>) -> Launch {
        let Overrides { start, stop, step, tolerance } = options.overrides;
        Launch {
            path: fmu.path.clone(),
            folder: fmu.folder().to_owned(),
            code,
            model_exchange: options.fmu_type.map(|t| t == FmuType::ModelExchange),
            times: [start, step, stop, tolerance],
            set: options.set.to_vec(),
            variables,
        }
    }

    /// Simulates in this process; see [`run::live`].
    fn run(
        self,
        package: &Package,
        next: &mut dyn FnMut(Chunk) -> Option<Advance>,
    ) -> Result<(), Error> {
        let [start, step, stop, tolerance] = self.times;
        let fmu = Fmu::unpacked(self.path, self.folder, self.code.found(package)?)?;
        let fmu_type = self.model_exchange.map(|is_me| match is_me {
            true => FmuType::ModelExchange,
            false => FmuType::CoSimulation,
        });
        let options = Options {
            fmu_type,
            overrides: Overrides { start, stop, step, tolerance },
            set: &self.set,
            variables: Some(&self.variables),
            ..Options::default()
        };
        run::live(&fmu, &options, next)
    }
}

/// Runs a session in this process. The first line of the standard input is a [`Launch`], every
/// other one an [`Advance`]; the answers, in the standard output, are values of [`Chunk`]. The
/// process ends with its input, even while the FMU computes.
///
/// # Errors
/// If the first line is not the one that is expected.
pub fn run_session(package: &Package) -> Result<(), Error> {
    let (lines, asked) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            drop(lines.send(line));
        }
        std::process::exit(0);
    });
    let unexpected = || Error::Request("this command is for the program itself".to_owned());
    let first = asked.recv().map_err(|_| unexpected())?;
    let launch: Launch = serde_json::from_str(&first).map_err(|_| unexpected())?;
    let mut failed = Chunk::default();
    let mut next = |chunk: Chunk| {
        answer(&chunk);
        if chunk.failure.is_some() {
            failed.failure = chunk.failure;
            return None;
        }
        serde_json::from_str(&asked.recv().ok()?).ok()
    };
    if let Err(error) = launch.run(package, &mut next) {
        failed.failure = Some(error.to_string());
        answer(&failed);
    }
    // The process is ended by the one that has started it; until then it tells its failure.
    while asked.recv().is_ok() {
        answer(&failed);
    }
    Ok(())
}

/// Writes an answer; the line before it ends whatever the library has printed.
fn answer(chunk: &Chunk) {
    let text = serde_json::to_string(chunk).unwrap_or_default();
    let mut out = io::stdout().lock();
    // Nobody reads the answers of a session that is being ended.
    drop(out.write_all(format!("\n{ANSWER}{text}\n").as_bytes()).and_then(|()| out.flush()));
}

/// A session as the server sees it. Its process ends when this value is dropped.
pub struct Session {
    /// The name of its code in messages.
    subject: String,
    child: Mutex<Child>,
    wire: Mutex<Wire>,
}

/// The two ends of the connection with the process.
struct Wire {
    to: ChildStdin,
    from: Receiver<String>,
    /// The last answer, if the process has ended.
    last: Option<String>,
}

impl Session {
    /// Starts a process, and waits for the first row; the answer is a [`Chunk`] in JSON.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn start(launch: &Launch) -> Result<(Session, String), Error> {
        let mut command = child_process::assistant()?;
        let mut child = command
            .arg(SUBCOMMAND)
            .stdout(Stdio::piped())
            .spawn()
            .attempt("start a process for", &launch.path)?;
        let no_pipe = || Error::Request("a process without pipes cannot be used".to_owned());
        let to = child.stdin.take().ok_or_else(no_pipe)?;
        let out = child.stdout.take().ok_or_else(no_pipe)?;
        let (answers, from) = mpsc::channel();
        thread::spawn(move || {
            let mut out = BufReader::new(out);
            let mut line = Vec::new();
            // What the library prints need not be UTF-8.
            while matches!(out.read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line);
                if let Some(answer) = text.trim_end().strip_prefix(ANSWER) {
                    drop(answers.send(answer.to_owned()));
                }
                line.clear();
            }
        });
        let session = Session {
            subject: launch.code.subject(),
            child: Mutex::new(child),
            wire: Mutex::new(Wire { to, from, last: None }),
        };
        let first = session.ask(launch);
        Ok((session, first))
    }

    /// Advances the simulation; the answer is a [`Chunk`] in JSON.
    pub fn advance(&self, asked: &Advance) -> String {
        self.ask(asked)
    }

    fn ask(&self, request: &impl Serialize) -> String {
        let mut wire = self.wire.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &wire.last {
            return last.clone();
        }
        let line = serde_json::to_string(request).unwrap_or_default();
        // A process that has ended reads nothing; the missing answer shows it.
        drop(writeln!(wire.to, "{line}"));
        let subject = &self.subject;
        let failure = match wire.from.recv_timeout(PATIENCE) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Timeout) => {
                self.end();
                format!("{subject} gave no answer for {} s and was ended", PATIENCE.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => match self.how_it_ended() {
                Some(how) => format!("{subject} ended its process: {how}"),
                None => format!("{subject} closed its standard output"),
            },
        };
        let chunk = Chunk { failure: Some(failure), ..Chunk::default() };
        let answer = serde_json::to_string(&chunk).unwrap_or_default();
        wire.last = Some(answer.clone());
        answer
    }

    /// Ends the process, even if the FMU computes.
    pub fn end(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        drop(child.kill());
        drop(child.wait());
    }

    /// How the process ended if it did so itself; otherwise it is ended. A process that has closed
    /// its pipe is about to end.
    fn how_it_ended(&self) -> Option<String> {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        let own = (0..100).find_map(|_| {
            let ended = child.try_wait().ok().flatten();
            if ended.is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            ended
        });
        drop(child.kill());
        drop(child.wait());
        own.map(|status| status.to_string())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}
