//! Messages to the importer.
//!
//! Each message is one line, has a category of the standard, and is formatted without allocation.

use crate::fmi::fmi2::{fmi2Error, fmi2Status, fmi2Warning};
use std::ffi::CStr;
use std::fmt::{self, Write};

/// The categories of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Category {
    /// The changes at state, time and input events.
    Events,
    /// Difficulties of the iteration of nonlinear equations.
    NonlinearSystems,
    /// Messages with status `fmi2Warning`.
    StatusWarning,
    /// Messages with status `fmi2Discard`.
    StatusDiscard,
    /// Messages with status `fmi2Error`.
    StatusError,
    /// Messages with status `fmi2Fatal`.
    StatusFatal,
    /// Enables the messages of all categories. Every message has one of the other categories.
    All,
}

/// Names and descriptions of the categories, as modelDescription.xml lists them.
pub const LOG_CATEGORIES: [(&CStr, &str); 7] = [
    (c"logEvents", "Changes of relations, discrete variables and states at events"),
    (c"logNonlinearSystems", "Difficulties of the iteration of nonlinear equations"),
    (c"logStatusWarning", "Messages with status fmi2Warning"),
    (c"logStatusDiscard", "Messages with status fmi2Discard"),
    (c"logStatusError", "Messages with status fmi2Error"),
    (c"logStatusFatal", "Messages with status fmi2Fatal"),
    (c"logAll", "All messages"),
];

const EVERYTHING: u8 = 0x7f;

/// A line of text in a fixed buffer; text that does not fit is cut off.
pub(crate) struct LogLine {
    bytes: [u8; LogLine::CAPACITY],
    length: usize,
}

impl LogLine {
    const CAPACITY: usize = 1024;

    const fn new() -> LogLine {
        LogLine { bytes: [0; LogLine::CAPACITY], length: 0 }
    }

    fn clear(&mut self) {
        self.length = 0;
        self.bytes[0] = 0;
    }

    fn push(&mut self, character: char) {
        let size = character.len_utf8();
        if self.length + size < LogLine::CAPACITY {
            character.encode_utf8(&mut self.bytes[self.length..]);
            self.length += size;
            self.bytes[self.length] = 0;
        } else {
            self.length = LogLine::CAPACITY;
        }
    }

    fn text(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }
}

impl Write for LogLine {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                // A single `#` would begin a reference to a variable.
                '#' => {
                    self.push('#');
                    self.push('#');
                }
                '\0' => {}
                '\n' | '\r' => self.push(' '),
                other => self.push(other),
            }
        }
        Ok(())
    }
}

/// A receiver of messages.
pub(crate) trait Sink {
    /// Receives a message.
    fn log(&self, status: fmi2Status, category: &CStr, text: &CStr);
}

/// The connection of an instance to the importer's logger.
pub(crate) struct Log {
    sink: Box<dyn Sink>,
    enabled: u8,
    line: LogLine,
    /// Why the last call was discarded; empty if nothing was, or if it no longer matters.
    kept: LogLine,
}

impl Log {
    pub(crate) fn new(sink: Box<dyn Sink>, logging_on: bool) -> Log {
        let enabled = if logging_on { EVERYTHING } else { 0 };
        Log { sink, enabled, line: LogLine::new(), kept: LogLine::new() }
    }

    /// Whether messages of the category are wanted.
    #[inline]
    pub(crate) fn wants(&self, category: Category) -> bool {
        self.enabled & (1 << category as u8) != 0
    }

    /// Enables the categories with these names, or all if none is given.
    ///
    /// An unknown name changes nothing and gives false.
    pub(crate) fn select<'a>(
        &mut self,
        logging_on: bool,
        names: impl Iterator<Item = Option<&'a CStr>>,
    ) -> bool {
        let mut selected = 0;
        for name in names {
            match LOG_CATEGORIES.iter().position(|category| Some(category.0) == name) {
                Some(index) => selected |= 1 << index,
                None => return false,
            }
        }
        if selected == 0 || selected & (1 << Category::All as u8) != 0 {
            selected = EVERYTHING;
        }
        self.enabled = if logging_on { selected } else { 0 };
        true
    }

    /// Sends a line. Warnings and errors are always sent: by the standard, an importer can switch
    /// off debug logging, but its logger is called for every warning and error. Other messages are
    /// sent if their category is enabled; a discarded call may be part of the importer's search.
    pub(crate) fn send(&mut self, status: fmi2Status, category: Category, text: fmt::Arguments) {
        if status == fmi2Warning || status >= fmi2Error || self.wants(category) {
            self.send_always(status, category, text);
        }
    }

    /// Keeps the reason why a call was discarded.
    #[cold]
    pub(crate) fn keep(&mut self, text: fmt::Arguments) {
        self.kept.clear();
        let _ = self.kept.write_fmt(text);
    }

    /// Forgets the reason why a call was discarded: the importer has found another way.
    #[inline]
    pub(crate) fn forget(&mut self) {
        if self.kept.length > 0 {
            self.kept.clear();
        }
    }

    /// Sends the reason why the last call was discarded, if it still matters, as a warning: some
    /// importers, such as OpenModelica, show no messages about discarded calls.
    pub(crate) fn send_kept(&mut self) {
        if self.kept.length > 0 {
            let category = LOG_CATEGORIES[Category::StatusWarning as usize].0;
            self.sink.log(fmi2Warning, category, self.kept.text());
            self.kept.clear();
        }
    }

    /// Sends a line, whichever categories are enabled.
    pub(crate) fn send_always(
        &mut self,
        status: fmi2Status,
        category: Category,
        text: fmt::Arguments,
    ) {
        self.line.clear();
        // Writing to a line cannot fail, and a faulty implementation of `Display` only shortens it.
        let _ = self.line.write_fmt(text);
        self.sink.log(status, LOG_CATEGORIES[category as usize].0, self.line.text());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_within_its_buffer_and_never_inside_a_character() {
        let mut line = LogLine::new();
        for _ in 0..LogLine::CAPACITY {
            line.write_str("ä€").unwrap();
        }
        assert!(line.text().to_bytes().len() < LogLine::CAPACITY);
        assert!(line.text().to_str().is_ok());
    }

    #[test]
    fn hash_signs_are_doubled_and_line_breaks_become_blanks() {
        let mut line = LogLine::new();
        line.write_str("a#1\nb\0c").unwrap();
        assert_eq!(line.text().to_bytes(), b"a##1 bc");
    }
}
