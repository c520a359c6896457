//! The documentation of a class, whose HTML becomes Markdown.
//!
//! What Markdown cannot state, such as colours, is left out. Links that lead into the library, and
//! pictures, become their texts.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

/// The Markdown of `Documentation(info = ..)`: HTML if it begins so, and plain text otherwise.
pub fn markdown(info: &str) -> String {
    let info = info.trim();
    let mut writer = Writer::default();
    if !info.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("<html")) {
        for paragraph in info.split("\n\n") {
            writer.block("");
            writer.text(paragraph);
        }
        return writer.finished();
    }
    let mut reader = Reader::from_str(info);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    loop {
        let before = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => writer.event(&event),
            Err(_) => {
                // The rest is no HTML.
                writer.text(info.get(before..).unwrap_or_default());
                break;
            }
        }
    }
    writer.finished()
}

/// Elements whose content is not shown.
const HIDDEN: [&str; 3] = ["script", "style", "title"];

/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 12] = [
    "p",
    "div",
    "blockquote",
    "center",
    "dl",
    "dt",
    "dd",
    "caption",
    "table",
    "section",
    "ul",
    "ol",
];

/// Lists inside of more lists are not indented further.
const DEEPEST_LIST: usize = 10;

/// Writes Markdown.
#[derive(Default)]
struct Writer {
    out: String,
    /// The number of the next item of each open list; `None` for lists without numbers.
    lists: Vec<Option<usize>>,
    /// What ends the open parts of a line: marks, and links with their addresses.
    open: Vec<(String, String)>,
    /// Marks that wait for a text.
    waiting: String,
    /// How many elements with hidden content are open.
    hidden: usize,
    /// Whether lines are kept as they are.
    is_pre: bool,
    /// The code of an open element.
    code: Option<String>,
    /// Whether an item of a list has begun, without a text so far.
    begins_item: bool,
    /// The number of cells in the open row of a table.
    row: Option<usize>,
    /// The number of rows of the table before it.
    rows: usize,
}

impl Writer {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::Empty(tag) => {
                self.start(tag);
                self.end(&name_of(tag));
            }
            Event::End(tag) => {
                let name = tag.name();
                self.end(&name.as_ref().to_ascii_lowercase());
            }
            Event::Text(text) => self.text(text),
            Event::CData(text) => self.text(text),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(letter)) => self.text(&letter.to_string()),
                _ => match resolve_predefined_entity(reference) {
                    Some(text) => self.text(text),
                    None => self.entity(reference),
                },
            },
            _ => {}
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        let name = name_of(tag);
        let attribute = |wanted: &str| {
            let found = tag.html_attributes().flatten();
            let mut found = found.filter(|of| of.key.as_ref().eq_ignore_ascii_case(wanted));
            found.next().map(|of| of.value.to_string())
        };
        match name.as_str() {
            name if HIDDEN.contains(&name) => self.hidden += 1,
            "h1" | "h2" | "h3" => self.block("## "),
            "h4" | "h5" | "h6" => self.block("### "),
            "ul" => self.list(None),
            "ol" => self.list(Some(1)),
            "li" => self.item(),
            "table" => {
                self.block("");
                self.rows = 0;
            }
            "tr" => self.begin_row(),
            "td" | "th" => self.cell(),
            "pre" => {
                self.block("```\n");
                (self.is_pre, self.begins_item) = (true, false);
            }
            name if BLOCKS.contains(&name) => self.block(""),
            "br" if self.row.is_some() => self.text(" "),
            "br" => self.out.push_str("\\\n"),
            "hr" => self.block("---"),
            "code" | "tt" | "kbd" if !self.is_pre => self.code = Some(String::new()),
            "strong" | "b" => self.mark("b", "**"),
            "em" | "i" => self.mark("i", "*"),
            "a" => {
                let address = attribute("href").filter(|address| address.starts_with("http"));
                if let Some(address) = address {
                    self.waiting.push('[');
                    let address = address.replace([' ', ')', '\n'], "");
                    self.open.push(("a".to_owned(), format!("]({address})")));
                }
            }
            "img" => {
                let text = attribute("alt").unwrap_or_default();
                self.text(&text);
            }
            "sub" => self.text("_"),
            "sup" => self.text("^"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            name if HIDDEN.contains(&name) => self.hidden = self.hidden.saturating_sub(1),
            "ul" | "ol" => {
                self.lists.pop();
                self.begins_item = false;
                self.block("");
            }
            "td" | "th" => self.close(0),
            "tr" => self.end_row(),
            "pre" if self.is_pre => {
                self.is_pre = false;
                let line = if self.out.ends_with('\n') { "```" } else { "\n```" };
                self.out.push_str(line);
                self.block("");
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.block(""),
            name if BLOCKS.contains(&name) => self.block(""),
            "code" | "tt" | "kbd" => {
                if let Some(code) = self.code.take().filter(|code| !code.trim().is_empty()) {
                    let code = code.split_whitespace().collect::<Vec<_>>().join(" ");
                    self.inline(&format!("`{}`", code.replace('`', "'")));
                }
            }
            "strong" | "b" => self.close_mark("b"),
            "em" | "i" => self.close_mark("i"),
            "a" => self.close_mark("a"),
            _ => {}
        }
    }

    fn mark(&mut self, name: &str, mark: &str) {
        if !self.open.iter().any(|(open, _)| open == name) {
            self.waiting.push_str(mark);
            self.open.push((name.to_owned(), mark.to_owned()));
        }
    }

    fn close_mark(&mut self, name: &str) {
        if let Some(at) = self.open.iter().position(|(open, _)| open == name) {
            self.close(at);
        }
    }

    /// Ends the open parts of a line from this one on.
    fn close(&mut self, from: usize) {
        if self.open.len() <= from {
            return;
        }
        let begun = self.waiting.is_empty();
        self.waiting.clear();
        let closed: String = self.open.drain(from..).rev().map(|(_, end)| end).collect();
        if begun {
            let end = self.out.trim_end_matches(' ').len();
            let blanks = self.out.split_off(end);
            self.out.push_str(&closed);
            self.out.push_str(&blanks);
        }
    }

    /// Begins a paragraph.
    fn block(&mut self, begin: &str) {
        self.close(0);
        if self.row.is_some() {
            return self.text(" ");
        }
        if self.begins_item {
            return self.out.push_str(begin);
        }
        self.trim(&[' ', '\n']);
        if !self.out.is_empty() {
            self.out.push_str("\n\n");
            self.out.push_str(&self.indent(0));
        }
        self.out.push_str(begin);
    }

    /// What lines inside of all lists begin with, without so many open lists.
    fn indent(&self, without: usize) -> String {
        "   ".repeat(self.lists.len().min(DEEPEST_LIST).saturating_sub(without))
    }

    fn list(&mut self, first: Option<usize>) {
        self.block("");
        self.lists.push(first);
    }

    fn item(&mut self) {
        let Some(number) = self.lists.last_mut() else { return self.block("") };
        let mark = match number {
            Some(number) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            None => "*  ".to_owned(),
        };
        self.close(0);
        let indent = self.indent(1);
        self.trim(&[' ', '\n']);
        let gap = if self.out.is_empty() { "" } else { "\n" };
        let gap = if self.lists.len() == 1 { gap.repeat(2) } else { gap.to_owned() };
        self.out.push_str(&format!("{gap}{indent}{mark}"));
        self.begins_item = true;
    }

    /// Removes letters at the end.
    fn trim(&mut self, letters: &[char]) {
        self.out.truncate(self.out.trim_end_matches(letters).len());
    }

    fn begin_row(&mut self) {
        if self.rows == 0 {
            self.block("");
        }
        self.row = Some(0);
        self.out.push('|');
    }

    fn cell(&mut self) {
        self.close(0);
        self.trim(&[' ']);
        let Some(cells) = &mut self.row else { return };
        *cells += 1;
        if *cells > 1 {
            self.out.push_str(" |");
        }
        self.out.push(' ');
    }

    fn end_row(&mut self) {
        self.close(0);
        let Some(cells) = self.row.take() else { return };
        self.trim(&[' ']);
        self.out.push_str(" |\n");
        if self.rows == 0 {
            self.out.push_str(&format!("|{}\n", "---|".repeat(cells.max(1))));
        }
        self.rows += 1;
    }

    fn text(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        if self.is_pre {
            let is_first = self.out.ends_with("```\n");
            let text = if is_first { text.trim_start_matches(['\r', '\n']) } else { text };
            self.out.push_str(&text.replace("```", "'''"));
            return;
        }
        if let Some(code) = &mut self.code {
            code.push_str(text);
            return;
        }
        let at_start = self.out.is_empty() || self.out.ends_with([' ', '\n']);
        let mut words = text.split_whitespace().peekable();
        let begins_blank = text.starts_with(char::is_whitespace);
        let ends_blank = text.ends_with(char::is_whitespace);
        if begins_blank && !at_start {
            self.out.push(' ');
        }
        let is_empty = words.peek().is_none();
        let line: Vec<String> = words.map(escaped).collect();
        if !is_empty {
            self.inline(&line.join(" "));
            if ends_blank {
                self.out.push(' ');
            }
        }
    }

    /// Writes a letter by its name, which Markdown knows.
    fn entity(&mut self, name: &str) {
        let is_name = name.bytes().all(|c| c.is_ascii_alphanumeric());
        match (is_name, name) {
            (_, "nbsp") => self.text(" "),
            (true, _) if !self.is_pre && self.code.is_none() && self.hidden == 0 => {
                self.inline(&format!("&{name};"));
            }
            _ => self.text(&format!("&{name};")),
        }
    }

    /// Writes Markdown in a line, after the marks that wait for it.
    fn inline(&mut self, markdown: &str) {
        self.begins_item = false;
        let waiting = std::mem::take(&mut self.waiting);
        self.out.push_str(&waiting);
        self.out.push_str(markdown);
    }

    fn finished(mut self) -> String {
        self.close(0);
        if self.is_pre {
            self.out.push_str("\n```");
        }
        self.out.trim().to_owned()
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    tag.name().as_ref().to_ascii_lowercase()
}

/// A word whose letters mean nothing in Markdown.
fn escaped(word: &str) -> String {
    let is_item = word.trim_end_matches(['.', ')']).bytes().all(|c| c.is_ascii_digit());
    let is_item = is_item && word.ends_with(['.', ')']);
    let is_mark =
        matches!(word, "-" | "+" | "=") || word.starts_with("---") || word.starts_with("===");
    let mut escaped = String::new();
    for (at, letter) in word.char_indices() {
        let after = word[at + letter.len_utf8()..].chars().next();
        let before = word[..at].chars().next_back();
        let is_inside = |of: Option<char>| of.is_some_and(char::is_alphanumeric);
        let special = match letter {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' => true,
            '_' => !(is_inside(before) && is_inside(after)),
            '&' => after.is_some_and(|after| after.is_ascii_alphanumeric() || after == '#'),
            '#' | '>' | '~' | '-' | '+' | '=' => at == 0 && (is_mark || "#>~".contains(letter)),
            '.' | ')' => is_item,
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_becomes_markdown() {
        for (html, expected) in [
            ("<html><p>A <b>drive</b>\n  train.</p><p>Two</p></html>", "A **drive** train.\n\nTwo"),
            ("<html>a <strong> bold </strong>word", "a **bold** word"),
            ("<HTML><h4>Title</h4>x<br>y", "### Title\n\nx\\\ny"),
            ("<html><ul><li>one</li><li>two <em>2</em></ul>after", "*  one\n\n*  two *2*\n\nafter"),
            ("<html><ol><li><p>one</p><li>two</ol>", "1. one\n\n2. two"),
            (
                "<html><a href=\"modelica://M.X\">M.X</a>, <a href='https://x.org'>x</a>",
                "M.X, [x](https://x.org)",
            ),
            (
                "<html><img src=\"modelica://a.png\" alt=\"a rod\"> &alpha; &lt; &#946; &foo;",
                "a rod &alpha; \\< \u{3b2} &foo;",
            ),
            ("<html><pre>\na  = b\n  c\n</pre>d", "```\na  = b\n  c\n```\n\nd"),
            ("<html><code>J*w</code> a*b n_1 _x_", "`J*w` a\\*b n_1 \\_x\\_"),
            (
                "<html><table><tr><th>a<th>b</tr><tr><td><p>1</p></td><td>2</td></tr></table>",
                "| a | b |\n|---|---|\n| 1 | 2 |",
            ),
            ("<html><script>alert(1)</script>x<sub>1</sub>", "x\\_1"),
            ("<html>a < b", "a \\< b"),
            ("Plain <text>.\n\n- Two", "Plain \\<text>.\n\n\\- Two"),
            ("<html></b></p><b><i>x</html>", "***x***"),
        ] {
            assert_eq!(markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn damaged_html_is_no_failure() {
        let html = "<html><ol><li><b>a</b> &lt;<ul><li>b</ul></ol><table><tr><td>c &amp; d</td></tr>\
                    </table><pre>e</pre><a href=\"http://x.org\">f</a><!-- g --><code>h</code></html>";
        for at in 0..html.len() {
            let [begin, end] = [&html[..at], &html[at..]];
            for damaged in [begin.to_owned(), format!("<html>{end}"), format!("{begin}<{end}")] {
                let text = markdown(&damaged);
                assert!(text.len() < 3 * damaged.len() + 20, "{damaged}: {text}");
            }
        }
        let deep = format!("<html>{}x", "<ul><li><b>".repeat(20_000));
        assert!(markdown(&deep).contains('x'));
    }
}
