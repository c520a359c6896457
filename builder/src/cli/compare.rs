//! `fmu compare`: compares a result with a reference.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::arguments::CompareOptions;
use super::build::find;
use super::output::{one_line, print_line, shown, stem, with_progress, writable_plot};
use super::sources::Sources;
use crate::commands::compare;
use crate::models::Scene;
use crate::own_files::folders;
use fmus::csv;

/// Compares a table, or an FMU that is simulated for it, with a reference; draws the worst signal.
pub fn compare(sources: &Sources<'_>, c: CompareOptions) -> Result<()> {
    c.plot.as_deref().map_or(Ok(()), writable_plot)?;
    if let Some(limit) = c.limit.filter(|limit| !(limit.is_finite() && *limit >= 0.0)) {
        return Err(anyhow!(
            "the limit is a fraction of a range and must be at least 0, not {limit}"
        ));
    }
    let reference = csv::TimeSeries::read(&c.reference)?;
    let is_table = Path::new(&c.result).extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let folder = folders::results();
    let (compared, description, path);
    if is_table {
        if c.simulation.is_wanted() {
            return Err(anyhow!("{} is a table: there is nothing to simulate", c.result.display()));
        }
        path = PathBuf::from(&c.result);
        description = None;
        compared = compare::tables(csv::TimeSeries::read(&path)?, &reference)?;
    } else {
        let fmu = find(sources, &c.result, &c.simulation, Scene::IfAsked, &reference.names)?;
        path = fmu.path.clone();
        let options = c.simulation.options();
        compared = with_progress(&stem(&path), |progress| {
            compare::fmu(&fmu, &reference, &options, progress)
        })?;
        description = Some(fmu.description);
    }
    let title = format!("{} compared with {}", shown(&path), shown(&c.reference));
    print_line(&title)?;
    print_line(compare::text(&compared).trim_end())?;
    compared.notes.iter().try_for_each(|note| print_line(&one_line(&format!("note: {note}"))))?;
    if !c.no_plot {
        let variable = |name: &str| description.as_ref().and_then(|d| d.variable(name));
        let unit = |name: &str| variable(name).and_then(|v| v.attributes.unit.as_deref());
        let file_name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        let title = format!("{} compared with {}", file_name(&path), file_name(&c.reference));
        if let Some(picture) = compare::picture(&title, &compared, &reference, unit) {
            let file = c.plot.unwrap_or_else(|| folder.join(format!("{}.worst.svg", stem(&path))));
            picture.write(&file)?;
            print_line(&shown(&file))?;
        }
    }
    match c.limit {
        Some(limit) if compared.exceeds(limit) => Err(anyhow!(
            "{title}: an error is more than {} of its range, modes differ, or a part is \
             missing",
            csv::number(limit)
        )),
        _ => Ok(()),
    }
}
