//! Parses the lines that `cargo test` prints.

/// The reason of an ignored test that states none.
const NO_REASON: &str = "it is marked `ignore`";

/// A line of `cargo test`.
#[derive(Debug, PartialEq)]
pub enum Line<'a> {
    /// A test program begins; its name.
    Program(String),
    /// A test is listed.
    Listed(&'a str),
    /// A test has ended.
    Ended(&'a str, TestOutcome<'a>),
    /// A test, or a part of it, was skipped.
    Skipped {
        /// The name of the test.
        test: &'a str,
        /// The reason.
        reason: &'a str,
    },
    /// The results of a test program.
    Result,
    /// Something else.
    Other,
}

/// How a test ended.
#[derive(Debug, PartialEq)]
pub enum TestOutcome<'a> {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It did not run, with the reason.
    Ignored(&'a str),
}

impl<'a> Line<'a> {
    /// Reads a line.
    pub fn read(line: &'a str) -> Line<'a> {
        if let Some(program) = program(line.trim_start()) {
            return Line::Program(program);
        }
        if let Some(test) = line.strip_suffix(": test") {
            return Line::Listed(test);
        }
        if line.starts_with("test result: ") {
            return Line::Result;
        }
        if let Some((test, reason)) =
            line.strip_prefix("skipped: ").and_then(|rest| rest.split_once(": "))
        {
            return Line::Skipped { test, reason };
        }
        let ended = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... "));
        let outcome = |word: &'a str| match word {
            "ok" => Some(TestOutcome::Passed),
            "FAILED" => Some(TestOutcome::Failed),
            word => {
                let why = word.strip_prefix("ignored")?.trim_start_matches(", ");
                Some(TestOutcome::Ignored(if why.is_empty() { NO_REASON } else { why }))
            }
        };
        match ended.and_then(|(test, word)| Some((test, outcome(word)?))) {
            Some((test, outcome)) => {
                Line::Ended(test.strip_suffix(" - should panic").unwrap_or(test), outcome)
            }
            None => Line::Other,
        }
    }
}

/// The name of the program that a line of cargo announces: `Running tests/a.rs (target/../a-1f)`,
/// `Doc-tests a`.
fn program(line: &str) -> Option<String> {
    if let Some(package) = line.strip_prefix("Doc-tests ") {
        return Some(format!("documentation of {package}"));
    }
    let (source, path) = line.strip_prefix("Running ")?.split_once(" (")?;
    let file = path.strip_suffix(')')?.rsplit(['/', '\\']).next()?;
    let name = file.rsplit_once('-').map_or(file, |(name, _)| name);
    Some(if source.starts_with("unittests") { format!("{name}, unit tests") } else { name.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_what_cargo_announces() {
        let unit = "     Running unittests src/lib.rs (target/debug/deps/mechanics-4c3f)";
        assert_eq!(Line::read(unit), Line::Program("mechanics, unit tests".to_owned()));
        let tests = "     Running tests/together/main.rs (/a/deps/together-4c3f)";
        assert_eq!(Line::read(tests), Line::Program("together".to_owned()));
        let docs = "   Doc-tests coupler";
        assert_eq!(Line::read(docs), Line::Program("documentation of coupler".to_owned()));
    }

    #[test]
    fn tests_are_known_by_what_their_harness_prints() {
        assert_eq!(Line::read("loops::rings::a: test"), Line::Listed("loops::rings::a"));
        assert_eq!(Line::read("test a::b ... ok"), Line::Ended("a::b", TestOutcome::Passed));
        let panics = "test a - should panic ... FAILED";
        assert_eq!(Line::read(panics), Line::Ended("a", TestOutcome::Failed));
        let docs = "test src/lib.rs - m (line 7) ... ignored";
        let ended = Line::Ended("src/lib.rs - m (line 7)", TestOutcome::Ignored(NO_REASON));
        assert_eq!(Line::read(docs), ended);
        let why = Line::read("test a ... ignored, not today");
        assert_eq!(why, Line::Ended("a", TestOutcome::Ignored("not today")));
        assert_eq!(Line::read("test result: ok. 3 passed; 0 failed"), Line::Result);
        assert_eq!(Line::read("thread 'a' panicked at b.rs"), Line::Other);
    }

    #[test]
    fn a_skipped_test_is_known_with_its_reason() {
        let line = Line::read("skipped: memory::leaks: valgrind is not installed: no `valgrind`");
        let reason = "valgrind is not installed: no `valgrind`";
        assert_eq!(line, Line::Skipped { test: "memory::leaks", reason });
    }
}
