//! `cargo xtask links`: checks that the links of all pages lead to files and headings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, ensure};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::{tidy, workspace};

/// What a page offers to links, and where its own links lead.
#[derive(Default)]
pub struct Page {
    anchors: BTreeSet<String>,
    targets: Vec<String>,
}

impl Page {
    /// The files to which it leads, if it is at this path.
    pub fn files(&self, path: &Path) -> BTreeSet<PathBuf> {
        let targets = self.targets.iter().filter(|target| !is_elsewhere(target));
        targets.map(|target| destination(path, target).0).collect()
    }
}

/// Checks every page that is, or could be, under version control.
pub fn run() -> Result<()> {
    check(&pages()?, &|path| workspace::root().join(path).exists())
}

/// These pages by their paths.
pub fn pages() -> Result<BTreeMap<PathBuf, Page>> {
    let files = tidy::files()?.into_iter();
    let is_page = |path: &PathBuf| path.extension() == Some("md".as_ref());
    let page = |path: PathBuf| {
        let text = fs::read_to_string(workspace::root().join(&path)).ok()?;
        Some((path, read(&text)))
    };
    Ok(files.filter(is_page).filter_map(page).collect())
}

/// Checks that the links of pages lead to one of them, with the anchor, or to another file.
pub fn check(pages: &BTreeMap<PathBuf, Page>, exists: &dyn Fn(&Path) -> bool) -> Result<()> {
    let broken = broken(pages, exists);
    ensure!(broken.is_empty(), "{} broken links\n{}", broken.len(), broken.join("\n"));
    Ok(())
}

/// The links that lead nowhere: each one with its page.
fn broken(pages: &BTreeMap<PathBuf, Page>, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let mut broken = Vec::new();
    for (path, page) in pages {
        for target in page.targets.iter().filter(|target| !is_elsewhere(target)) {
            let (file, anchor) = destination(path, target);
            let is_there = match pages.get(&file) {
                Some(page) => anchor.is_empty() || page.anchors.contains(anchor),
                None => anchor.is_empty() && exists(&file),
            };
            if !is_there {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    broken
}

/// Whether a link leads to another site.
fn is_elsewhere(target: &str) -> bool {
    target.contains(':')
}

/// The file and the anchor to which a link of a page leads.
fn destination<'a>(page: &Path, target: &'a str) -> (PathBuf, &'a str) {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let file = if file.is_empty() { page.to_owned() } else { plain(&folder.join(file)) };
    (file, anchor)
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The links and the anchors of a page.
fn read(text: &str) -> Page {
    let mut page = Page::default();
    let mut heading = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let first = anchor(&heading.take().unwrap_or_default());
                let numbered = (1..).map(|k| format!("{first}-{k}"));
                let mut all = std::iter::once(first.clone()).chain(numbered);
                page.anchors.extend(all.find(|anchor| !page.anchors.contains(anchor)));
            }
            Event::Text(word) | Event::Code(word) => {
                if let Some(heading) = &mut heading {
                    *heading += &word;
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.targets.push(dest_url.into_string());
            }
            Event::Html(text) | Event::InlineHtml(text) => {
                let Page { anchors, targets } = of_html(&text);
                page.anchors.extend(anchors);
                page.targets.extend(targets);
            }
            _ => {}
        }
    }
    page
}

/// The links and the anchors of a page in HTML.
pub fn of_html(html: &str) -> Page {
    let targets = ["href", "src"].into_iter().flat_map(|name| attributes(html, name));
    Page { anchors: attributes(html, "id").into_iter().collect(), targets: targets.collect() }
}

/// The values of an attribute in HTML.
fn attributes(html: &str, name: &str) -> Vec<String> {
    let begin = format!(" {name}=\"");
    let values = html.split(&begin).skip(1);
    values.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// The anchor that GitHub, GitLab and mdBook give to a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_headings_and_of_html() {
        let page = read(
            "# `fmu check`, at once\n\n## Same\n\n## Same\n\n| a |\n|---|\n| <a id=\"a051\"></a> |\n",
        );
        let expected = ["a051", "fmu-check-at-once", "same", "same-1"];
        assert_eq!(page.anchors.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn links_without_file_or_heading_are_named_with_their_page() {
        let here =
            "[a](b.md) [b](b.md#part) [c](#here) ![d](../x.svg)\n\n<img src=\"y.svg\">\n\n# Here\n";
        let wrong = "[a](c.md) [b](b.md#no) [c](https://example.org/#x) `[d](e.md)`\n";
        let pages = [("docs/a.md", here), ("docs/b.md", "# Part\n"), ("docs/w.md", wrong)];
        let pages = pages.map(|(path, text)| (PathBuf::from(path), read(text)));
        let exists = |path: &Path| path == Path::new("x.svg") || path == Path::new("docs/y.svg");
        let found = broken(&pages.into_iter().collect(), &exists);
        assert_eq!(found, ["docs/w.md: c.md", "docs/w.md: b.md#no"]);
    }
}
