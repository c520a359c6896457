//! The page: its sources in one file, with the data of a report.

use crate::data::Report;

/// The size of a page in bytes from which it deserves a remark.
pub const LARGE: usize = 6_000_000;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPTS: [&str; 12] = [
    include_str!("page/data.js"),
    include_str!("page/clock.js"),
    include_str!("page/plot.js"),
    include_str!("page/plots.js"),
    include_str!("page/vectors.js"),
    include_str!("page/meshes.js"),
    include_str!("page/renderer.js"),
    include_str!("page/shapes.js"),
    include_str!("page/camera.js"),
    include_str!("page/animation.js"),
    include_str!("page/diagram.js"),
    include_str!("page/main.js"),
];

/// The parts of a page whose simulation runs while it is watched.
const LIVE_STYLE: &str = include_str!("page/live.css");
const LIVE_SCRIPT: &str = include_str!("page/live.js");

/// What the security policy of such a page allows: requests to the server that it comes from.
const OWN_SERVER: &str = "; connect-src 'self'";

impl Report {
    /// The page as one file of HTML, which needs no other.
    pub fn html(&self) -> String {
        let data = serde_json::to_string(self).unwrap_or_default();
        // The end of a script cannot stand in its text.
        let data = data.replace('<', "\\u003c");
        let [policy, style, script] = match self.live {
            Some(_) => [OWN_SERVER, LIVE_STYLE, LIVE_SCRIPT],
            None => ["", "", ""],
        };
        let script = SCRIPTS.concat() + script;
        let parts = [
            ("{{policy}}", policy.to_owned()),
            ("{{title}}", escaped(&self.title)),
            ("{{style}}", STYLE.to_owned() + style),
        ];
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

/// Escapes a text, or the value of an attribute, such that a parser of HTML or XML returns the same
/// characters.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            // XML 1.0 has no way to write these.
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
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
        assert!(!html.contains("connect-src") && !html.contains("fetch("));
    }

    #[test]
    fn no_call_has_as_many_arguments_as_there_are_data() {
        let live = Some(crate::Live::default());
        let html = Report { live, ..Report::default() }.html();
        for call in ["Math.max(", "Math.min(", "append(", "replaceChildren("] {
            for (_, rest) in html.match_indices(call).map(|(at, _)| html.split_at(at)) {
                let line = rest.lines().next().unwrap_or_default();
                // A vector has three components.
                assert!(!line.replace("Math.hypot(...", "").contains("..."), "{line}");
            }
        }
    }

    #[test]
    fn a_live_page_may_ask_its_own_server_only() {
        let live = Some(crate::Live::default());
        let html = Report { live, ..Report::default() }.html();
        let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:; connect-src 'self'\"";
        assert!(html.contains(policy) && html.contains("fetch("));
        assert!(!html.contains("src=\"") && !html.contains("http://"));
    }
}
