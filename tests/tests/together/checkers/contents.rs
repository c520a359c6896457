//! Tests of the contents of FMUs and of their libraries.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use coupler_tests::{Fmu, root, target};

fn readelf(option: &str, library: &Path) -> String {
    let output = Command::new("readelf").args(["--wide", option]).arg(library).output();
    String::from_utf8_lossy(&output.expect("readelf is needed").stdout).into_owned()
}

// FMI: D010, D021
#[test]
fn a_library_needs_only_the_c_library_and_its_companions() {
    let known = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"];
    for fmu in Fmu::all() {
        let text = readelf("--dynamic", fmu.library());
        let needed: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("(NEEDED)"))
            .filter_map(|line| line.split(['[', ']']).nth(1))
            .collect();
        assert!(!needed.is_empty(), "readelf lists what {} needs", fmu.name());
        assert!(needed.iter().all(|n| known.contains(n)), "{}: {needed:?}", fmu.name());
        assert!(!text.contains("RPATH") && !text.contains("RUNPATH"), "{}", fmu.name());
    }
}

// FMI: A001, A002, A008
#[test]
fn a_library_exports_the_44_functions_and_nothing_else() {
    for fmu in Fmu::all() {
        let text = readelf("--dyn-syms", fmu.library());
        let defined: BTreeSet<&str> = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .filter(|words| words.len() == 8 && words[6] != "UND" && words[6] != "Ndx")
            .map(|words| words[7])
            .collect();
        assert_eq!(defined.len(), 44, "{}: {defined:?}", fmu.name());
        assert!(defined.iter().all(|name| name.starts_with("fmi2")), "{defined:?}");
    }
}

#[test]
fn no_library_contains_the_folder_in_which_it_was_built() {
    let mut places = vec![root(), target()];
    places.extend(["HOME", "CARGO_HOME"].into_iter().filter_map(std::env::var_os).map(Into::into));
    for fmu in Fmu::all() {
        let bytes = fs::read(fmu.library()).expect("the library is there");
        let text = String::from_utf8_lossy(&bytes);
        for place in &places {
            let place = place.to_string_lossy();
            assert!(place.len() < 2 || !text.contains(&*place), "{}: {place}", fmu.name());
        }
        assert!(!text.contains(".cargo/registry"), "{}: the registry's folder", fmu.name());
    }
}

#[test]
fn no_fmu_is_larger_than_a_megabyte() {
    for fmu in Fmu::all() {
        let size = fs::metadata(&fmu.path).expect("the FMU is there").len();
        assert!(size <= 1 << 20, "{}: {size} bytes", fmu.name());
    }
}
