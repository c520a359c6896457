//! A session: an instance of the FMU in a process of its own, which simulates as far as it is
//! asked.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::models::{ModelCode, Package};
use fmus::child_process::{self, Family, LIBRARY};
use fmus::error::{Error, FileContext};
use fmus::fmi::FmuType;
use fmus::fmu::{Fmu, Implementation};
use simulation::run::{self, Advance, Chunk, Options, Overrides};

/// The hidden subcommand of `fmu` that runs a session.
pub const SUBCOMMAND: &str = "run-session";

/// The beginning of the lines with answers; other lines are what the library prints.
const ANSWER: &str = "\u{1}answer ";

/// Maximum length of an answer in bytes; a [`Chunk`] is shorter.
const LONGEST_ANSWER: u64 = 64 << 20;

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
            path: fmu.path.to_string_lossy().into_owned().into(),
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
/// process ends with its input, even while the FMU computes; processes that the FMU has started end
/// too.
///
/// # Errors
/// If the first line is not the one that is expected.
pub fn run_session(package: &Package) -> Result<(), Error> {
    let (lines, asked) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            drop(lines.send(line));
        }
        child_process::end_family(0);
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
    // The server ends this process; until then, every answer is the failure.
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
    processes: Arc<Mutex<Family>>,
    wire: Mutex<Wire>,
}

/// The two ends of the connection with the process.
struct Wire {
    to: ChildStdin,
    from: Receiver<String>,
    /// The thread that reads; its result is what the process has done wrong.
    reader: Option<JoinHandle<Option<String>>>,
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
        let session = Session::of(command.arg(SUBCOMMAND), launch.code.subject());
        let session = session.attempt("start a process for", &launch.path)?;
        let first = session.ask(launch);
        Ok((session, first))
    }

    /// The session of a process that a command starts.
    fn of(command: &mut Command, subject: String) -> io::Result<Session> {
        let mut processes = Family::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let first = processes.first();
        let (to, out) =
            first.stdin.take().zip(first.stdout.take()).ok_or(io::ErrorKind::BrokenPipe)?;
        let processes = Arc::new(Mutex::new(processes));
        // The process answers requests, of which there is one at a time.
        let (answers, from) = mpsc::sync_channel(1);
        let ended = Arc::clone(&processes);
        let reader = thread::spawn(move || {
            let fault = read_answers(&mut BufReader::new(out), &answers);
            if fault.is_some() {
                locked(&ended).end();
            }
            fault
        });
        let wire = Mutex::new(Wire { to, from, reader: Some(reader), last: None });
        Ok(Session { subject, processes, wire })
    }

    /// Advances the simulation; the answer is a [`Chunk`] in JSON.
    pub fn advance(&self, asked: &Advance) -> String {
        self.ask(asked)
    }

    fn ask(&self, request: &impl Serialize) -> String {
        let mut wire = locked(&self.wire);
        if let Some(last) = &wire.last {
            return last.clone();
        }
        let line = serde_json::to_string(request).unwrap_or_default();
        // A process that has ended reads nothing; the missing answer shows it.
        drop(writeln!(wire.to, "{line}"));
        let what = match wire.from.recv_timeout(PATIENCE) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Timeout) => {
                self.end();
                format!("gave no answer for {} s and was ended", PATIENCE.as_secs())
            }
            Err(RecvTimeoutError::Disconnected) => {
                let fault = wire.reader.take().and_then(|reader| reader.join().ok().flatten());
                fault.unwrap_or_else(|| self.how_it_ended())
            }
        };
        let failure = Some(format!("{} {what}", self.subject));
        let answer = serde_json::to_string(&Chunk { failure, ..Chunk::default() });
        let answer = answer.unwrap_or_default();
        wire.last = Some(answer.clone());
        answer
    }

    /// Ends the process, even if the FMU computes, and those that the FMU has started.
    pub fn end(&self) {
        locked(&self.processes).end();
    }

    /// How the process ended if it did so itself; otherwise it is ended. A process that has closed
    /// its pipe is about to end.
    fn how_it_ended(&self) -> String {
        let mut processes = locked(&self.processes);
        let is_over = (0..100).any(|_| {
            let ended = processes.has_ended();
            if !ended {
                thread::sleep(Duration::from_millis(1));
            }
            ended
        });
        match processes.end().filter(|_| is_over) {
            Some(status) => format!("ended its process: {status}"),
            None => "closed its standard output".to_owned(),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a mutex guards; a panic elsewhere leaves it as it is.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes answers on until there are no more, or the process does what no session does: the result
/// says what. What the library prints is not stored.
fn read_answers(out: &mut impl BufRead, answers: &SyncSender<String>) -> Option<String> {
    loop {
        let mut line = Vec::new();
        let begin = out.by_ref().take(ANSWER.len() as u64).read_until(b'\n', &mut line);
        begin.ok().filter(|length| *length > 0)?;
        if line == ANSWER.as_bytes() {
            line.clear();
            let length = out.by_ref().take(LONGEST_ANSWER).read_until(b'\n', &mut line).ok()?;
            if line.pop() != Some(b'\n') {
                let mb = LONGEST_ANSWER >> 20;
                let is_too_long = length as u64 == LONGEST_ANSWER;
                return is_too_long
                    .then(|| format!("gave an answer of over {mb} MB and was ended"));
            }
            let answer = String::from_utf8_lossy(&line).into_owned();
            if let Err(TrySendError::Full(_)) = answers.try_send(answer) {
                return Some("gave answers that nobody asked for and was ended".to_owned());
            }
        } else if line.last() != Some(&b'\n') {
            out.skip_until(b'\n').ok()?;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    /// What a session with the output of a shell script answers.
    fn answer(script: &str) -> (Session, String) {
        let mut command = Command::new("sh");
        let session = Session::of(command.args(["-c", script]), LIBRARY.to_owned());
        let session = session.expect("a shell");
        let answer = session.ask(&Advance::default());
        (session, answer)
    }

    fn fails(script: &str, expected: &str) {
        let (session, mut last) = answer(script);
        let sentence = format!("{LIBRARY} {expected}");
        // Answers may come before the fault is seen.
        let begin = Instant::now();
        while !last.contains(&sentence) && begin.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
            last = session.ask(&Advance::default());
        }
        assert!(last.contains(&sentence), "{script}: {last}");
        assert!(locked(&session.processes).has_ended(), "{script}");
    }

    #[test]
    fn what_a_library_prints_is_not_stored_and_not_answered() {
        let noise = "head -c 300000000 /dev/zero";
        let (_session, first) = answer(&format!("{noise}; printf '\n\\001answer 1\n'; sleep 60"));
        assert_eq!(first, "1");
        let (_session, first) = answer("printf 'noise\n\n\\001answer 2\n'; sleep 60");
        assert_eq!(first, "2");
    }

    #[test]
    fn a_session_whose_answers_have_no_end_is_ended() {
        fails("printf '\\001answer '; cat /dev/zero", "gave an answer of over 64 MB and was ended");
        fails(
            "while true; do printf '\\001answer {}\n'; done",
            "gave answers that nobody asked for and was ended",
        );
        fails("exit 3", "ended its process: exit status: 3");
        fails("exec >&-; sleep 60", "closed its standard output");
    }

    // Only Linux says in a file whether a process is there.
    #[cfg(target_os = "linux")]
    #[test]
    fn processes_that_an_fmu_has_started_end_with_its_session() {
        let is_there = |number: &str| {
            let state = std::fs::read_to_string(format!("/proc/{number}/stat"));
            state.is_ok_and(|text| !text.contains(") Z "))
        };
        let ends = |number: &str| {
            (0..500).any(|_| {
                thread::sleep(Duration::from_millis(10));
                !is_there(number)
            })
        };
        for end in ["wait", "exit 4"] {
            let started = "sleep 600 >/dev/null & printf '\\001answer '$!'\n'";
            let (session, number) = answer(&format!("{started}; {end}"));
            assert!(is_there(&number), "{number}");
            drop(session);
            assert!(ends(&number), "{end}");
        }
    }
}
