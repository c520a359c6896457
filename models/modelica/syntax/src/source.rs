//! Files of Modelica text, places in them, and complaints about places.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

/// A file of Modelica text.
#[derive(Debug)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// Its content.
    pub text: String,
}

/// The text of bytes in the encoding UTF-8, or in Windows-1252, of which Latin-1 is a part; and
/// whether it is the second one. `None` if it is neither.
pub fn decoded(bytes: Vec<u8>) -> Option<(String, bool)> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(other) => {
            let characters = other.as_bytes().iter().map(|byte| of_windows(*byte));
            (characters.collect::<Option<String>>()?, true)
        }
    };
    Some(match text.0.strip_prefix('\u{feff}') {
        Some(after_mark) => (after_mark.to_owned(), text.1),
        None => text,
    })
}

/// The character of a byte in Windows-1252; `None` for the five bytes without one, and for the byte
/// 0, which no text contains.
fn of_windows(byte: u8) -> Option<char> {
    const FROM_80: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0',
        '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    let character = match byte {
        0x80..=0x9f => FROM_80[usize::from(byte - 0x80)],
        other => char::from(other),
    };
    (character != '\0').then_some(character)
}

/// A place: bytes of a file.
#[derive(Clone, Debug)]
pub struct Span {
    /// The file.
    pub file: Rc<File>,
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The place that contains two places in the same file.
    pub fn to(&self, other: &Span) -> Span {
        let (start, end) = (self.start.min(other.start), self.end.max(other.end));
        Span { file: Rc::clone(&self.file), start, end }
    }

    /// The text there.
    pub fn text(&self) -> &str {
        &self.file.text[self.start..self.end]
    }

    /// Line and column of its start, counted from 1; a column is a character.
    pub fn line_and_column(&self) -> (usize, usize) {
        let before = &self.file.text[..self.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }

    /// `file:line:column`.
    pub fn place(&self) -> String {
        let (line, column) = self.line_and_column();
        format!("{}:{line}:{column}", self.file.path.display())
    }
}

/// What is wrong at a place.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// The place, if there is one.
    pub span: Option<Span>,
    /// One sentence.
    pub sentence: String,
}

impl Complaint {
    /// A complaint about a place.
    pub fn at(span: &Span, sentence: impl Into<String>) -> Self {
        Complaint { span: Some(span.clone()), sentence: sentence.into() }
    }

    /// A complaint that belongs to no place.
    pub fn general(sentence: impl Into<String>) -> Self {
        Complaint { span: None, sentence: sentence.into() }
    }

    /// The same at a place, if it has none.
    pub fn or_at(self, span: &Span) -> Self {
        Complaint { span: self.span.or_else(|| Some(span.clone())), ..self }
    }

    /// `file:line:column: sentence`, the line, and a caret.
    pub fn describe(&self) -> String {
        let Some(span) = &self.span else { return self.sentence.clone() };
        let (line, column) = span.line_and_column();
        let mut text = format!("{}: {}", span.place(), self.sentence);
        let whole = span.file.text.lines().nth(line - 1).unwrap_or_default();
        // A caret below a very long line helps nobody.
        if whole.chars().count() <= 160 {
            let indent: String =
                whole.chars().take(column - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
            let rest = whole.chars().count().saturating_sub(column - 1).max(1);
            let width = span.text().lines().next().unwrap_or_default().chars().count();
            let carets = "^".repeat(width.clamp(1, rest));
            let _ = write!(text, "\n    {whole}\n    {indent}{carets}");
        }
        text
    }
}

/// What is wrong: at least one complaint.
pub type Complaints = Vec<Complaint>;

/// A result whose error is one complaint.
pub type Checked<T> = Result<T, Complaint>;
