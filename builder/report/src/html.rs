//! The page: its sources in one file, with the data of a report.

use crate::data::Report;

/// The size of a page in bytes from which it deserves a remark.
pub const LARGE: usize = 6_000_000;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPTS: [&str; 8] = [
    include_str!("page/data.js"),
    include_str!("page/clock.js"),
    include_str!("page/plot.js"),
    include_str!("page/plots.js"),
    include_str!("page/renderer.js"),
    include_str!("page/animation.js"),
    include_str!("page/diagram.js"),
    include_str!("page/main.js"),
];

impl Report {
    /// The page as one file of HTML, which needs no other.
    pub fn html(&self) -> String {
        let data = serde_json::to_string(self).unwrap_or_default();
        // The end of a script cannot stand in its text.
        let data = data.replace('<', "\\u003c");
        let script = SCRIPTS.concat();
        let parts = [("{{title}}", escaped(&self.title)), ("{{style}}", STYLE.to_owned())];
        let data = [("{{diagram}}", self.picture()), ("{{data}}", data), ("{{script}}", script)];
        let mut html = String::new();
        let mut rest = PAGE;
        // Each mark occurs once, in this order; inserted texts are not searched.
        for (mark, text) in parts.into_iter().chain(data) {
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            html.push_str(before);
            html.push_str(&text);
            rest = after;
        }
        html + rest
    }

    /// The section with the diagram; empty if there is none.
    fn picture(&self) -> String {
        let Some(diagram) = &self.diagram else { return String::new() };
        let remark = diagram.remark().map_or(String::new(), |text| format!(" {}", escaped(&text)));
        format!(
            "<section>\n<h2>Diagram</h2>\n<div class=\"picture\">{}</div>\n<p class=\"hint\">A click \
             on a component shows its signals.{remark}</p>\n</section>\n",
            diagram.svg(&self.title)
        )
    }
}

/// A text in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_model_cannot_end_the_script() {
        let title = "</script><b> & {{script}}".to_owned();
        let html = Report { title, ..Report::default() }.html();
        assert!(html.contains("<title>&lt;/script&gt;&lt;b&gt; &amp; {{script}}: report</title>"));
        assert!(html.contains("\"title\":\"\\u003c/script>"));
        assert_eq!(html.matches("</script>").count(), 2);
    }

    #[test]
    fn a_page_asks_for_nothing_from_the_network() {
        let html = Report::default().html();
        assert!(html.contains("default-src 'none'"));
        assert!(!html.contains("src=\"") && !html.contains("http://"));
    }
}
