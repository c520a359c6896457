//! Annotations of classes that stand among elements or equations, as earlier versions of the
//! language allowed: the parser gets them at the end of their class.

use super::nesting::{begins_class, next_token};
use std::ops::Range;

/// A text for the parser, made of parts of another one.
pub struct Arranged {
    /// The text.
    pub text: String,
    /// Where its parts begin, in it and in the original text.
    parts: Vec<(usize, usize)>,
}

impl Arranged {
    /// The byte of the original text at a byte of this one.
    pub fn original(&self, at: usize) -> usize {
        let part = self.parts.partition_point(|(begin, _)| *begin <= at);
        let (begin, original) = part.checked_sub(1).map_or((0, 0), |part| self.parts[part]);
        original + (at - begin)
    }

    fn push(&mut self, text: &str, original: usize) {
        if !text.is_empty() {
            self.parts.push((self.text.len(), original));
            self.text.push_str(text);
        }
    }
}

/// An annotation of a class.
struct Annotation {
    /// From its first letter to its semicolon.
    whole: Range<usize>,
    /// What its parentheses contain.
    content: Range<usize>,
}

/// A class whose end was not found yet.
#[derive(Default)]
struct Class {
    annotations: Vec<Annotation>,
    /// Whether its name was found.
    is_named: bool,
    /// Whether more than its name and its description was found.
    has_content: bool,
}

impl Class {
    /// Notes the next word or sign.
    fn read(&mut self, token: &str) {
        self.has_content |= self.is_named && !matches!(token, "\"" | "+");
        self.is_named = true;
    }
}

/// What changes at a byte.
enum Change {
    Remove(usize),
    /// Annotations as one.
    Insert(Vec<Annotation>),
}

/// A text with one annotation for each class, at its end.
pub fn at_ends(text: &str) -> Arranged {
    let mut arranged = Arranged { text: String::with_capacity(text.len()), parts: Vec::new() };
    let mut done = 0;
    for (at, change) in changes(text) {
        arranged.push(&text[done..at], done);
        done = at;
        match change {
            Change::Remove(end) => done = end,
            Change::Insert(annotations) => {
                let is_filled = |of: &&Annotation| !text[of.content.clone()].trim().is_empty();
                let mut close = "";
                for (k, of) in annotations.iter().filter(is_filled).enumerate() {
                    arranged.push(if k == 0 { "annotation(" } else { "," }, of.whole.start);
                    arranged.push(&text[of.content.clone()], of.content.start);
                    close = "); ";
                }
                arranged.push(close, at);
            }
        }
    }
    arranged.push(&text[done..], done);
    arranged
}

/// The changes of a text, in its order.
fn changes(text: &str) -> Vec<(usize, Change)> {
    let bytes = text.as_bytes();
    let (mut changes, mut open): (Vec<(usize, Change)>, Vec<Class>) = (Vec::new(), Vec::new());
    let (mut at, mut depth, mut before) = (0, 0_usize, "");
    while let Some((start, token)) = next_token(bytes, text, &mut at) {
        let is_end = before == "end";
        match token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "annotation" => {
                let is_first = open.last().is_some_and(|of| of.is_named && !of.has_content);
                let may_follow =
                    matches!(before, ";" | "equation" | "algorithm" | "public" | "protected");
                if let (true, Some(class)) = (is_first || may_follow, open.last_mut())
                    && let Some(found) = annotation(text, start, at)
                {
                    (at, before) = (found.whole.end, ";");
                    class.annotations.push(found);
                    class.has_content = true;
                    continue;
                }
            }
            "end" if !matches!(next(text, at), Some((_, "if" | "for" | "while" | "when"))) => {
                changes.extend(open.pop().into_iter().flat_map(|class| at_end(text, class, start)));
            }
            _ if CLASSES.contains(&token) && !is_end && begins_class(text, at) => {
                open.push(Class::default());
                before = token;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            open.last_mut().into_iter().for_each(|class| class.read(token));
        }
        before = token;
    }
    changes.sort_by_key(|(at, _)| *at);
    changes
}

/// The words with which a class begins.
const CLASSES: [&str; 9] =
    ["model", "class", "block", "record", "connector", "package", "function", "operator", "type"];

/// The word or sign after a byte, with its place.
fn next(text: &str, mut at: usize) -> Option<(usize, &str)> {
    next_token(text.as_bytes(), text, &mut at)
}

/// Moves the annotations of a class to its end, if they are elsewhere.
fn at_end(text: &str, class: Class, end: usize) -> Vec<(usize, Change)> {
    let is_last = |of: &Annotation| next(text, of.whole.end).is_some_and(|(at, _)| at == end);
    if let [] | [_] = class.annotations[..]
        && class.annotations.first().is_none_or(is_last)
    {
        return Vec::new();
    }
    let remove = |of: &Annotation| (of.whole.start, Change::Remove(of.whole.end));
    let mut changes: Vec<_> = class.annotations.iter().map(remove).collect();
    changes.push((end, Change::Insert(class.annotations)));
    changes
}

/// The annotation whose first word ends at a byte: parentheses and a semicolon follow.
fn annotation(text: &str, start: usize, mut at: usize) -> Option<Annotation> {
    let bytes = text.as_bytes();
    let (first, "(") = next_token(bytes, text, &mut at)? else { return None };
    let mut depth = 1;
    while depth > 0 {
        match next_token(bytes, text, &mut at)?.1 {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    let content = first + 1..at - 1;
    let (_, ";") = next_token(bytes, text, &mut at)? else { return None };
    Some(Annotation { whole: start..at, content })
}
