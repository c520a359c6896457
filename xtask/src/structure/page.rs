//! The parts of docs/architecture.md that print the map.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, bail};

use super::map::{Crate, MAP};
use crate::workspace;

/// The page.
const PAGE: &str = "docs/architecture.md";

/// The lines around a part that is printed; the first one ends with the name of the part.
const BEGIN: &str = "<!-- cargo xtask structure prints ";
const END: &str = "<!-- end -->\n";

/// Refuses a page that does not print the map.
pub fn check() -> Result<()> {
    let page = read()?;
    if with_parts(&page)? != page {
        bail!("{PAGE} does not print the map; `cargo xtask structure --print` does");
    }
    Ok(())
}

/// Prints the map in the page.
pub fn write() -> Result<()> {
    let printed = with_parts(&read()?)?;
    fs::write(workspace::root().join(PAGE), printed).context(PAGE)
}

fn read() -> Result<String> {
    fs::read_to_string(workspace::root().join(PAGE)).context(PAGE)
}

/// The page with all its parts as the map says.
fn with_parts(page: &str) -> Result<String> {
    let parts = [("crates", crates()), ("layers", layers())];
    parts.iter().try_fold(page.to_owned(), |page, (name, printed)| {
        let begin = format!("{BEGIN}{name} -->\n");
        let found = page.split_once(&begin);
        let (before, rest) = found.with_context(|| format!("{PAGE} has no part for {name}"))?;
        let (_, after) = rest.split_once(END).with_context(|| format!("{name} has no end"))?;
        Ok(format!("{before}{begin}{printed}{END}{after}"))
    })
}

fn crates() -> String {
    let mut table = "| folder | crate | content | may use |\n|---|---|---|---|\n".to_owned();
    for Crate { folder, name, content, uses, others, .. } in &MAP {
        let used = uses.iter().chain(others.unwrap_or_default()).map(|name| format!("`{name}`"));
        let mut used: Vec<String> = used.collect();
        if others.is_none() {
            used.push("others".to_owned());
        }
        let used = used.join(", ");
        let _ = writeln!(table, "| `{folder}` | `{name}` | {content} | {used} |");
    }
    table
}

/// The layers of each crate that has them, in one line.
fn layers() -> String {
    let mut table = "| crate | modules |\n|---|---|\n".to_owned();
    for Crate { name, layers, .. } in MAP.iter().filter(|entry| !entry.layers.is_empty()) {
        let layers = layers.iter().map(|layer| format!("`{}`: {}", layer.module, layer.content));
        let _ = writeln!(table, "| `{name}` | {} |", layers.collect::<Vec<_>>().join("; "));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_not_fresh_is_printed_again() {
        let parts = ["crates", "layers"].map(|name| format!("{BEGIN}{name} -->\nstale\n{END}\n"));
        let printed = with_parts(&parts.concat()).unwrap();
        assert!(printed.contains("| `fmu-runtime/kernels` | `kernels` |"), "{printed}");
        assert!(printed.contains("| `fmu-runtime` | `plain_data`: "), "{printed}");
        assert!(!printed.contains("stale"), "{printed}");
        assert_eq!(with_parts(&printed).unwrap(), printed);
        let message = with_parts(&parts[1]).unwrap_err().to_string();
        assert_eq!(message, "docs/architecture.md has no part for crates");
    }
}
