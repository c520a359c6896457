//! `cargo xtask book`: makes one site of all pages, with search, and of the documentation of the
//! crate `coupler`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::progress::{ChoreProgress, execute};
use crate::{links, venv, workspace};

/// The settings of mdBook. Its preprocessors would rename READMEs and read `{{..}}` in the pages.
const SETTINGS: &str = r#"[book]
title = "Coupler"
language = "en"

[build]
build-dir = "html"
create-missing = false
use-default-preprocessors = false

[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
no-section-label = true
smart-punctuation = false

[output.html.playground]
runnable = false
"#;

/// The page of the book that leads to the documentation of the crate.
const CRATE: &str = "# The crate coupler\n\n\
    The [documentation of the crate](api/coupler/index.html) contains a page for each component and \
    for each type that a model text can name, with a search of its own.\n";

/// Makes the book; `--open` shows it in a browser.
pub fn run(arguments: &[String]) -> Result<()> {
    let open = match arguments {
        [] => false,
        [option] if option == "--open" => true,
        _ => bail!("`cargo xtask book` knows the option --open"),
    };
    let folder = workspace::target().join("book");
    let source = folder.join("src");
    let mut progress = ChoreProgress::new(5);
    let venv = progress.step("virtual environment", venv::ensure)?;
    progress.step("pages", || write_pages(&folder, &source))?;
    // The crate has a target folder of its own, so that the search finds nothing else, and is
    // compiled where all others are.
    let rustdoc = folder.join("rustdoc");
    let mut doc = workspace::cargo(&["doc", "--quiet", "--package", "coupler-fmi", "--no-deps"]);
    doc.env("CARGO_TARGET_DIR", &rustdoc).env("CARGO_BUILD_BUILD_DIR", workspace::target());
    progress.command("documentation of the crate", &mut doc)?;
    copy(&rustdoc.join("doc"), &source.join("api"))?;
    let mut mdbook = Command::new(venv.join("bin/mdbook"));
    mdbook.arg("build").arg(&folder);
    progress.step("book", || execute(&mut mdbook))?;
    let book = folder.join("html");
    progress.step("links of the book", || check(&book))?;
    println!("{}", book.join("index.html").display());
    if open {
        execute(mdbook.arg("--open"))?;
    }
    Ok(())
}

/// Writes the settings, the pages with the files to which they lead, and the list of chapters.
fn write_pages(folder: &Path, source: &Path) -> Result<()> {
    if source.is_dir() {
        fs::remove_dir_all(source)?;
    }
    fs::create_dir_all(source)?;
    fs::write(folder.join("book.toml"), SETTINGS)?;
    let pages = links::pages()?;
    let targets = pages.iter().flat_map(|(path, page)| page.files(path));
    let files: BTreeSet<PathBuf> = targets.chain(pages.keys().cloned()).collect();
    for file in files.iter().filter(|file| workspace::root().join(file).is_file()) {
        let to = source.join(file);
        fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        fs::copy(workspace::root().join(file), to)?;
    }
    let summary = summary(&fs::read_to_string(workspace::root().join("README.md"))?);
    for page in pages.keys().filter(|page| page.starts_with("docs")) {
        let is_chapter = summary.contains(&format!("({})", page.display()));
        ensure!(is_chapter, "{} is not in the further reading of the README", page.display());
    }
    fs::write(source.join("crate.md"), CRATE)?;
    fs::write(source.join("SUMMARY.md"), summary)?;
    Ok(())
}

/// The list of chapters, which is the further reading of the README: each item of its list is a
/// part, and each link a chapter.
fn summary(readme: &str) -> String {
    let list = readme.split_once("## Further reading").map_or("", |(_, list)| list);
    let mut summary = "# Summary\n\n[Coupler](README.md)\n".to_owned();
    let (mut words, mut target) = (String::new(), String::new());
    for event in Parser::new(list) {
        match event {
            Event::Start(Tag::Item) => words.clear(),
            Event::Start(Tag::Link { dest_url, .. }) => {
                if let Some(part) = words.strip_suffix(": ") {
                    summary += &format!("\n# {part}\n\n");
                }
                words.clear();
                target = dest_url.into_string();
            }
            Event::End(TagEnd::Link) => {
                summary += &format!("- [{}]({target})\n", capitalized(&words));
                words.clear();
            }
            Event::Text(more) => words += &more,
            Event::SoftBreak => words.push(' '),
            _ => {}
        }
    }
    summary + "- [The crate coupler](crate.md)\n"
}

fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Copies a folder with its content.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// Checks that links of the pages lead to files and anchors of the book.
fn check(book: &Path) -> Result<()> {
    let mut pages = BTreeMap::new();
    for folder in ["", "docs", "tests"] {
        for entry in fs::read_dir(book.join(folder))? {
            let path = Path::new(folder).join(entry?.file_name());
            // The page for printing contains all others, with links from their places.
            let is_page = path.extension() == Some("html".as_ref());
            if is_page && !["print.html", "404.html", "toc.html"].iter().any(|n| path.ends_with(n))
            {
                let text = fs::read_to_string(book.join(&path))?;
                pages.insert(path, links::of_html(&text));
            }
        }
    }
    links::check(&pages, &|path| book.join(path).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_further_reading_of_the_readme_is_the_list_of_chapters() {
        let readme = "# A\n\n[b](b.md)\n\n## Further reading\n\n* Use: [one\n  page](docs/one.md),\n  \
                      [another](docs/two.md).\n* Theory: [loops](docs/loops.md).\n\nEnd.\n";
        let chapters = "# Summary\n\n[Coupler](README.md)\n\n# Use\n\n- [One page](docs/one.md)\n\
                        - [Another](docs/two.md)\n\n# Theory\n\n- [Loops](docs/loops.md)\n\
                        - [The crate coupler](crate.md)\n";
        assert_eq!(summary(readme), chapters);
    }
}
