//! The results of a check as JUnit XML, which build servers show as tests.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::TOOL;
use crate::results::checked::{CheckedFile, JudgedFinding, is_refusal};
use fmus::wording::printable;

/// How a test case ended.
#[derive(Clone, Copy, PartialEq)]
enum CaseEnd {
    /// It says what was found, if anything.
    Passed,
    /// The element of a case that did not pass.
    Not(&'static str),
}

/// A test case: a finding, or the check of a file without findings.
struct TestCase {
    name: String,
    end: CaseEnd,
    text: String,
}

/// A document with a test suite for each file, and a test case for each finding: findings that
/// refuse the file fail, accepted findings are skipped, and all others pass and contain their text.
///
/// # Errors
/// If the text cannot be written.
pub fn junit(files: &[CheckedFile], strict: bool) -> io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites: Vec<_> = files.iter().map(|file| (file, cases(file, strict))).collect();
    let all = || suites.iter().flat_map(|(_, cases)| cases);
    let root = writer
        .create_element("testsuites")
        .with_attribute(("name", TOOL))
        .with_attributes(counts(all()).iter().map(|(name, count)| (*name, count.as_str())));
    root.write_inner_content(|writer| {
        suites.iter().try_for_each(|(file, cases)| suite(writer, file, cases))
    })?;
    String::from_utf8(writer.into_inner()).map_err(io::Error::other)
}

/// The attributes that count cases.
fn counts<'a>(cases: impl Iterator<Item = &'a TestCase> + Clone) -> [(&'static str, String); 3] {
    let count = |end| cases.clone().filter(|case| case.end == CaseEnd::Not(end)).count();
    let (failures, errors) = (count("failure").to_string(), count("error").to_string());
    [("tests", cases.count().to_string()), ("failures", failures), ("errors", errors)]
}

fn suite(writer: &mut Writer<Vec<u8>>, file: &CheckedFile, cases: &[TestCase]) -> io::Result<()> {
    let name = printable(&file.path.to_string_lossy());
    let skipped = cases.iter().filter(|case| case.end == CaseEnd::Not("skipped")).count();
    let (skipped, time) = (skipped.to_string(), format!("{:.3}", file.seconds));
    let element = writer
        .create_element("testsuite")
        .with_attribute(("name", name.as_str()))
        .with_attributes(counts(cases.iter()).iter().map(|(n, count)| (*n, count.as_str())))
        .with_attribute(("skipped", skipped.as_str()))
        .with_attribute(("time", time.as_str()));
    element.write_inner_content(|writer| {
        cases.iter().try_for_each(|case| {
            let element = writer
                .create_element("testcase")
                .with_attribute(("classname", name.as_str()))
                .with_attribute(("name", case.name.as_str()));
            write_end(element, case)
        })
    })?;
    Ok(())
}

fn write_end(
    element: quick_xml::writer::ElementWriter<'_, Vec<u8>>,
    case: &TestCase,
) -> io::Result<()> {
    let text = BytesText::new(&case.text);
    element.write_inner_content(|writer| {
        match case.end {
            CaseEnd::Passed => writer.create_element("system-out").write_text_content(text)?,
            CaseEnd::Not(end) => writer
                .create_element(end)
                .with_attribute(("message", case.text.as_str()))
                .write_text_content(text)?,
        };
        Ok(())
    })?;
    Ok(())
}

fn cases(file: &CheckedFile, strict: bool) -> Vec<TestCase> {
    let mut cases: Vec<TestCase> =
        file.findings.iter().map(|judged| case(judged, strict)).collect();
    if let Some(fault) = &file.fault {
        let text = printable(fault);
        cases.push(TestCase { name: "fmu check".to_owned(), end: CaseEnd::Not("error"), text });
    }
    if cases.is_empty() {
        let text = match &file.platforms[..] {
            [] => "no problems found".to_owned(),
            platforms => format!("no problems found; it runs on {}", platforms.join(", ")),
        };
        cases.push(TestCase { name: TOOL.to_owned(), end: CaseEnd::Passed, text });
    }
    cases
}

fn case(judged: &JudgedFinding, strict: bool) -> TestCase {
    let finding = &judged.finding;
    let end = match judged.accepted {
        true => CaseEnd::Not("skipped"),
        false if is_refusal(finding, strict) => CaseEnd::Not("failure"),
        false => CaseEnd::Passed,
    };
    let name = printable(&format!("{} {}", finding.rule, finding.text)).replace('\n', " ");
    TestCase { name, end, text: printable(&finding.to_string()) }
}
