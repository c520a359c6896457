//! XML: a parser to a tree of elements with their lines, and the parsing of attribute values.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// An element of an XML document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// Its attributes in order.
    pub attributes: Vec<(String, String)>,
    /// Its child elements in order.
    pub children: Vec<Element>,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Whether it contains text other than blanks.
    pub has_text: bool,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The first child with a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    /// The children of the first child with a name: the items of a list.
    pub fn items(&self, list: &str) -> &[Element] {
        self.child(list).map_or(&[], |l| &l.children)
    }
}

/// Maximum depth of nested elements; no description has a larger one.
const DEEPEST: usize = 256;

/// Maximum number of elements and attributes, so that they fit into memory.
const MAX_PARTS: usize = 10_000_000;

/// Parses a document; a byte order mark before it is ignored.
///
/// # Errors
/// If the document is not well-formed or too large; the message names the line and the reason.
pub fn parse(text: &str) -> Result<Element, String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut parts = 0;
    let mut reader = Reader::from_str(text);
    let mut lines = Lines { text: text.as_bytes(), position: 0, line: 1 };
    let mut open: Vec<Element> = Vec::new();
    let mut root: Option<Element> = None;
    loop {
        let line = lines.at(reader.buffer_position());
        let fail = |reason: String| format!("line {line}: {reason}");
        match reader.read_event().map_err(|e| fail(e.to_string()))? {
            Event::Start(start) => {
                open.push(element(&start, line, &mut parts).map_err(fail)?);
                if open.len() > DEEPEST {
                    return Err(fail(format!(
                        "elements are nested more than {DEEPEST} levels deep"
                    )));
                }
            }
            Event::Empty(start) => {
                let element = element(&start, line, &mut parts).map_err(fail)?;
                close(element, &mut open, &mut root).map_err(fail)?;
            }
            Event::End(_) => {
                let element = open
                    .pop()
                    .ok_or_else(|| fail("there is an end tag without its element".into()))?;
                close(element, &mut open, &mut root).map_err(fail)?;
            }
            Event::Text(text) if text.xml10_content().trim().is_empty() => {}
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => match open.last_mut() {
                Some(element) => element.has_text = true,
                None => return Err(fail("there is text outside the root element".into())),
            },
            Event::DocType(_) => return Err(fail("a document type is not allowed".into())),
            Event::Eof if !open.is_empty() => {
                return Err(fail(format!("<{}> does not end", open[open.len() - 1].name)));
            }
            Event::Eof => return root.ok_or_else(|| fail("there is no element".into())),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
}

fn element(start: &BytesStart<'_>, line: usize, parts: &mut usize) -> Result<Element, String> {
    let mut attributes = Vec::new();
    *parts += 1;
    for attribute in start.attributes() {
        *parts += 1;
        if *parts > MAX_PARTS {
            break;
        }
        let attribute = attribute.map_err(|e| e.to_string())?;
        let value = attribute
            .normalized_value(XmlVersion::Explicit1_0)
            .map_err(|e| format!("attribute {}: {e}", attribute.key.0))?;
        if let Some(control) = value.chars().find(|c| *c < ' ' && !"\t\n\r".contains(*c)) {
            let code = u32::from(control);
            return Err(format!("attribute {}: U+{code:04X} is not allowed", attribute.key.0));
        }
        attributes.push((attribute.key.0.to_owned(), value.into_owned()));
    }
    if *parts > MAX_PARTS {
        return Err(format!("more than {MAX_PARTS} elements and attributes"));
    }
    let name = start.name().0.to_owned();
    Ok(Element { name, attributes, line, ..Element::default() })
}

fn close(element: Element, open: &mut [Element], root: &mut Option<Element>) -> Result<(), String> {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_some() => return Err("there is a second root element".to_owned()),
        None => *root = Some(element),
    }
    Ok(())
}

/// Counts lines at ascending positions.
struct Lines<'a> {
    text: &'a [u8],
    position: usize,
    line: usize,
}

impl Lines<'_> {
    fn at(&mut self, position: u64) -> usize {
        let position = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        let passed = &self.text[self.position.min(position)..position];
        self.line += passed.iter().filter(|b| **b == b'\n').count();
        self.position = position;
        self.line
    }
}

/// An `xs:double`.
pub fn double(text: &str) -> Option<f64> {
    match text.trim() {
        "INF" | "+INF" => Some(f64::INFINITY),
        "-INF" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        number if number.bytes().all(|b| b"0123456789+-.eE".contains(&b)) => number.parse().ok(),
        _ => None,
    }
}

/// An `xs:boolean`.
pub fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
