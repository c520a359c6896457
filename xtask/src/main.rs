//! The chores of the repository: `cargo xtask test`, `ci`, `bench`, `importers`, `bless`, ...

mod bench;
mod bless;
mod book;
mod ci;
mod deny;
mod dist;
#[path = "../../models/mechanics/macros/src/domains.rs"]
mod domains;
mod drawings;
mod estimate;
mod first_contact;
mod fmus;
mod importers;
mod installed;
mod links;
mod pictures;
mod players;
mod progress;
mod reference;
mod rust_importer;
mod sentences;
mod structure;
mod surface;
mod test;
mod tidy;
mod venv;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
cargo xtask CHORE

  test [NAME..]      build every FMU, then run every test, or those with one of these in their name
  test --quick [NAME..]
                     the inner loop: unit tests, theorems, all models on the tape, eight FMUs
  ci                 formatting, tidiness, sentences, links and drawings of pages, structure,
                     public items, packages, licences, lints, documentation
  bench [NAME..]     measure FMUs next to systems written by hand: models (`Fourbar2`, `Robot`),
                     chains (`Chain`, `Revolutes`, `StiffChain`)
  bench --accuracy [MODEL..]
                     measure the error of results against the work, next to other solvers
        --json       print numbers for other programs
        --page       write the table of docs/performance.md
        --rounds N   make N repetitions instead of 15
        --all        measure all models of the repository too, and the time to build them
  importers [MODEL..]
                     run every FMU in the importers and checkers that are installed
  players [--platform NAME,..] [--out DIR]
                     build the players of interpreted FMUs, by default for all platforms
  dist [--platform NAME,..] [--out DIR] [--check]
                     make the program `fmu` as one file for machines without Rust; with --check,
                     try it there
  bless              rewrite golden results and the pages that tests and chores write
  book [--open]      make one site of all pages and of the documentation of the crate coupler
  pictures           make the drawings and pictures of the pages, with Chromium
  first-contact      measure the time from a clone to the first plot
  reference          rewrite docs/validation.md from the published curves
  structure [--print]
                     check which crates, folders and modules depend on each other, or print
                     the map of them in docs/architecture.md
  links              check the links of all pages, and their anchors
  sentences          print the sentences that are hard to read
  surface            check the list of public items, docs/public-items.txt
  tidy               check conventions of the source text";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let Some((chore, rest)) = arguments.split_first() else { bail!("no chore given\n\n{USAGE}") };
    let takes_arguments = ["test", "bench", "book", "importers", "players", "dist", "structure"]
        .contains(&chore.as_str());
    if !takes_arguments && !rest.is_empty() {
        bail!("`cargo xtask {chore}` takes no arguments\n\n{USAGE}");
    }
    match chore.as_str() {
        "test" => test::run(rest),
        "ci" => ci::run(),
        "bench" => bench::run(rest),
        "book" => book::run(rest),
        "importers" => importers::run(rest),
        "players" => players::run(rest),
        "dist" => dist::run(rest),
        "bless" => bless::run(),
        "pictures" => pictures::run(),
        "first-contact" => first_contact::run(),
        "reference" => reference::run(),
        "structure" => structure::run_with(rest),
        "links" => links::run(),
        "sentences" => sentences::print(),
        "surface" => surface::run(),
        "tidy" => tidy::run(),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("there is no chore `{other}`\n\n{USAGE}"),
    }
}
