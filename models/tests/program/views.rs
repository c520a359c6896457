//! `fmu view`: each page has its own simulation, with the values of `fmu run`; other pages and
//! wrong values are refused, and nothing remains when it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fmu_builder::csv::TimeSeries;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fixture::{fmu_in, folder_with, names, succeed};
use crate::habits::one;

/// A running `fmu view`, which ends with this value.
struct View {
    child: Child,
    port: u16,
    token: String,
    /// The names of the variables in its rows.
    signals: Vec<String>,
    /// The folder with its temporary files.
    temporary: TempDir,
}

impl View {
    fn of(folder: &Path, arguments: &[&str]) -> View {
        let temporary = tempfile::tempdir().unwrap();
        let mut command = interruptible(folder, &[&["view"], arguments].concat());
        command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, temporary.path())));
        let mut child = command.process_group(0).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
        let port = address.split('/').next().unwrap().parse().unwrap();
        let (token, signals) = (String::new(), Vec::new());
        let mut view = View { child, port, token, signals, temporary };
        let (status, page) = view.exchange("GET", "/", &[], "");
        assert_eq!(status, 200, "{page}");
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: Value = serde_json::from_str(data).unwrap();
        view.token = data["live"]["token"].as_str().unwrap().to_owned();
        let signals = data["signals"].as_array().unwrap();
        view.signals = signals.iter().map(|s| s["name"].as_str().unwrap().to_owned()).collect();
        view
    }

    /// Sends a request with these headers, besides `Host` unless it is among them; returns the
    /// status and the content of the answer.
    fn exchange(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(100))).unwrap();
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| *name != "Host") {
            text += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, content) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), content.to_owned())
    }

    /// A request of the page.
    fn post(&self, path: &str, mut content: Value) -> (u16, Value) {
        content["token"] = json!(self.token);
        let headers = [("Content-Type", "application/json")];
        let (status, text) = self.exchange("POST", path, &headers, &content.to_string());
        (status, serde_json::from_str(&text).unwrap())
    }

    /// Starts a session; returns its number and its rows.
    fn start(&self, values: Value) -> (Value, Rows) {
        let (status, answer) = self.post("/start", json!({ "values": values }));
        assert_eq!(status, 200, "{answer}");
        (answer["session"].clone(), rows(&answer))
    }

    /// Advances a session; returns its new rows.
    fn advance(&self, session: &Value, until: f64, values: Value) -> Rows {
        let mut all = Rows::new();
        let mut values = values;
        loop {
            let content = json!({ "session": session, "until": until, "values": values });
            let (status, answer) = self.post("/advance", content);
            assert_eq!(status, 200, "{answer}");
            assert_eq!(answer["chunk"]["failure"], Value::Null);
            values = json!({});
            all.extend(rows(&answer));
            if all.last().is_none_or(|(time, _)| *time >= until) {
                return all;
            }
        }
    }

    /// The sentence with which a value is refused in a session, or at the start without one.
    fn refusal(&self, session: Option<&Value>, values: Value) -> String {
        let path = if session.is_some() { "/advance" } else { "/start" };
        let content = json!({ "session": session, "values": values });
        let (status, answer) = self.post(path, content);
        assert_eq!(status, 422, "{answer}");
        answer["error"].as_str().unwrap().to_owned()
    }

    /// The failure of a session that is asked for a time in s.
    fn failure(&self, session: &Value, until: f64) -> String {
        let (status, answer) = self.post("/advance", json!({ "session": session, "until": until }));
        assert_eq!(status, 200, "{answer}");
        answer["chunk"]["failure"].as_str().unwrap().to_owned()
    }

    /// The processes that use its temporary folder.
    fn processes(&self) -> usize {
        let folder = self.temporary.path().to_string_lossy().into_owned();
        let uses = |process: &Path| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(&folder)
        };
        fs::read_dir("/proc").unwrap().flatten().filter(|entry| uses(&entry.path())).count()
    }

    /// Sends SIGINT to its process, or to its group as a terminal does; nothing remains.
    fn interrupt(&mut self, group: bool) {
        let target = format!("{}{}", if group { "-" } else { "" }, self.child.id());
        assert!(Command::new("kill").args(["-INT", "--", &target]).status().unwrap().success());
        let status = self.child.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(2), "{status}");
        let begin = Instant::now();
        while self.processes() > 0 || !names(self.temporary.path()).is_empty() {
            assert!(begin.elapsed().as_secs() < 20, "{:?}", names(self.temporary.path()));
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The program `fmu`, which SIGINT ends even if the tests ignore this signal, as programs in the
/// background of a shell do.
fn interruptible(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_fmu")]);
    command.args(arguments).current_dir(folder);
    command
}

impl Drop for View {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        // The child of this process still deletes its folder.
        let begin = Instant::now();
        while self.processes() > 0 && begin.elapsed().as_secs() < 20 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Rows: a time in s, and the values.
type Rows = Vec<(f64, Vec<f64>)>;

fn rows(answer: &Value) -> Rows {
    // JSON has no numbers that are not finite.
    let number = |v: &Value| if v.is_null() { f64::NAN } else { v.as_f64().unwrap() };
    let numbers =
        |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(number).collect() };
    let rows = answer["chunk"]["rows"].as_array().unwrap().iter().map(numbers);
    numbers(&answer["chunk"]["time"]).into_iter().zip(rows).collect()
}

/// The first rows of `fmu run` with the variables of a view.
fn run(folder: &Path, view: &View, arguments: &[&str], count: usize) -> Rows {
    let variables = view.signals.join(",");
    let output = ["--no-plot", "--output", "run.csv", "--variables", &variables];
    succeed(folder, &[&["run"], arguments, &output].concat());
    let table = TimeSeries::read(&folder.join("run.csv")).unwrap();
    assert!(table.time.len() >= count);
    table.time.into_iter().zip(table.rows).take(count).collect()
}

fn assert_same_bits(live: &Rows, run: &Rows) {
    assert_eq!(live.len(), run.len());
    for ((time, row), (expected_time, expected)) in live.iter().zip(run) {
        assert_eq!(time.to_bits(), expected_time.to_bits());
        for (value, expected) in row.iter().zip(expected) {
            assert_eq!(value.to_bits(), expected.to_bits(), "at {time} s: {row:?}");
        }
    }
}

#[test]
fn a_page_gets_the_values_of_a_run_in_the_pieces_that_it_asks_for() {
    let folder = folder_with(&[]);
    for fmu_type in ["--cs", "--me"] {
        let view = View::of(folder.path(), &["BouncingBall.fmu", fmu_type]);
        let (session, mut live) = view.start(json!({ "e": 0.5 }));
        for until in [0.0003, 0.1, 0.1, 0.77777, 2.5, 3.2] {
            let new = view.advance(&session, until, json!({}));
            // It goes as far as it is asked, to the next communication point, and no further.
            let reached = new.last().or(live.last()).unwrap().0;
            assert!(reached >= until && reached < until + 0.001, "{reached} {until}");
            live.extend(new);
        }
        // The FMU knows no stop time, so that the one of the run is far away.
        let arguments = ["BouncingBall.fmu", fmu_type, "--set", "e=0.5", "--stop", "9", "--step"];
        let run = run(folder.path(), &view, &[&arguments[..], &["0.001"]].concat(), live.len());
        assert!(live.len() > 3000 && run.iter().any(|(_, row)| row != &run[0].1));
        assert_same_bits(&live, &run);
    }
}

#[test]
fn an_input_acts_in_the_session_that_sets_it_only() {
    let folder = folder_with(&[]);
    for fmu_type in ["--cs", "--me"] {
        let view = View::of(folder.path(), &["TorqueSource.fmu", fmu_type, "--set", "w=100"]);
        let speed = view.signals.iter().position(|name| name == "w").unwrap();
        let (changed, _) = view.start(json!({}));
        let (constant, mut still) = view.start(json!({}));
        assert_ne!(changed, constant);
        view.advance(&changed, 0.1, json!({}));
        still.extend(view.advance(&constant, 0.1, json!({})));
        let jump = view.advance(&changed, 0.2, json!({ "w": "150" }));
        still.extend(view.advance(&constant, 0.2, json!({})));
        // The row at the time of the change has the new value.
        assert_eq!((jump[0].0, jump[0].1[speed]), (0.1, 150.0));
        assert!(jump.iter().all(|(_, row)| row[speed] == 150.0));
        let arguments = ["TorqueSource.fmu", fmu_type, "--set", "w=100", "--stop", "9", "--step"];
        let run = run(folder.path(), &view, &[&arguments[..], &["0.001"]].concat(), still.len());
        assert_same_bits(&still, &run);
        assert_ne!(jump.last().unwrap().1, still.last().unwrap().1);
        // A tunable parameter acts from there on: at once in the static part of the model.
        let tuned = view.advance(&changed, 0.3, json!({ "tau_max": 0 }));
        let torque = view.signals.iter().position(|name| name == "tau").unwrap();
        assert!(tuned.last().unwrap().1[torque].abs() < jump.last().unwrap().1[torque].abs() / 2.0);
    }
}

#[test]
fn a_restart_gives_the_same_rows_and_takes_fixed_parameters() {
    let folder = folder_with(&[]);
    let view = View::of(folder.path(), &["TorqueSource.fmu", "--set", "T=0.1"]);
    let (mut session, first) = view.start(json!({}));
    let mut seen = vec![];
    for values in [json!({}), json!({}), json!({ "T": 0.2 }), json!({})] {
        let content = json!({ "session": session, "values": values });
        let (status, answer) = view.post("/start", content);
        assert_eq!(status, 200, "{answer}");
        // The session before has ended.
        let old = view.post("/advance", json!({ "session": session, "until": 1 }));
        assert_eq!(old.0, 410, "{}", old.1);
        session = answer["session"].clone();
        assert_eq!(rows(&answer).len(), first.len());
        seen.push(view.advance(&session, 0.5, json!({})));
    }
    assert_same_bits(&seen[0], &seen[1]);
    assert_ne!(seen[0], seen[2]);
    assert_same_bits(&seen[0], &seen[3]);
    let run = |text: &str| {
        let arguments = ["TorqueSource.fmu", "--stop", "9", "--step", "0.001", "--set", text];
        run(folder.path(), &view, &arguments, 501)[1..].to_vec()
    };
    assert_same_bits(&seen[0], &run("T=0.1"));
    assert_same_bits(&seen[2], &run("T=0.2"));
}

#[test]
fn a_value_that_is_not_legal_is_refused_in_one_sentence() {
    let folder = folder_with(&[]);
    let view = View::of(folder.path(), &["TorqueSource.fmu"]);
    let (session, _) = view.start(json!({}));
    let live = |values| view.refusal(Some(&session), values);
    let again = "its value takes effect when the simulation starts again";
    for (values, sentence) in [
        (json!({ "v": 1 }), "TorqueSource has no variable `v`".to_owned()),
        (json!({ "w": "fast" }), "TorqueSource: w = fast is not a number of rad/s".to_owned()),
        (json!({ "w": [1] }), "TorqueSource: w = [1] is not a value".to_owned()),
        (json!({ "w": null }), "TorqueSource: w = null is not a value".to_owned()),
        (
            json!({ "w": "1e999" }),
            "TorqueSource: w = 1e999 is beyond the range of numbers".to_owned(),
        ),
        (
            json!({ "T": 1 }),
            format!("TorqueSource: T does not change while the simulation runs: {again}"),
        ),
        (
            json!({ "w_max": 0.5 }),
            "TorqueSource: w_max = 0.5 rad/s: must be at least 1 rad/s".to_owned(),
        ),
        (
            json!({ "tau": 1 }),
            "TorqueSource: tau cannot be set, it is an output that the model computes".to_owned(),
        ),
    ] {
        assert_eq!(live(values), sentence);
    }
    // A value that is refused leaves the others of the same request without effect.
    live(json!({ "tau_max": 7, "w": "fast" }));
    let sentence = "TorqueSource: w_max = 0.5 rad/s: must be at least 1 rad/s";
    assert_eq!(view.refusal(None, json!({ "w_max": 0.5 })), sentence);
    let rows = view.advance(&session, 0.1, json!({}));
    let arguments = ["TorqueSource.fmu", "--stop", "9", "--step", "0.001"];
    assert_same_bits(&rows, &run(folder.path(), &view, &arguments, 101)[1..].to_vec());
    let (status, answer) = view.post("/advance", json!({ "session": 99, "until": 1 }));
    assert_eq!(status, 410, "{answer}");
    let (status, answer) = view.post("/advance", json!({ "session": session, "unti": 1 }));
    assert_eq!(status, 400, "{answer}");
}

#[test]
fn requests_of_other_pages_are_refused() {
    let folder = folder_with(&[]);
    let view = View::of(folder.path(), &["BouncingBall.fmu"]);
    let json = ("Content-Type", "application/json");
    let content = json!({ "token": view.token }).to_string();
    let post = |headers: &[(&str, &str)], content: &str| {
        let (status, answer) = view.exchange("POST", "/start", headers, content);
        assert!(status == 200 || answer.starts_with("{\"error\":\""), "{answer}");
        status
    };
    let own = format!("http://localhost:{}", view.port);
    assert_eq!(post(&[json], &content), 200);
    assert_eq!(post(&[json, ("Origin", &own)], &content), 200);
    assert_eq!(post(&[json, ("Origin", "http://evil.example")], &content), 403);
    assert_eq!(post(&[json, ("Origin", "null")], &content), 403);
    assert_eq!(post(&[json, ("Host", "evil.example")], &content), 403);
    assert_eq!(post(&[("Content-Type", "text/plain")], &content), 415);
    assert_eq!(post(&[], &content), 415);
    assert_eq!(post(&[json], &json!({ "token": "0123456789abcdef" }).to_string()), 403);
    assert_eq!(post(&[json], "{}"), 400);
    assert_eq!(post(&[json], &" ".repeat(2 << 20)), 413);
    let get = |path, headers: &[(&str, &str)]| view.exchange("GET", path, headers, "").0;
    assert_eq!(get("/", &[("Host", &format!("localhost:{}", view.port))]), 200);
    assert_eq!(get("/", &[("Host", &format!("evil.example:{}", view.port))]), 403);
    assert_eq!(get("/start", &[]), 405);
    assert_eq!(get("/../Cargo.toml", &[]), 404);
    // Nobody else on the network reaches it.
    let sockets = fs::read_to_string("/proc/net/tcp").unwrap();
    let listening = format!("0100007F:{:04X} 00000000:0000 0A", view.port);
    assert!(sockets.contains(&listening), "{listening} is not in\n{sockets}");
}

#[test]
fn an_fmu_that_fails_is_told_and_starts_again() {
    let killed = "the library of the FMU ended its process: signal: 6 (SIGABRT)";
    for (habit, sentence) in [
        ("FALL=0.45", killed),
        ("CALLS=0.45", "One.fmu: at t = 0.4 s: fmi2DoStep returned fmi2Error"),
    ] {
        let folder = one(&[habit]);
        let view = View::of(folder.path(), &["One.fmu"]);
        for _ in 0..2 {
            let (session, _) = view.start(json!({}));
            assert_eq!(view.advance(&session, 0.35, json!({})).len(), 4);
            let told = view.failure(&session, 1.0);
            assert!(told.starts_with(sentence), "{told}");
        }
    }
    let folder = one(&["END=0.45"]);
    let view = View::of(folder.path(), &["One.fmu", "--me"]);
    let (session, _) = view.start(json!({ "u": 1 }));
    let told = view.failure(&session, 1.0);
    assert!(told.starts_with("One.fmu: at t = "), "{told}");
    assert!(told.contains("the lever is at its end"), "{told}");
}

#[test]
fn a_session_that_has_failed_tells_its_failure_again() {
    for (habit, sentence) in [
        ("FALL=0.45", "the library of the FMU ended its process: signal: 6 (SIGABRT)"),
        ("CALLS=0.45", "One.fmu: at t = 0.4 s: fmi2DoStep returned fmi2Error"),
    ] {
        let folder = one(&[habit]);
        let view = View::of(folder.path(), &["One.fmu"]);
        let (session, _) = view.start(json!({}));
        view.advance(&session, 0.35, json!({}));
        let begin = Instant::now();
        for _ in 0..3 {
            let told = view.failure(&session, 1.0);
            assert!(told.starts_with(sentence), "{told}");
        }
        assert!(begin.elapsed().as_secs() < 20, "it does not wait for an answer");
    }
}

#[test]
fn variables_that_the_fmu_does_not_give_have_no_values() {
    let folder = one(&["REFUSE=1"]);
    for fmu_type in ["--cs", "--me"] {
        let view = View::of(folder.path(), &["One.fmu", fmu_type]);
        let (session, mut rows) = view.start(json!({ "u": 1 }));
        rows.extend(view.advance(&session, 0.45, json!({})));
        assert_eq!(rows.len(), 6);
        let place = |name| view.signals.iter().position(|signal| signal == name).unwrap();
        let (x, refused) = (place("x"), place("der(x)"));
        for (time, row) in &rows {
            assert_eq!(row.len(), view.signals.len());
            assert!((row[x] - time).abs() < 1e-9, "at {time} s: {row:?}");
            let without: Vec<usize> = (0..row.len()).filter(|i| row[*i].is_nan()).collect();
            assert_eq!(without, [refused]);
        }
    }
}

#[test]
fn a_page_that_is_closed_while_its_simulation_starts_leaves_none() {
    let folder = one(&["SLOW=2"]);
    let view = View::of(folder.path(), &["One.fmu"]);
    let idle = view.processes();
    let wait = |processes: usize| {
        let begin = Instant::now();
        while view.processes() != processes {
            assert!(begin.elapsed().as_secs() < 60, "{} processes", view.processes());
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let body = json!({ "token": view.token }).to_string();
    let mut page = TcpStream::connect(("127.0.0.1", view.port)).unwrap();
    let head = format!("POST /start HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", view.port);
    let length = format!("Content-Type: application/json\r\nContent-Length: {}", body.len());
    page.write_all(format!("{head}{length}\r\n\r\n{body}").as_bytes()).unwrap();
    wait(idle + 1);
    drop(page);
    wait(idle);
    // The others still have their places.
    view.start(json!({}));
    assert_eq!(view.processes(), idle + 1);
}

#[test]
fn an_fmu_that_hangs_disturbs_nobody_and_is_ended() {
    let folder = one(&["HANG=0.45"]);
    let mut view = View::of(folder.path(), &["One.fmu"]);
    let (hung, _) = view.start(json!({}));
    let (other, _) = view.start(json!({}));
    let before = view.processes();
    std::thread::scope(|scope| {
        let failure = scope.spawn(|| view.failure(&hung, 1.0));
        // Meanwhile another page goes on, and a third one starts again while it hangs.
        assert_eq!(view.advance(&other, 0.35, json!({})).len(), 4);
        let (third, _) = view.start(json!({}));
        let told = scope.spawn({
            let third = third.clone();
            let view = &view;
            move || view.failure(&third, 1.0)
        });
        std::thread::sleep(Duration::from_millis(300));
        let (status, answer) = view.post("/start", json!({ "session": third, "values": {} }));
        assert_eq!(status, 200, "{answer}");
        told.join().unwrap();
        assert!(!failure.is_finished());
        let sentence = "the library of the FMU gave no answer for 30 s and was ended";
        assert_eq!(failure.join().unwrap(), sentence);
    });
    // The ended session and the replaced session are gone.
    assert_eq!(view.processes(), before);
    view.interrupt(false);
}

#[test]
fn pages_are_limited_in_number_and_closed_ones_do_not_count() {
    let folder = one(&[]);
    let view = View::of(folder.path(), &["One.fmu"]);
    let idle = view.processes();
    let sessions: Vec<Value> = (0..16).map(|_| view.start(json!({})).0).collect();
    assert_eq!(view.processes(), idle + 16);
    let (status, answer) = view.post("/start", json!({}));
    assert_eq!(status, 503);
    assert_eq!(answer["error"], "16 pages are open already: close one of them");
    for session in &sessions {
        assert_eq!(view.post("/end", json!({ "session": session })).0, 200);
    }
    assert_eq!(view.processes(), idle);
    view.start(json!({}));
}

#[test]
fn nothing_remains_after_ctrl_c() {
    let folder = one(&["HANG=0.45"]);
    for group in [false, true] {
        let mut view = View::of(folder.path(), &["One.fmu"]);
        let (session, _) = view.start(json!({}));
        view.advance(&session, 0.3, json!({}));
        assert_eq!(view.processes(), 3);
        view.interrupt(group);
    }
    // The same is true for the other commands that run foreign code.
    let temporary = tempfile::tempdir().unwrap();
    let place = temporary.path();
    let mut command = interruptible(folder.path(), &["run", "One.fmu", "--no-plot"]);
    command.envs(["TMPDIR", "TMP", "TEMP"].map(|name| (name, place)));
    let mut child = command.process_group(0).stdout(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    let wait_until = |is_empty: bool| {
        while names(place).is_empty() != is_empty {
            assert!(begin.elapsed().as_secs() < 60, "{:?}", names(place));
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait_until(false);
    std::thread::sleep(Duration::from_millis(300));
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    child.wait().unwrap();
    wait_until(true);
}

#[test]
fn options_that_are_not_possible_are_refused_before_the_server_starts() {
    let folder = folder_with(&[("w.csv", "time,w\n0,1\n")]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, sentence) in [
        (["--input", "w.csv"], "--input is not for fmu view: its page sets the inputs".to_owned()),
        (
            ["--set", "w_max=0"],
            "TorqueSource: w_max = 0 rad/s: must be at least 1 rad/s".to_owned(),
        ),
        (["--variables", "x"], "TorqueSource has no variable `x`".to_owned()),
        (["--port", &port], format!("cannot listen on 127.0.0.1:{port}: address already in use")),
    ] {
        let output =
            fmu_in(folder.path(), &[&["view", "TorqueSource.fmu"], &arguments[..]].concat());
        assert!(!output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("fmu: {sentence}\n"));
    }
}
