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
    let mut begins = page.split(BEGIN);
    let mut printed = begins.next().unwrap_or_default().to_owned();
    let mut names = Vec::new();
    for text in begins {
        let (name, text) = text.split_once(" -->\n").context("a part has no name")?;
        let (_, after) = text.split_once(END).with_context(|| format!("{name} has no end"))?;
        let _ = write!(printed, "{BEGIN}{name} -->\n{}{END}{after}", part(name)?);
        names.push(name);
    }
    let with_layers = MAP.iter().filter(|entry| !entry.layers.is_empty());
    let wanted = ["crates"].into_iter().chain(with_layers.map(|entry| entry.name));
    let missing: Vec<&str> = wanted.filter(|name| !names.contains(name)).collect();
    match missing[..] {
        [] => Ok(printed),
        _ => bail!("{PAGE} has no part for {}", missing.join(", ")),
    }
}

/// The table of the crates, or that of the layers of one of them.
fn part(name: &str) -> Result<String> {
    if name == "crates" {
        return Ok(crates());
    }
    let entry = MAP.iter().find(|entry| entry.name == name);
    Ok(layers(entry.with_context(|| format!("{PAGE}: there is no crate {name}"))?))
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

/// The layers of a crate, with the highest first.
fn layers(entry: &Crate) -> String {
    let mut table = "| module | content |\n|---|---|\n".to_owned();
    for layer in entry.layers.iter().rev() {
        let _ = writeln!(table, "| `{}` | {} |", layer.module, layer.content);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_is_not_fresh_is_printed_again() {
        let parts: Vec<String> = ["crates"]
            .into_iter()
            .chain(MAP.iter().filter(|entry| !entry.layers.is_empty()).map(|entry| entry.name))
            .map(|name| format!("{BEGIN}{name} -->\nstale\n{END}\n"))
            .collect();
        let printed = with_parts(&parts.concat()).unwrap();
        assert!(printed.contains("| `fmu-runtime/kernels` | `kernels` |"), "{printed}");
        assert!(printed.contains("| `plain_data` |") && !printed.contains("stale"), "{printed}");
        assert_eq!(with_parts(&printed).unwrap(), printed);
        let message = with_parts(&parts[1..].concat()).unwrap_err().to_string();
        assert_eq!(message, "docs/architecture.md has no part for crates");
    }
}
