//! The tree of grammar rules and tokens that the parser's events describe.

use crate::source::{Complaint, File, Span};
use moparse::{ModelicaToken, ParsedModelica, SyntaxEvent, SyntaxKind, Token};
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    // The lexer takes a character for one byte.
    let ascii = with_ascii_only(&file.text);
    // Its functions call themselves for each further element of a list.
    let stack = (64 << 20) + 160 * ascii.len();
    let work = move || catch_unwind(AssertUnwindSafe(|| moparse::parse("", &ascii, rule)));
    silence();
    let parser = std::thread::Builder::new().name(PARSER.to_owned()).stack_size(stack).spawn(work);
    let parsed = match parser.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(parsed))) => parsed,
        Ok(Ok(Err(reason))) => return Err(given_up(file, reason.downcast_ref())),
        _ => return Err(vec![Complaint::general("the text cannot be parsed")]),
    };
    let complaints = complaints(file, &parsed.errors);
    if complaints.is_empty() { Ok(built(file, &parsed, rule)) } else { Err(complaints) }
}

/// The name of the thread that parses.
const PARSER: &str = "parser of Modelica";

/// Keeps panics of the parser from users, who are told where it gave up.
fn silence() {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().name() != Some(PARSER) {
                usual(info);
            }
        }));
    });
}

/// The parser gives up at a place where it finds no rule.
fn given_up(file: &Rc<File>, place: Option<&String>) -> Vec<Complaint> {
    let sentence = "the text is not understood from here on";
    let message = place.map(|place| place.replace("Parser stuck", sentence));
    complaints(file, &[message.unwrap_or_else(|| sentence.to_owned())])
}

/// The text with `~` for each byte of other characters.
fn with_ascii_only(text: &str) -> String {
    text.bytes().map(|byte| if byte.is_ascii() { char::from(byte) } else { '~' }).collect()
}

fn span_of(file: &Rc<File>, token: &Token) -> Span {
    Span { file: Rc::clone(file), start: token.start.pos, end: token.end.pos }
}

/// The messages of the parser, each `:line:column: sentence`.
fn complaints(file: &Rc<File>, messages: &[String]) -> Vec<Complaint> {
    let mut starts = vec![0];
    starts.extend(file.text.match_indices('\n').map(|(at, _)| at + 1));
    let length = file.text.len();
    let complaint = |message: &String| {
        let mut parts = message.splitn(4, ':');
        let (_, line, column, sentence) =
            (parts.next(), parts.next()?, parts.next()?, parts.next()?.trim());
        let line_start = *starts.get(line.parse::<usize>().ok()?.checked_sub(1)?)?;
        let mut start = (line_start + column.parse::<usize>().ok()?.saturating_sub(1)).min(length);
        while !file.text.is_char_boundary(start) {
            start -= 1;
        }
        let end = start + file.text[start..].chars().next().map_or(0, char::len_utf8);
        Some(Complaint::at(&Span { file: Rc::clone(file), start, end }, sentence))
    };
    let of_message =
        |message| complaint(message).unwrap_or_else(|| Complaint::general(message.clone()));
    messages.iter().map(of_message).collect()
}

/// Rules that contain the rest of a list, so that they are as deep as the list is long.
fn is_rest(kind: SyntaxKind) -> bool {
    use SyntaxKind::{ArrayArgumentsNonFirst, FunctionArgumentsNonFirst, NamedArguments};
    matches!(kind, ArrayArgumentsNonFirst | FunctionArgumentsNonFirst | NamedArguments)
}

fn built(file: &Rc<File>, parsed: &ParsedModelica, rule: SyntaxKind) -> Node {
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
                    let leaf = Leaf { kind: token.kind, span: span_of(file, token) };
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
