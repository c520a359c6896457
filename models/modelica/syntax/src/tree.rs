//! The tree of grammar rules and tokens that the parser's events describe.

use super::annotations::{self, Arranged};
use crate::source::{Complaint, File, Span};
use moparse::{ModelicaToken, ParsedModelica, SyntaxEvent, SyntaxKind, Token};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Once;

/// A rule of the grammar with its parts.
pub struct Node {
    /// The rule.
    pub kind: SyntaxKind,
    /// Its parts.
    pub children: Vec<Child>,
    /// Its place.
    span: Option<Span>,
}

/// A part of a rule.
pub enum Child {
    /// Another rule.
    Node(Node),
    /// A token.
    Token(Leaf),
}

/// A token.
pub struct Leaf {
    /// Its kind.
    pub kind: ModelicaToken,
    /// Its place.
    pub span: Span,
}

impl Node {
    /// The rules among its parts.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.children.iter().filter_map(|child| match child {
            Child::Node(node) => Some(node),
            Child::Token(_) => None,
        })
    }

    /// The tokens among its parts.
    pub fn tokens(&self) -> impl Iterator<Item = &Leaf> {
        self.children.iter().filter_map(|child| match child {
            Child::Node(_) => None,
            Child::Token(token) => Some(token),
        })
    }

    /// Its first part of this rule.
    pub fn find(&self, kind: SyntaxKind) -> Option<&Node> {
        self.nodes().find(|node| node.kind == kind)
    }

    /// Whether it has a token of this kind.
    pub fn has(&self, kind: ModelicaToken) -> bool {
        self.tokens().any(|token| token.kind == kind)
    }

    /// Its place; `None` if it has no tokens.
    pub fn span(&self) -> Option<Span> {
        self.span.clone()
    }

    fn new(kind: SyntaxKind) -> Self {
        Node { kind, children: Vec::new(), span: None }
    }

    /// Adds a part, whose place follows that of the other ones.
    fn push(&mut self, child: Child) {
        let place = match &child {
            Child::Node(node) => node.span.as_ref(),
            Child::Token(token) => Some(&token.span),
        };
        self.span = match (self.span.take(), place) {
            (Some(first), Some(last)) => Some(first.to(last)),
            (known, place) => known.or_else(|| place.cloned()),
        };
        self.children.push(child);
    }
}

/// The tree of a text that begins with a rule, or what is wrong with the text.
pub fn tree(file: &Rc<File>, rule: SyntaxKind) -> Result<Node, Vec<Complaint>> {
    if let Some(at) = super::nesting::too_deep(&file.text) {
        let span = Span { file: Rc::clone(file), start: at, end: at + 1 };
        let deepest = super::nesting::DEEPEST;
        let operators = super::nesting::MOST_OPERATORS;
        let sentence = format!(
            "more than {deepest} levels of nesting, or more than {operators} operators in one \
             expression"
        );
        return Err(vec![Complaint::at(&span, sentence)]);
    }
    let arranged = annotations::at_ends(&file.text);
    // The lexer takes a character for one byte.
    let ascii = with_ascii_only(&arranged.text);
    let parsed = parsed(&ascii, rule).map_err(|why| vec![stopped(file, &arranged, &why)])?;
    let complaints = complaints(file, &arranged, &parsed);
    if complaints.is_empty() { Ok(built(file, &arranged, &parsed, rule)) } else { Err(complaints) }
}

/// What the parser finds in a text, or why it stops.
fn parsed(text: &str, rule: SyntaxKind) -> Result<ParsedModelica, String> {
    // Its functions call themselves for each further element of a list.
    let stack = (64 << 20) + 160 * text.len();
    let text = text.to_owned();
    let work = move || catch_unwind(AssertUnwindSafe(|| moparse::parse("", &text, rule)));
    let parser = std::thread::Builder::new().name(PARSER.to_owned()).stack_size(stack);
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() != Some(PARSER) {
                usual(info);
            }
        }));
    });
    match parser.spawn(work).map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(parsed))) => Ok(parsed),
        Ok(Ok(Err(panic))) => Err(panic.downcast_ref::<String>().cloned().unwrap_or_default()),
        _ => Err(String::new()),
    }
}

/// The name of the thread of the parser, whose panics are complaints.
const PARSER: &str = "parser of Modelica";

/// Panics of the parser print nothing.
static QUIET: Once = Once::new();

/// Where the parser stopped.
fn stopped(file: &Rc<File>, arranged: &Arranged, why: &str) -> Complaint {
    let sentence = "the text cannot be read from here on: no element, equation or statement has \
                    this form";
    located(file, arranged, why).map_or_else(
        || Complaint::general("the text cannot be parsed"),
        |(span, _)| Complaint::at(&span, sentence),
    )
}

/// The text with `~` for each byte of other characters.
fn with_ascii_only(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii() { char::from(byte) } else { '~' }).collect()
}

fn span_of(file: &Rc<File>, arranged: &Arranged, token: &Token) -> Span {
    let start = arranged.original(token.start.pos);
    Span { file: Rc::clone(file), start, end: start + token.end.pos - token.start.pos }
}

/// The messages of the parser.
fn complaints(file: &Rc<File>, arranged: &Arranged, parsed: &ParsedModelica) -> Vec<Complaint> {
    let of_message = |message: &String| match located(file, arranged, message) {
        Some((span, sentence)) => {
            let tokens = parsed.tokens.iter().rev().map(|token| span_of(file, arranged, token));
            expected(span, sentence, tokens)
        }
        None => Complaint::general(message.clone()),
    };
    // Further messages follow from the first one.
    parsed.errors.first().map(of_message).into_iter().collect()
}

/// The message that something else is expected at a place. What is missing at the end of a line or
/// of the text belongs after the token before it.
fn expected(span: Span, sentence: &str, mut before: impl Iterator<Item = Span>) -> Complaint {
    let sentence = sentence.replace("EOF", "the end of the file");
    let last = match &sentence {
        of if of.ends_with("the end of the file") => before.next(),
        of if of.starts_with("expected ';'") => before.find(|token| token.end <= span.start),
        _ => None,
    };
    let is_on_other_line = |last: &Span| {
        span.file.text.get(last.end..span.start).is_none_or(|between| between.contains('\n'))
    };
    let last = last.filter(is_on_other_line);
    let Some(last) = last else { return Complaint::at(&span, sentence) };
    let last_letter = last.text().chars().next_back().map_or(0, char::len_utf8);
    Complaint::at(&Span { start: last.end - last_letter, ..last }, sentence)
}

/// The place and the sentence of a message of the parser: `:line:column: sentence`.
fn located<'m>(file: &Rc<File>, arranged: &Arranged, message: &'m str) -> Option<(Span, &'m str)> {
    let mut parts = message.splitn(4, ':');
    let (_, line, column, sentence) =
        (parts.next(), parts.next()?, parts.next()?, parts.next()?.trim());
    let text = &arranged.text;
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let line_start = starts.nth(line.parse::<usize>().ok()?.checked_sub(1)?)?;
    let at = line_start + column.parse::<usize>().ok()?.saturating_sub(1);
    let mut start = arranged.original(at).min(file.text.len());
    while !file.text.is_char_boundary(start) {
        start -= 1;
    }
    let end = start + file.text[start..].chars().next().map_or(0, char::len_utf8);
    Some((Span { file: Rc::clone(file), start, end }, sentence))
}

/// Rules that contain the rest of a list, so that they are as deep as the list is long.
fn is_rest(kind: SyntaxKind) -> bool {
    use SyntaxKind::{ArrayArgumentsNonFirst, FunctionArgumentsNonFirst, NamedArguments};
    matches!(kind, ArrayArgumentsNonFirst | FunctionArgumentsNonFirst | NamedArguments)
}

fn built(file: &Rc<File>, arranged: &Arranged, parsed: &ParsedModelica, rule: SyntaxKind) -> Node {
    let mut tokens = parsed.tokens.iter();
    let mut open = vec![Node::new(rule)];
    let mut is_transparent = Vec::new();
    for event in &parsed.events {
        match event {
            SyntaxEvent::Enter(kind) => {
                is_transparent.push(is_rest(*kind));
                if !is_rest(*kind) {
                    open.push(Node::new(*kind));
                }
            }
            SyntaxEvent::Exit => {
                if is_transparent.pop() == Some(false)
                    && let Some(node) = open.pop()
                    && let Some(parent) = open.last_mut()
                {
                    parent.push(Child::Node(node));
                }
            }
            SyntaxEvent::Advance => {
                if let (Some(token), Some(parent)) = (tokens.next(), open.last_mut()) {
                    let leaf = Leaf { kind: token.kind, span: span_of(file, arranged, token) };
                    parent.push(Child::Token(leaf));
                }
            }
        }
    }
    let mut root = open.swap_remove(0);
    match root.children.pop() {
        Some(Child::Node(node)) => node,
        _ => Node::new(rule),
    }
}
