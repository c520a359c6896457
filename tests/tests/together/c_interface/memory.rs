//! Valgrind checks whole lives of instances, if it is installed.
//!
//! No memory is read before it is written, or accessed after it is freed. `.ci/run` installs
//! valgrind.

use std::path::Path;
use std::process::Command;

use coupler_tests::runs::Run;
use coupler_tests::{Fmu, FmuType, Harness, skipped};

/// The complaints of valgrind during some work with an FMU.
fn complaints(library: &Path, work: impl FnOnce(&Harness)) -> String {
    let log = tempfile::NamedTempFile::new().expect("a file for the log");
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--leak-check=no"]);
    valgrind.arg(format!("--log-file={}", log.path().display()));
    let harness = Harness::below(valgrind, library);
    work(&harness);
    std::fs::read_to_string(log.path()).expect("the log")
}

fn is_installed() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok();
    if !found {
        skipped("valgrind is not installed");
    }
    found
}

// FMI: A006, A048, A071
#[test]
fn valgrind_finds_no_errors_in_the_lives_of_instances() {
    if !is_installed() {
        return;
    }
    // Events, a loop with impacts, tables and friction, heat.
    for fmu in ["BouncingBall", "FourBarLoop", "TestBench", "MultibodyHeatLosses"].map(Fmu::named) {
        let text = complaints(fmu.library(), |harness| {
            for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
                let instance = harness.instantiate(&fmu, fmu_type);
                instance.start(Some(fmu.tolerance()), fmu.starts());
                instance.ok("get_state", "0");
                if fmu_type == FmuType::CoSimulation {
                    let h = fmu.stop_time() / 40.0;
                    Run { stop: fmu.stop_time() / 4.0, ..Run::of(&fmu, h) }.steps_of(&instance);
                } else {
                    instance.iterate_events();
                    instance.then("enter_continuous");
                    let n = fmu.states().len();
                    instance.vector("get_derivatives", n);
                }
                instance.everything();
                instance.ok("set_state", "0");
                instance.ok("free_state", "0");
                instance.then("reset").start(None, &[]);
                instance.free();
            }
            harness.call("unload");
        });
        assert!(text.is_empty(), "{}: {text}", fmu.name());
    }
}

#[test]
fn valgrind_notices_memory_that_is_read_before_it_is_written() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (source, library) = (folder.path().join("a.c"), folder.path().join("a.so"));
    let names = fmu_runtime::calls::FmiFunction::ALL.iter().map(|function| function.name());
    let functions: String =
        names.map(|name| format!("int {name}(void) {{ return 0; }}\n")).collect();
    let text = "#include <stdlib.h>\n#include <string.h>\n\
        const char *fmi2GetTypesPlatform(void) { int *p = malloc(4); return *p ? \"a\" : \"b\"; }\n\
        const char *fmi2GetVersion(void) { return \"2.0\"; }\n\
        void *fmi2Instantiate(void) { return 0; }\n";
    std::fs::write(&source, format!("{text}{functions}")).expect("the source");
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-w", "-shared", "-fPIC", "-o"]).arg(&library).arg(&source);
    assert!(compiler.status().expect("a C compiler").success());
    let text = complaints(&library, |harness| {
        harness.call("platform");
    });
    assert!(text.contains("uninitialised"), "{text}");
}
