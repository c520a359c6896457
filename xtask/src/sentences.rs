//! `cargo xtask sentences`: counts the sentences of comments and pages that are hard to read, and
//! prints them.
//!
//! A sentence with many pronouns is one in which the reader must find out what each of them means.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::{tidy, workspace};

/// The words that stand for something else.
const PRONOUNS: [&str; 15] = [
    "it",
    "its",
    "itself",
    "they",
    "them",
    "their",
    "theirs",
    "themselves",
    "this",
    "that",
    "these",
    "those",
    "one",
    "ones",
    "such",
];

/// The number of pronouns from which on a sentence is hard, and how many such sentences there may
/// be.
const HARD: usize = 4;
const MOST_HARD: usize = 60;

/// Pages that are generated from texts elsewhere.
const GENERATED: [&str; 3] = ["docs/components.md", "docs/conformance.md", "docs/importers.md"];

/// A hard sentence, and where it is.
struct Hard {
    pronouns: usize,
    place: String,
    text: String,
}

/// Refuses more than a few hard sentences.
pub fn check() -> Result<()> {
    let (hard, all) = found()?;
    if hard.len() > MOST_HARD {
        bail!(
            "{} of {all} sentences have {HARD} or more pronouns, and no more than {MOST_HARD} \
             should; `cargo xtask sentences` prints them",
            hard.len()
        );
    }
    Ok(())
}

/// Prints the hard sentences, the hardest first.
pub fn print() -> Result<()> {
    let (mut hard, all) = found()?;
    hard.sort_by_key(|sentence| std::cmp::Reverse(sentence.pronouns));
    for Hard { pronouns, place, text } in &hard {
        println!("{pronouns} {place}: {text}");
    }
    println!("{} of {all} sentences have {HARD} or more pronouns", hard.len());
    Ok(())
}

/// The hard sentences of all files, and the number of all sentences.
fn found() -> Result<(Vec<Hard>, usize)> {
    let (mut hard, mut all) = (Vec::new(), 0);
    let is_read = |path: &PathBuf| !GENERATED.iter().any(|generated| path == Path::new(generated));
    for path in tidy::files()?.into_iter().filter(is_read) {
        let Ok(text) = fs::read_to_string(workspace::root().join(&path)) else { continue };
        let texts = match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => comments(&text),
            Some("md") => vec![(1, text)],
            _ => continue,
        };
        for (line, text) in texts {
            for (place, sentence) in sentences(&text) {
                all += 1;
                let pronouns = pronouns(&sentence);
                if pronouns >= HARD {
                    let place = format!("{}:{}", path.display(), line + place);
                    hard.push(Hard { pronouns, place, text: sentence });
                }
            }
        }
    }
    Ok((hard, all))
}

/// The comments of Rust code, each with the number of its first line.
fn comments(code: &str) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in code.lines().enumerate() {
        let comment = line.trim_start().strip_prefix("//");
        if let Some(comment) = comment {
            let text = comment.trim_start_matches(['/', '!']);
            let text = text.strip_prefix(' ').unwrap_or(text);
            match comments.last_mut().filter(|_| inside) {
                Some((_, before)) => *before += &format!("\n{text}"),
                None => comments.push((number + 1, text.to_owned())),
            }
        }
        inside = comment.is_some();
    }
    comments
}

/// The sentences of a text in Markdown without its code, each with the number of the line in which
/// its paragraph begins, counted from zero.
fn sentences(text: &str) -> Vec<(usize, String)> {
    let (mut all, mut paragraph, mut begin, mut in_code) = (Vec::new(), String::new(), 0, false);
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(words) if !in_code => paragraph += &words,
            Event::Code(_) => paragraph += "`..`",
            Event::SoftBreak | Event::HardBreak => paragraph.push(' '),
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. }) => {}
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link) => {}
            Event::Start(_) | Event::End(_) => {
                let ended = split(&std::mem::take(&mut paragraph));
                all.extend(ended.into_iter().map(|sentence| (begin, sentence)));
                begin = text[..range.start].matches('\n').count();
            }
            _ => {}
        }
    }
    all
}

/// The sentences of a paragraph.
fn split(paragraph: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for word in paragraph.split_whitespace() {
        if let Some(sentence) = sentences.last_mut() {
            *sentence += &format!(" {word}");
        }
        if word.trim_end_matches([')', '*']).ends_with(['.', '?', '!']) {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.iter().map(|sentence| sentence.trim().to_owned()).collect()
}

/// How many pronouns a sentence has.
fn pronouns(sentence: &str) -> usize {
    let all: BTreeSet<&str> = PRONOUNS.into_iter().collect();
    let words = sentence.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    words.filter(|word| all.contains(&*word.to_lowercase())).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_are_words_and_no_parts_of_words() {
        assert_eq!(pronouns("It has its own one, that of those."), 5);
        assert_eq!(pronouns("A one-dimensional item, iterated."), 0);
    }

    #[test]
    fn sentences_end_with_their_paragraph_or_a_full_stop() {
        let text =
            "# Title\n\nOne sentence\nof `code. Here`. Another\n\n    let x = 1.\n\n* item. Two";
        let all: Vec<(usize, String)> = sentences(text);
        let texts: Vec<(usize, &str)> = all.iter().map(|(line, text)| (*line, &**text)).collect();
        let expected =
            [(0, "Title"), (2, "One sentence of `..`."), (2, "Another"), (7, "item."), (7, "Two")];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_comment_is_read_as_a_whole() {
        let code = "//! First\n//! line.\nfn f() {} // not alone\n    /// Second.\n";
        assert_eq!(comments(code), [(1, "First\nline.".to_owned()), (4, "Second.".to_owned())]);
    }
}
