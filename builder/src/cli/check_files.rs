//! `fmu check`: prints the findings for FMUs.

use anyhow::{Result, anyhow};

use super::arguments::CheckOptions;
use super::output::{one_line, print_json, print_line};
use crate::check::{self, summary};
use crate::finding::Finding;
use crate::fmu::read_description;
use crate::runs_on;

/// Checks FMUs, and prints the findings.
pub fn check(options: &CheckOptions) -> Result<()> {
    let &CheckOptions { ref files, no_run, json, all, strict } = options;
    let program = std::env::current_exe()?;
    let (mut objects, mut faults) = (Vec::new(), Vec::new());
    for file in files {
        let shown = file.display();
        let findings = match check::file(file, (!no_run).then_some(&program)) {
            Ok(findings) => findings,
            Err(error) => {
                let text = error.to_string();
                if !error.is_of_machine() {
                    objects.push(Finding::damage(text.as_str()).to_json(file));
                }
                faults.push(text);
                continue;
            }
        };
        let counts = format!("{shown}: {}", summary::counts(&findings));
        if json {
            objects.extend(findings.iter().map(|finding| finding.to_json(file)));
        } else {
            let place = if files.len() > 1 { format!("{shown}: ") } else { String::new() };
            let lines = summary::lines(&findings, all);
            lines.iter().try_for_each(|line| print_line(&one_line(&format!("{place}{line}"))))?;
        }
        if summary::refuses(&findings, strict) {
            faults.push(counts);
        } else if !json {
            print_line(&counts)?;
            let platforms = read_description(file).and_then(|d| runs_on::platforms(file, &d));
            if let Some(platforms) = platforms.ok().filter(|platforms| !platforms.is_empty()) {
                let platforms = platforms.join(", ");
                print_line(&one_line(&format!("{shown}: runs on {platforms}")))?;
            }
        }
    }
    if json {
        print_json(&objects.into())?;
    }
    if faults.is_empty() { Ok(()) } else { Err(anyhow!(faults.join("; "))) }
}
