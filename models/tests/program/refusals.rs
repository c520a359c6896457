//! Whatever is wrong with a command, `fmu` reports it in one sentence, fails, and leaves no file
//! behind.

use crate::fixture::{fmu_in, folder_with, names, repository, succeed};

/// The sentence of `fmu` about a command that must fail.
fn refusal(folder: &std::path::Path, command: &str) -> String {
    let before = names(folder);
    let arguments: Vec<&str> = command.split_whitespace().collect();
    let output = fmu_in(folder, &arguments);
    assert_eq!(output.status.code(), Some(1), "{command}");
    assert_eq!(names(folder), before, "{command}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message.lines().count(), 1, "{command}: {message}");
    message.trim_end().strip_prefix("fmu: ").unwrap().to_owned()
}

#[test]
fn bad_input_is_refused_in_one_sentence_that_names_it() {
    let folder = folder_with(&[("text.fmu", "not an archive"), ("good.csv", "time,w\n0,1\n")]);
    let check = |command: &str, sentence: &str| {
        assert_eq!(refusal(folder.path(), command), sentence, "{command}");
    };
    check("run missing.fmu", "cannot read missing.fmu: there is no such file");
    check("check missing.fmu", "cannot read missing.fmu: there is no such file");
    check("inspect missing.fmu", "cannot read missing.fmu: there is no such file");
    check("run text.fmu", "text.fmu: it is not an FMU: it is not a ZIP archive");
    check("check text.fmu", "text.fmu: it is not an FMU: it is not a ZIP archive");
    check("inspect good.csv", "good.csv: it is not an FMU: it is not a ZIP archive");
    check("inspect .", ".: it is not an FMU: it is a folder");

    let run = |options: &str, sentence: &str| {
        check(&format!("run TorqueSource.fmu {options}"), sentence);
    };
    run("--set taumax=1", "TorqueSource has no variable `taumax`; is it `tau_max`?");
    run("--set tau_max", "`tau_max` is not of the form name=value");
    run("--set tau_max=NaN", "TorqueSource: tau_max = NaN N.m: must be a finite number");
    run("--set tau_max=much", "TorqueSource: tau_max = much is not a number of N.m");
    run("--set w_max=0.5", "TorqueSource: w_max = 0.5 rad/s: must be at least 1 rad/s");
    run("--set tau=1", "TorqueSource: tau cannot be set, it is an output that the model computes");
    run("--step -1", "TorqueSource: the step must be a positive number of s, not -1");
    run("--step nan", "TorqueSource: the step must be a positive number of s, not NaN");
    run("--stop -1", "TorqueSource: the stop time -1 s does not come after the start time 0 s");
    run("--variables tau,w,tau", "TorqueSource: tau is to be recorded twice");
    run("--report tau.svg", "tau.svg: a report's name ends in .html");
    run("--report none/a.html", "cannot write none/a.html: there is no folder none");
    run("--plot tau.pdf", "tau.pdf: the name of a plot ends in .svg or .png");
    run("--set solver.method=9", "TorqueSource: solver.method = 9: must be from 0 to 5");
    run("--set solver.method=Heun", "TorqueSource: solver.method = Heun is not a number");
    run("--tolerance 0", "TorqueSource: the tolerance must be between 1e-14 and 1, not 0");
    run(
        "--tolerance 1e-25 --me",
        "TorqueSource: the tolerance must be between 1e-14 and 1, not 1e-25",
    );
    run("--set tau_max=1 --set tau_max=2", "TorqueSource: tau_max is set twice");
    run("--variables ,", "--variables names no variable");
    run("--output none/a.csv", "cannot write none/a.csv: there is no folder none");
    run("--plot none/a.svg", "cannot write none/a.svg: there is no folder none");
    run("--variables tau,nothing", "TorqueSource has no variable `nothing`");
    run("--output .", "cannot write .: it is a folder");
    for (option, wanted) in [
        ("--step <H>", "a number of s is expected, such as 0.01"),
        ("--start <T>", "a number of s is expected, such as 0.01"),
        ("--stop <T>", "a number of s is expected, such as 0.01"),
        ("--tolerance <R>", "a number without unit is expected, such as 1e-6"),
    ] {
        let (name, _) = option.split_once(' ').unwrap();
        let sentence = format!("invalid value '1ms' for '{option}': {wanted}; see fmu run --help");
        run(&format!("{name} 1ms"), &sentence);
    }
    check(
        "compare good.csv good.csv --limit 5%",
        "invalid value '5%' for '--limit <E>': a number without unit is expected, such as 1e-6; see \
         fmu compare --help",
    );
    check(
        "run BouncingBall.fmu --me --cs",
        "the argument '--me' cannot be used with '--cs'; see fmu run --help",
    );
    check(
        "build",
        "the following required arguments were not provided: <NAME|FILE>...; see fmu build --help",
    );
}

#[test]
fn a_bad_table_of_inputs_is_refused_with_its_line() {
    let folder = folder_with(&[
        ("column.csv", "time,v\n0,1\n"),
        ("nan.csv", "time,w\n0,NaN\n"),
        ("order.csv", "time,w\n1,1\n0,2\n"),
        ("word.csv", "time,w\n0,fast\n"),
        ("short.csv", "time,w\n0\n"),
        ("good.csv", "time,w\n0,1\n"),
        ("german.csv", "time;w\n0;0,5\n"),
        ("nameless.csv", "0,1\n1,1\n"),
    ]);
    let check = |command: &str, sentence: &str| {
        assert_eq!(refusal(folder.path(), command), sentence, "{command}");
    };
    let run = |options: &str, sentence: &str| {
        check(&format!("run TorqueSource.fmu {options}"), sentence);
    };
    run("--input none.csv", "cannot read none.csv: there is no such file");
    run(
        "--input column.csv",
        "column.csv: column `v` is not an input of TorqueSource: its only input is w",
    );
    run("--input nan.csv", "nan.csv: line 2: column w: `NaN` is not a finite number");
    run("--input order.csv", "order.csv: line 3: time 0 s is before 1 s in the row above");
    run("--input word.csv", "word.csv: line 2: column w: `fast` is not a number");
    run("--input short.csv", "short.csv: line 2: 1 value for 2 columns");
    run("--input good.csv --set w=1", "input w is given twice");
    let wanted = "it must have commas between its columns and points in its numbers";
    run("--input german.csv", &format!("german.csv: its first line is `time;w`: {wanted}"));
    let wanted = "it must name the columns, `time` first";
    run(
        "--input nameless.csv",
        &format!("nameless.csv: its first line begins with a number, 0: {wanted}"),
    );
    check(
        "run BouncingBall.fmu --input good.csv",
        "good.csv: column `w` is not an input of BouncingBall: it has none",
    );
}

#[test]
fn a_value_that_cannot_be_set_is_refused_with_the_reason() {
    let check = |command: &str, sentence: &str| {
        assert_eq!(refusal(repository(), command), sentence, "{command}");
    };
    check(
        "run fourbar2 --interpreted --set universalSpherical.rodLength=1",
        "Fourbar2: universalSpherical.rodLength cannot be set, it is calculated from b0.r[1], \
         b1.r[2], b1.r[3], b2.r[2]: set these parameters instead",
    );
    check(
        "run fourbar2 --interpreted --set world.n[2]=1",
        "Fourbar2: world.n[2] cannot be set, it is fixed: the model or parameters determine it",
    );
}

#[test]
fn results_are_written_only_to_folders_in_which_files_can_be_made() {
    let folder = folder_with(&[("table.csv", "time,w\n0,1\n")]);
    // If there is no player yet, this compiles it, so that the builds below print no progress.
    succeed(folder.path(), &["build", "bouncing_ball", "--interpreted", "--out", "fmus"]);
    let build = "build bouncing_ball --interpreted --out table.csv";
    assert_eq!(refusal(folder.path(), build), "--out table.csv: it is a file, not a folder");
    if cfg!(target_os = "linux") {
        let message = refusal(folder.path(), "build bouncing_ball --interpreted --out /proc");
        let reason = "no file can be made in the folder /proc";
        assert_eq!(message, format!("cannot write /proc/BouncingBall.fmu: {reason}"));
        let message = refusal(folder.path(), "build bouncing_ball --interpreted --out /proc/foo");
        assert_eq!(message, "cannot create /proc/foo: no folder can be made there");
    }
}

#[test]
fn a_target_that_the_compiler_does_not_know_is_refused() {
    for option in ["", " --interpreted"] {
        let command = format!("build bouncing_ball --target foo-bar{option}");
        let message = refusal(repository(), &command);
        let reason = "(`rustc --print target-list` lists them)";
        assert_eq!(message, format!("rustc does not know the target foo-bar {reason}"));
    }
}

#[test]
fn unknown_models_are_refused_with_the_known_ones() {
    let message = refusal(repository(), "run bouncing_bal");
    assert_eq!(message, "no model `bouncing_bal`; is it `bouncing_ball`?");
    let message = refusal(repository(), "run helicopter");
    assert!(message.starts_with("no model `helicopter`; the models are "), "{message}");
    assert!(message.contains(" bouncing_ball, bouncing_pendulum, "), "{message}");
    for name in ["lib", "main"] {
        let message = refusal(repository(), &format!("run {name}"));
        assert!(message.starts_with(&format!("no model `{name}`")), "{message}");
        assert!(!message.contains("src/lib.rs"), "{message}");
    }
    let message = refusal(repository(), "new bouncing_ball");
    assert_eq!(message, "there is already a model `bouncing_ball`");
    let message = refusal(repository(), "new coupler");
    assert_eq!(message, "`coupler` is not a name for a model: it is reserved");
    let message = refusal(repository(), "new Bouncing-Ball");
    let rule = "use lower-case letters, digits and `_`";
    assert_eq!(message, format!("`Bouncing-Ball` is not a name for a model: {rule}"));
    let message = refusal(repository(), "new 2abc");
    let rule = "the first character must be a lower-case letter";
    assert_eq!(message, format!("`2abc` is not a name for a model: {rule}"));
}
