//! `cargo xtask test`: makes what the tests need and runs them, with counts and an estimate of the
//! time.

mod lines;
mod tally;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::estimate::Estimate;
use crate::progress::ChoreProgress;
use crate::{fmus, installed, rust_importer, venv, workspace};
use lines::Line;
use tally::Tally;

/// The number of steps of [`prepare`].
pub const STEPS: usize = 2 + fmus::STEPS;

/// The number of steps of [`prepare_quick`].
const QUICK_STEPS: usize = 1 + fmus::STEPS;

/// The tests that `--quick` omits, by parts of their names.
const NOT_QUICK: &[&str] = &[
    // Whole themes: checkers, hostile FMUs, builds with cargo, importers, emulators,
    // long runs.
    "checkers::",
    "damaged::",
    "hostile::",
    "new_models::",
    "documents::",
    "importers::",
    "platforms::",
    "c_interface::load::",
    "c_interface::memory::",
    "_in_fmpy_",
    "_with_cvode",
    "random_drive_trains_",
    "rough_drive_trains_run_to_their_end_and_account_for_their_energy",
    "random_linkages_on_a_floor_run_to_the_end_and_account_for_their_energy",
    "a_body_on_a_ball_joint_and_a_rod_tumbles_as_its_equations_say",
    "a_drive_on_a_floating_hull_keeps_the_momentum_however_its_housings_are_connected",
    "masses_on_lines_keep_the_energy",
    "linkages_that_are_released_never_stop",
    "a_rod_between_spherical_joints_moves_alike_in_every_direction",
    // FMUs of other models, or more of them.
    "physics::coupling::",
    "an_event_iteration_reports_what_it_changed",
    "base_types_have_references_of_their_own",
    "discrete_variables_are_frozen_in_continuous_time",
    "values_set_between_steps_take_effect",
];

/// The selection of tests.
#[derive(Clone, Copy, PartialEq)]
enum TestExtent {
    /// All tests.
    Whole,
    /// The inner loop: unit tests, theorems, all models on the tape, the C interface of
    /// `fmus::QUICK`.
    Quick,
}

impl TestExtent {
    /// The name under which its durations are recorded.
    fn name(self) -> &'static str {
        match self {
            TestExtent::Whole => "whole",
            TestExtent::Quick => "quick",
        }
    }

    /// The maximum duration on two idle cores: of all tests from a fresh clone, and of the inner
    /// loop after a change of `mechanics`.
    fn aim(self) -> &'static str {
        match self {
            TestExtent::Whole => "15 min",
            TestExtent::Quick => "3 min",
        }
    }

    /// `cargo test` for its test programs. All packages are always selected, so that their features
    /// are the same and nothing is compiled twice.
    fn cargo(self) -> Command {
        let mut cargo = tests();
        cargo.args(["--workspace", "--color", "never"]);
        if self == TestExtent::Quick {
            // Tests of the documentation are omitted.
            cargo.arg("--tests").env("COUPLER_FMUS", fmus::quick_folder());
        }
        cargo
    }

    /// The arguments of the test programs.
    fn arguments(self, filters: &[String]) -> Vec<String> {
        let left_out = if self == TestExtent::Quick { NOT_QUICK } else { &[] };
        let skip = left_out.iter().flat_map(|name| ["--skip".to_owned(), (*name).to_owned()]);
        skip.chain(filters.iter().cloned()).collect()
    }
}

/// Runs the chore; the arguments are `--quick` and parts of the names of the tests to run.
pub fn run(arguments: &[String]) -> Result<()> {
    let (options, filters): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with('-'));
    let extent = match &options[..] {
        [] => TestExtent::Whole,
        [option] if option == "--quick" => TestExtent::Quick,
        _ => bail!("`cargo xtask test` knows the option --quick and parts of names of tests"),
    };
    // The test programs and the list of their tests come after the preparation.
    let steps = 2 + if extent == TestExtent::Quick { QUICK_STEPS } else { STEPS };
    let mut progress = ChoreProgress::with_estimate(steps, Estimate::read(extent.name()));
    if extent == TestExtent::Quick {
        prepare_quick(&mut progress)?;
    } else {
        prepare(&mut progress)?;
    }
    progress.command("test programs", extent.cargo().args(["--no-run", "--quiet"]))?;
    let arguments = extent.arguments(&filters);
    let mut tally = progress.step("list of the tests", || list(extent, &arguments))?;
    run_tests(extent, &arguments, &mut tally, &mut progress)?;
    let passed = tally.summary(&progress);
    ensure!(passed, "not all tests passed");
    if filters.is_empty() {
        eprintln!("  (the aim on two idle cores: {})", extent.aim());
        progress.record_durations()?;
    }
    Ok(())
}

/// Makes what the tests need.
pub fn prepare(progress: &mut ChoreProgress) -> Result<()> {
    let venv = progress.step("virtual environment", venv::ensure)?;
    let mut importer = rust_importer::cargo("build", &venv)?;
    progress.command("importer of Rust", importer.arg("--quiet"))?;
    fmus::build_all(progress)
}

/// Makes what the tests of the inner loop need.
fn prepare_quick(progress: &mut ChoreProgress) -> Result<()> {
    progress.step("virtual environment (headers of FMI)", venv::ensure)?;
    fmus::build_quick(progress)
}

/// `cargo test`.
pub fn tests() -> Command {
    let mut command = workspace::cargo(&["test"]);
    installed::pass_compliance_checker(&mut command);
    command
}

/// The tests that will run.
fn list(extent: TestExtent, arguments: &[String]) -> Result<Tally> {
    let mut cargo = extent.cargo();
    let mut tally = Tally::default();
    let status = each_line(cargo.args(["--", "--list"]).args(arguments), |line| {
        tally.list(&Line::read(line));
    })?;
    ensure!(status, "`cargo test -- --list` failed");
    Ok(tally)
}

/// Runs the tests and counts them.
fn run_tests(
    extent: TestExtent,
    arguments: &[String],
    tally: &mut Tally,
    progress: &mut ChoreProgress,
) -> Result<()> {
    let mut cargo = extent.cargo();
    let cargo = cargo.arg("--no-fail-fast").arg("--").args(arguments);
    each_line(cargo, |line| tally.take(&Line::read(line), line, progress))?;
    tally.end_of_program(progress);
    Ok(())
}

/// Runs a command and passes on each line that it prints to either channel, in order; returns
/// whether it succeeded.
fn each_line(command: &mut Command, mut take: impl FnMut(&str)) -> Result<bool> {
    let (read, write) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(write.try_clone()?).stderr(write);
    let mut child = command.spawn().context("cargo cannot be started")?;
    // The command holds the writing ends of the pipe; they are closed so that the pipe ends with
    // the child.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut lines = BufReader::new(read).split(b'\n');
    while let Some(line) = lines.next().transpose()? {
        take(&String::from_utf8_lossy(&line));
    }
    Ok(child.wait()?.success())
}
