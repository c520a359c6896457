//! Tries the program as someone does who has nothing but its file.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::machine::Machine;

/// The command with which FMUs are made for all platforms. One of the models reads tables.
const BUILD: &[&str] =
    &["build", "coupled_clutches", "test_bench", "--interpreted", "--platform", "all"];

/// Asserts that every command works which needs no compiler, and that the others say so.
pub fn passes(
    platform: &str,
    program: &Path,
    version: &str,
    root: &Path,
    target: &Path,
) -> Result<()> {
    let machine = Machine::with(program, platform, root, target)?;
    let works = |arguments: &[&str], wanted: &str| works(&machine, arguments, wanted);
    works(&["--version"], version)?;
    works(&["players"], "aarch64-darwin")?;
    works(&["run", "coupled_clutches", "--interpreted", "--output", "here.csv"], "state events")?;
    works(BUILD, "TestBench.fmu")?;
    works(&["inspect", "TestBench.fmu"], "win64")?;
    works(&["run", "TestBench.fmu", "--me"], "Model Exchange")?;
    works(&["run", "CoupledClutches.fmu", "--output", "fmu.csv"], "state events")?;
    let table = |name: &str| fs::read(machine.file(name)).with_context(|| name.to_owned());
    ensure!(table("here.csv")? == table("fmu.csv")?, "{platform}: the FMU has other results");
    fs::write(machine.file("Drive.mo"), modelica_text(root)?)?;
    works(&["run", "Drive.mo", "--output", "text.csv"], "at 2 s")?;
    works(&["build", "Drive.mo", "--platform", "all"], "Drive.fmu")?;
    works(&["run", "Drive.fmu", "--output", "drive.csv"], "at 2 s")?;
    ensure!(table("text.csv")? == table("drive.csv")?, "{platform}: the text has other results");
    works(&["report", "CoupledClutches.fmu", "--output", "page.html"], "page.html")?;
    works(&["plot", "here.csv", "--output", "plot.png"], "plot.png")?;
    works(&["compare", "CoupledClutches.fmu", "here.csv", "--limit", "1e-9"], "compared")?;
    if machine.has_processes() {
        works(&["check", "CoupledClutches.fmu", "TestBench.fmu"], "runs on")?;
        serves_a_page(&machine, "CoupledClutches.fmu")?;
    } else {
        works(&["check", "--no-run", "CoupledClutches.fmu"], "runs on")?;
    }
    let refuses = |arguments: &[&str], sentence: &str| refuses(&machine, arguments, sentence);
    let compiler = "cannot run rustc; is Rust installed?";
    refuses(&["build", "test_bench"], &format!("{compiler} (--interpreted needs none)"))?;
    refuses(&["run", "test_bench"], &format!("{compiler} (--interpreted needs none)"))?;
    // QEMU does not report that there is no such program.
    let cargo = if machine.has_processes() { "is Rust installed?" } else { "it fails" };
    refuses(&["new", "pump"], cargo)?;
    println!("{platform:<14} works without Rust");
    Ok(())
}

/// The model of the page about models in Modelica.
fn modelica_text(root: &Path) -> Result<String> {
    let page = fs::read_to_string(root.join("docs/modelica.md"))?;
    let text = page.split_once("```modelica\n").and_then(|(_, rest)| rest.split_once("```"));
    Ok(text.context("docs/modelica.md contains no model")?.0.to_owned())
}

/// Asserts that a command succeeds and prints a text.
fn works(machine: &Machine, arguments: &[&str], wanted: &str) -> Result<()> {
    let output = machine.run(arguments)?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown = arguments.join(" ");
    ensure!(output.status.success(), "fmu {shown}: {}: {errors}{printed}", output.status);
    ensure!(printed.contains(wanted), "fmu {shown} prints no `{wanted}`: {printed}");
    Ok(())
}

/// Asserts that a command is refused with one line that ends with a sentence.
fn refuses(machine: &Machine, arguments: &[&str], sentence: &str) -> Result<()> {
    let output = machine.run(arguments)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown = arguments.join(" ");
    ensure!(!output.status.success(), "fmu {shown} succeeds without a compiler");
    let lines: Vec<&str> = errors.lines().collect();
    let is_clear = matches!(&lines[..], [line] if line.trim_end().ends_with(sentence));
    ensure!(is_clear, "fmu {shown}: not `{sentence}`: {errors}");
    Ok(())
}

/// Asserts that `fmu view` answers a browser.
fn serves_a_page(machine: &Machine, fmu: &str) -> Result<()> {
    let mut server = machine.start(&["view", fmu])?;
    let answer = server.stdout.take().context("it prints nothing").and_then(|stdout| {
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        answer_of(&line).with_context(|| format!("fmu view {fmu}: {line}"))
    });
    server.kill()?;
    server.wait()?;
    ensure!(answer?.contains("200 OK"), "fmu view {fmu} serves no page");
    Ok(())
}

/// The head of the answer from an address in a line such as `http://127.0.0.1:4040/ (...)`.
fn answer_of(line: &str) -> Result<String> {
    let address = line.trim_start_matches("http://").split_whitespace().next().unwrap_or_default();
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; 64];
    stream.read_exact(&mut head)?;
    Ok(String::from_utf8_lossy(&head).into_owned())
}
