//! Tests that every rule about libraries finds violations, in files of each operating system.

use super::*;
use crate::archive::{binary, symbols};
use fmus::fmi::FUNCTIONS;
use fmus::platform::Platform;

/// A library of macOS for x86-64 that exports names; it consists of a header and a symbol table.
fn mach_o(names: &[String]) -> Vec<u8> {
    let mut strings = vec![0];
    let mut symbols: Vec<u8> = Vec::new();
    for name in names {
        symbols.extend(u32::try_from(strings.len()).unwrap().to_le_bytes());
        // An external symbol with an absolute value of zero.
        symbols.extend([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        strings.extend(name.bytes().chain([0]));
    }
    let (header, command) = (32, 24);
    let place = header + command + symbols.len();
    let numbers = [
        [0xfeed_facf, 0x0100_0007, 3, 6],
        [1, command as u32, 0, 0],
        [2, command as u32, (header + command) as u32, names.len() as u32],
        [place as u32, strings.len() as u32, 0, 0],
    ];
    let mut bytes: Vec<u8> = numbers.concat().into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.truncate(header + command);
    [bytes, symbols, strings].concat()
}

/// A file of macOS with a part for another architecture and one for x86-64.
fn universal(part: &[u8]) -> Vec<u8> {
    let other = [0xcafe_babe, 2, 12, 9, 48, 0, 0, 0x0100_0007, 3, 48, part.len() as u32, 0];
    let header = other.into_iter().flat_map(u32::to_be_bytes);
    header.chain(part.iter().copied()).collect()
}

fn findings(bytes: &[u8], platform: &str) -> Vec<String> {
    let path = format!("binaries/{platform}/A.x");
    let platform = Platform::of_folder(platform).unwrap();
    let findings = binary::on_platform(bytes, &path, &platform, Interfaces::Both);
    findings.iter().map(|f| format!("{} {} {}", f.severity.name(), f.rule, f.text)).collect()
}

#[test]
fn names_of_macos_carry_an_underscore() {
    let names: Vec<String> = FUNCTIONS.iter().map(|f| format!("_{f}")).collect();
    let none: [String; 0] = [];
    assert_eq!(findings(&mach_o(&names), "darwin64"), none);
    assert_eq!(findings(&universal(&mach_o(&names)), "darwin64"), none);
    let plain: Vec<String> = FUNCTIONS.iter().map(|f| f.to_string()).collect();
    assert_eq!(findings(&mach_o(&plain), "darwin64"), none);
}

#[test]
fn missing_and_additional_functions_are_one_line_each() {
    let mut names: Vec<String> = FUNCTIONS.iter().skip(7).map(|f| format!("_{f}")).collect();
    names.extend((0..5).map(|k| format!("_other{k}")));
    let listed = FUNCTIONS[..4].join(", ");
    assert_eq!(
        findings(&mach_o(&names), "darwin64"),
        [
            format!("error A001 binaries/darwin64/A.x does not export 7 of 44: {listed}, .."),
            "warning A008 binaries/darwin64/A.x also exports 5 other names: other0, other1, \
             other2, other3, .."
                .to_owned(),
        ]
    );
    let wrong = findings(&mach_o(&names), "linux64");
    assert_eq!(wrong[0], "error D010 binaries/linux64/A.x is MachO for X86_64, not Elf for X86_64");
}

#[test]
fn a_tree_of_exports_with_exponentially_many_branches_is_not_followed() {
    // Each of 60 nodes has two branches to the next one.
    let node = |k: u8| {
        let next = u16::from(k + 1) * 10;
        let to = [(next & 0x7f) as u8 | 0x80, (next >> 7) as u8];
        [&[0, 2, b'a', 0][..], &to, &[b'b', 0], &to].concat()
    };
    let tree: Vec<u8> = (0..60).flat_map(node).chain([0, 0]).collect();
    let (header, segment, command) = (32_u32, 72_u32, 16_u32);
    let (at, size) = (header + segment + command, tree.len() as u32);
    let numbers: Vec<u32> = [
        &[0xfeed_facf, 0x0100_0007, 3, 6, 2, segment + command, 0, 0][..],
        &[0x19, segment, 0, 0, 0, 0, 0, 0, size, 0, at, 0, size, 0, 1, 1, 0, 0],
        &[0x8000_0033, command, at, size],
    ]
    .concat();
    let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).chain(tree).collect();
    let name = header as usize + 8;
    bytes[name..name + 10].copy_from_slice(b"__LINKEDIT");
    let message = findings(&bytes, "darwin64");
    assert!(message[0].starts_with("error A001 binaries/darwin64/A.x does not export 44 of 44"));
}

#[cfg(target_os = "linux")]
#[test]
fn symbols_of_libraries_that_are_not_named_as_needed_are_found() {
    use std::collections::BTreeMap;
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let compile = |name: &str, text: &str, options: &[&str]| -> Vec<u8> {
        let (source, library) = (folder.path().join("a.c"), folder.path().join(name));
        std::fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-fno-builtin", "-o"]).arg(&library).arg(&source);
        let output = cc.args(options).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(library).unwrap()
    };
    let text = "double cos(double); double half(double); void *malloc(unsigned long);\n\
         __attribute__((weak)) void optional(void);\n\
         double f(double x) { if (optional) optional(); return malloc(1) ? cos(x) : half(x); }";
    let half = compile("libhalf.so", "double half(double x) { return x / 2; }", &[]);
    let beside: BTreeMap<&str, &[u8]> = [("libhalf.so", half.as_slice())].into();
    let forgotten = compile("a.so", text, &[]);
    assert_eq!(
        symbols::undefined(&forgotten, &beside),
        [
            "does not name libm.so.6 as needed, but uses 1 of its symbols: cos",
            "uses 1 symbol that neither it nor the libraries it names define: half",
        ]
    );
    let complete = compile("b.so", text, &["-lm", "-L.", "-lhalf"]);
    let none: [&str; 0] = [];
    assert_eq!(symbols::undefined(&complete, &beside), none);
    // A needed library that is not found here may define every symbol.
    assert_eq!(symbols::undefined(&complete, &BTreeMap::new()), none);
}
