//! `fmu check` reads what libraries of Windows need.

use std::fs;
use std::path::Path;
use std::process::Command;

use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::harness::headers;
use coupler_tests::python::both;
use coupler_tests::{Fmu, skipped};
use fmu_builder::archive::{self, Entry};

const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// A library of Windows that exports one function of FMI and needs `odd.dll`; the latter.
fn libraries(folder: &Path) -> [Vec<u8>; 2] {
    let compile = |text: &str, name: &str, more: &[&str]| {
        fs::write(folder.join("a.c"), text).expect("the source is written");
        let mut compiler = Command::new(COMPILER);
        compiler.args(["-shared", "-I"]).arg(headers()).args(["a.c", "-o", name]).args(more);
        let status = compiler.current_dir(folder).status().expect("the compiler starts");
        assert!(status.success(), "{name} compiles");
        fs::read(folder.join(name)).expect("the library")
    };
    let odd = compile("int odd(void) { return 1; }", "odd.dll", &[]);
    let text = "int odd(void); int fmi2Instantiate(void) { return odd() + 1; }";
    [compile(text, "even.dll", &["odd.dll"]), odd]
}

// fmu check: D010, D011
#[test]
fn a_library_of_windows_that_needs_another_one_is_reported_unless_this_is_shipped() {
    if Command::new(COMPILER).arg("--version").output().is_err() {
        return skipped(&format!("{COMPILER} is not installed"));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [library, odd] = libraries(folder.path());
    let fmu_of_linux = Fmu::named("CoupledClutches");
    let linux = fs::read(fmu_of_linux.library()).expect("a library of Linux");
    let file = fs::File::open(&fmu_of_linux.path).expect("the FMU");
    let mut whole = zip::ZipArchive::new(file).expect("a zip");
    let mut description = whole.by_name("modelDescription.xml").expect("a description");
    let text = std::io::read_to_string(&mut description).expect("text");
    let check = |library: &[u8], more: Option<&[u8]>| {
        let path = folder.path().join("CoupledClutches.fmu");
        let entry = |path: &str, bytes: &[u8]| Entry::new(path, bytes);
        let mut entries = vec![
            entry("modelDescription.xml", text.as_bytes()),
            entry("binaries/win64/CoupledClutches.dll", library),
        ];
        entries.extend(more.map(|bytes| entry("binaries/win64/ODD.dll", bytes)));
        archive::write(&path, entries).expect("it is written");
        both(&fmu().args(["check", "--no-run"]).arg(path).output().expect("the program starts"))
    };
    let place = "binaries/win64/CoupledClutches.dll";
    let missing = format!(
        "warning D011 {place} needs libraries that are neither in the FMU nor documented: odd.dll"
    );
    let alone = check(&library, None);
    assert!(alone.contains(&missing), "{alone}");
    assert!(alone.contains(&format!("error A001 {place} does not export 43 of 44")), "{alone}");
    let inspected = succeeds(fmu().arg("inspect").arg(folder.path().join("CoupledClutches.fmu")));
    assert!(inspected.contains("runs on       win64 (with odd.dll)\n"), "{inspected}");
    let shipped = check(&library, Some(&odd));
    assert!(!shipped.contains("D011") && !shipped.contains("D010"), "{shipped}");
    let inspected = succeeds(fmu().arg("inspect").arg(folder.path().join("CoupledClutches.fmu")));
    assert!(inspected.contains("runs on       win64\n"), "{inspected}");
    let confused = check(&linux, None);
    let wrong = format!("error D010 {place} is Elf for X86_64, not Pe for X86_64");
    assert!(confused.contains(&wrong), "{confused}");
}
