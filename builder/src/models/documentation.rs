//! Makes the page documentation/index.html of an FMU.

use std::fmt::Write;

use equations::description::{Description, Variable, VariableType};
use pulldown_cmark::{Event, Options, Parser, html};

use report::Diagram;

use crate::models::model_description::Metadata;
use fmus::csv::number;
use report::escaped as escape;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;color:#1c2530;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{margin-bottom:.2rem}.lead{color:#51606f;margin-top:0}\
code,pre{font-family:ui-monospace,monospace;font-size:.9em}\
pre{background:#f4f6f8;padding:.8rem;overflow-x:auto}\
table{border-collapse:collapse;width:100%;font-size:.9rem}\
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #dde3e9;vertical-align:top}\
th{background:#f4f6f8}td.n{text-align:right;font-variant-numeric:tabular-nums}\
.picture{overflow-x:auto}\
footer{margin-top:3rem;color:#51606f;font-size:.85rem}";

/// The place of the page in an FMU.
pub const FILE: &str = "documentation/index.html";

/// The place of the report in an FMU that has one.
pub const REPORT: &str = "documentation/report.html";

/// The heading before which a page links to the report.
const EXPERIMENT: &str = "<h2>Default experiment</h2>\n";

/// The page with a link, below the default experiment, to a file beside the page.
pub fn linked(page: &str, file: &str, text: &str) -> String {
    let link = format!("<p><a href=\"{file}\">{text}</a></p>\n");
    page.replacen(EXPERIMENT, &format!("{EXPERIMENT}{link}"), 1)
}

/// The page: the model's own documentation, its diagram, then its variables grouped by causality.
pub fn page(d: &Description, metadata: &Metadata, diagram: Option<&Diagram>) -> String {
    let name = escape(&d.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    if !d.description.is_empty() {
        let _ = writeln!(page, "<p class=\"lead\">{}</p>", escape(&d.description));
    }
    page.push_str(&markdown(without_lead(&d.documentation, &d.description)));
    if let Some(diagram) = diagram {
        let picture = diagram.svg(&d.name);
        let _ = writeln!(page, "<h2>Diagram</h2>\n<div class=\"picture\">{picture}</div>");
        if let Some(remark) = diagram.remark() {
            let _ = writeln!(page, "<p>{}</p>", escape(&remark));
        }
    }
    let e = &d.experiment;
    let _ = writeln!(
        page,
        "{EXPERIMENT}<p>From {} s to {} s, step {} s, tolerance {}. \
         {} continuous states, {} event indicators.</p>",
        number(e.start_time),
        number(e.stop_time),
        number(e.step_size),
        number(e.tolerance),
        d.derivatives.len(),
        d.event_indicators.len()
    );
    for (title, select) in GROUPS {
        let in_order = d.outputs.iter().map(|output| &d.variables[output.index]);
        let others = d.variables.iter().filter(|v| v.causality != "output");
        let rows: Vec<&Variable> = in_order.chain(others).filter(|v| select(v)).collect();
        table(&mut page, title, &rows);
    }
    if !d.event_indicators.is_empty() {
        page.push_str("<h2>Event indicators</h2>\n<ol>\n");
        for name in &d.event_indicators {
            let _ = writeln!(page, "<li><code>{}</code></li>", escape(name));
        }
        page.push_str("</ol>\n");
    }
    let _ = writeln!(page, "<footer>{}</footer>\n</body>\n</html>", footer(metadata));
    page
}

type Select = fn(&Variable) -> bool;

const GROUPS: [(&str, Select); 5] = [
    ("Inputs", |v| v.causality == "input"),
    ("Outputs", |v| v.causality == "output"),
    ("Parameters", |v| v.causality == "parameter"),
    ("Calculated parameters", |v| v.causality == "calculatedParameter"),
    ("Other variables", |v| v.causality == "local" || v.causality == "independent"),
];

fn table(page: &mut String, title: &str, rows: &[&Variable]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<h2>{title}</h2>\n<table>\n<thead><tr><th>Name</th><th>Unit</th><th>Start</th>\
         <th>Description</th></tr></thead>\n<tbody>"
    );
    for v in rows {
        let (unit, start) = unit_and_start(v);
        let _ = writeln!(
            page,
            "<tr><td><code>{}</code></td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            escape(&v.name),
            escape(&unit),
            escape(&start),
            escape(&v.description)
        );
    }
    page.push_str("</tbody>\n</table>\n");
}

fn unit_and_start(v: &Variable) -> (String, String) {
    match &v.kind {
        VariableType::Real { unit, start, .. } => {
            (unit.clone().unwrap_or_default(), start.map(number).unwrap_or_default())
        }
        VariableType::Integer { start, .. } | VariableType::Enumeration { start, .. } => {
            (String::new(), start.map(|s| s.to_string()).unwrap_or_default())
        }
        VariableType::Boolean { start } => {
            (String::new(), start.map(|s| s.to_string()).unwrap_or_default())
        }
    }
}

/// The documentation without its first paragraph if that repeats the description.
fn without_lead<'a>(documentation: &'a str, description: &str) -> &'a str {
    let documentation = documentation.trim();
    let (first, rest) = documentation.split_once("\n\n").unwrap_or((documentation, ""));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let same = words(first.trim_end_matches('.')) == words(description.trim_end_matches('.'));
    if same && !description.is_empty() { rest } else { documentation }
}

/// Markdown as HTML. HTML in it is shown as text, and its headings have lower levels than those of
/// the page.
fn markdown(text: &str) -> String {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        other => other,
    });
    let mut page = String::new();
    html::push_html(&mut page, events);
    for level in (1..=5).rev() {
        for bracket in ["<", "</"] {
            page =
                page.replace(&format!("{bracket}h{level}>"), &format!("{bracket}h{}>", level + 1));
        }
    }
    page
}

fn footer(metadata: &Metadata) -> String {
    let mut text = String::new();
    if let Some(version) = &metadata.version {
        let _ = write!(text, "Version {version}. ");
    }
    if let Some(author) = &metadata.author {
        let _ = write!(text, "{author}. ");
    }
    if let Some(license) = &metadata.license {
        let _ = write!(text, "License {license}. ");
    }
    text.push_str(concat!("Made by Coupler ", env!("CARGO_PKG_VERSION"), "."));
    escape(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_in_documentation_is_shown_not_obeyed() {
        let page = markdown("a <script>alert(1)</script> b\n\n# Title\n\n`x < y`");
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
        assert!(page.contains("<h2>Title</h2>"), "{page}");
        assert!(page.contains("<code>x &lt; y</code>"), "{page}");
    }

    #[test]
    fn description_is_not_repeated_by_the_documentation() {
        assert_eq!(without_lead("A ball that\nbounces.\n\nMore.", "A ball that bounces"), "More.");
        assert_eq!(without_lead("Other.\n\nMore.", "A ball"), "Other.\n\nMore.");
    }
}
