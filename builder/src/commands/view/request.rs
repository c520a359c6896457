//! Requests of a page: who may send them, and what they say.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use fmus::model_description::ModelDescription;
use simulation::run;

/// A request that is refused: the status of HTTP, and a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// The sentence.
    pub sentence: String,
    /// The variable that is refused, if it is one.
    pub variable: Option<String>,
}

impl Refusal {
    /// A refusal that is not about a variable.
    pub fn new(status: u16, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into(), variable: None }
    }
}

/// Where a request comes from and what it contains, as its header says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Header<'a> {
    /// The method, such as `POST`.
    pub method: &'a str,
    /// The path, such as `/advance`.
    pub path: &'a str,
    /// `Host`.
    pub host: Option<&'a str>,
    /// How many headers `Host` there are.
    pub hosts: usize,
    /// `Origin`.
    pub origin: Option<&'a str>,
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
}

/// The kinds of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The page.
    Page,
    /// A session that starts.
    Start,
    /// A session that goes on.
    Advance,
    /// A session that ends.
    End,
}

impl Header<'_> {
    /// The kind of a request to the server at a port. Foreign pages can send requests to this
    /// machine too, by its address or by a foreign name for this machine. The headers `Origin` and
    /// `Host` tell such requests apart.
    ///
    /// # Errors
    /// If the request may not be sent.
    pub fn kind(&self, port: u16) -> Result<Kind, Refusal> {
        let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        if self.hosts > 1 {
            let sentence = format!("a request has one header Host, not {}", self.hosts);
            return Err(Refusal::new(400, sentence));
        }
        let host = self.host.unwrap_or("");
        if !own.iter().any(|name| name == host) {
            let sentence = format!("this server is {}, not `{host}`", own[0]);
            return Err(Refusal::new(403, sentence));
        }
        if let Some(origin) = self.origin
            && !own.iter().any(|name| origin.strip_prefix("http://") == Some(name))
        {
            return Err(Refusal::new(403, format!("a page of `{origin}` may not use this server")));
        }
        let kind = match self.path {
            "/" => Kind::Page,
            "/start" => Kind::Start,
            "/advance" => Kind::Advance,
            "/end" => Kind::End,
            path => return Err(Refusal::new(404, format!("there is nothing at `{path}`"))),
        };
        let expected = if kind == Kind::Page { "GET" } else { "POST" };
        if self.method != expected {
            let sentence = format!("{} takes {expected}, not {}", self.path, self.method);
            return Err(Refusal::new(405, sentence));
        }
        let media = self.content_type.unwrap_or("").split(';').next().unwrap_or_default();
        if kind != Kind::Page && !media.trim().eq_ignore_ascii_case("application/json") {
            let sentence = format!("{} takes application/json, not `{media}`", self.path);
            return Err(Refusal::new(415, sentence));
        }
        Ok(kind)
    }
}

/// The content of a request of the page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The token of the page.
    pub token: String,
    /// The session.
    #[serde(default)]
    pub session: Option<u64>,
    /// The time up to which to simulate, in s.
    #[serde(default)]
    pub until: Option<f64>,
    /// The values of variables.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
}

impl Content {
    /// Reads the content of a request from a page with a token.
    ///
    /// # Errors
    /// If the content has another form than [`Content`], or another token.
    pub fn read(bytes: &[u8], token: &str) -> Result<Content, Refusal> {
        let content: Content = serde_json::from_slice(bytes)
            .map_err(|e| Refusal::new(400, format!("the request is not legal: {e}")))?;
        if content.token != token {
            let sentence = "this page belongs to another run of fmu view: load it again";
            return Err(Refusal::new(403, sentence));
        }
        Ok(content)
    }

    /// The values as `name=value`, which are legal for the model.
    ///
    /// # Errors
    /// If a variable does not exist, cannot be set (in a simulation that runs, if `is_running`), or
    /// cannot have the value.
    pub fn set(&self, d: &ModelDescription, is_running: bool) -> Result<Vec<String>, Refusal> {
        let text = |(name, value): (&String, &Value)| {
            let refuse =
                |sentence| Err(Refusal { status: 422, sentence, variable: Some(name.clone()) });
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(value) => value.to_string(),
                other => {
                    let model = &d.model_name;
                    return refuse(format!("{model}: {name} = {other} is not a value"));
                }
            };
            let text = format!("{name}={value}");
            match run::check_assignment(d, name, &text, is_running) {
                Ok(()) => Ok(text),
                Err(error) => refuse(error.to_string()),
            }
        };
        self.values.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_of_this_server_may_send_requests() {
        let check = |header: Header<'_>, expected: Result<Kind, u16>| {
            assert_eq!(header.kind(81).map_err(|refusal| refusal.status), expected, "{header:?}");
        };
        let page =
            Header { method: "GET", path: "/", host: Some("127.0.0.1:81"), ..Header::default() };
        check(page, Ok(Kind::Page));
        check(Header { host: Some("localhost:81"), ..page }, Ok(Kind::Page));
        check(Header { host: None, ..page }, Err(403));
        check(Header { hosts: 2, ..page }, Err(400));
        check(Header { host: Some("127.0.0.1"), ..page }, Err(403));
        check(Header { host: Some("evil.example:81"), ..page }, Err(403));
        check(Header { method: "POST", ..page }, Err(405));
        check(Header { path: "/etc/passwd", ..page }, Err(404));
        let content_type = Some("application/json; charset=utf-8");
        let post = Header { method: "POST", path: "/advance", content_type, ..page };
        check(post, Ok(Kind::Advance));
        check(Header { origin: Some("http://127.0.0.1:81"), ..post }, Ok(Kind::Advance));
        check(Header { origin: Some("http://localhost:81"), ..post }, Ok(Kind::Advance));
        for origin in ["null", "https://127.0.0.1:81", "http://127.0.0.1:82", "http://evil.example"]
        {
            check(Header { origin: Some(origin), ..post }, Err(403));
        }
        check(Header { method: "GET", ..post }, Err(405));
        check(Header { content_type: Some("text/plain"), ..post }, Err(415));
        check(Header { content_type: None, ..post }, Err(415));
    }
}
