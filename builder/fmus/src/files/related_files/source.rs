//! The place of a file that another file names by a URI.

/// The place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A path in the archive.
    Inside(String),
    /// An absolute URI, which an importer may follow or not.
    Elsewhere(String),
    /// A relative URI that leads out of the archive, or is empty.
    Nowhere(String),
}

impl Source {
    /// The place that a URI means in the file with a path in the archive.
    pub fn of(uri: &str, in_file: &str) -> Source {
        let uri = uri.trim();
        let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let scheme = uri.split_once(':').map(|(scheme, _)| scheme);
        if scheme.is_some_and(|s| !s.is_empty() && s.chars().all(is_of_scheme))
            || uri.starts_with("//")
        {
            return Source::Elsewhere(uri.to_owned());
        }
        let path = uri.split(['#', '?']).next().unwrap_or_default();
        let folder = in_file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let start = if path.starts_with('/') { "" } else { folder };
        let mut steps: Vec<String> =
            start.split('/').filter(|step| !step.is_empty()).map(str::to_owned).collect();
        for step in path.split('/').map(decoded) {
            match step.as_str() {
                "" | "." => {}
                ".." => {
                    if steps.pop().is_none() {
                        return Source::Nowhere(uri.to_owned());
                    }
                }
                _ => steps.push(step),
            }
        }
        match path.is_empty() || path.ends_with('/') || steps.is_empty() {
            true => Source::Nowhere(uri.to_owned()),
            false => Source::Inside(steps.join("/")),
        }
    }

    /// The path, if the file is to be in the archive.
    pub fn path(&self) -> Option<&str> {
        match self {
            Source::Inside(path) => Some(path),
            Source::Elsewhere(_) | Source::Nowhere(_) => None,
        }
    }
}

/// A text whose escapes, such as `%20`, are replaced; others remain.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escape = after.get(..2).filter(|_| *first == b'%');
        let escape = escape.and_then(|hex| std::str::from_utf8(hex).ok());
        match escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_uris_begin_in_the_folder_of_the_file_that_names_them() {
        let manifest = super::super::MANIFEST;
        let inside = |uri: &str, path: &str| {
            assert_eq!(Source::of(uri, manifest), Source::Inside(path.to_owned()), "{uri}");
        };
        inside("a.csv", "extra/org.fmi-standard.fmi-ls-ref/a.csv");
        inside("./b/../a%20b.csv", "extra/org.fmi-standard.fmi-ls-ref/a b.csv");
        inside("../org.x/m.ssd", "extra/org.x/m.ssd");
        inside("../../documentation/100%.txt#top", "documentation/100%.txt");
        inside("/resources/a.csv", "resources/a.csv");
        for uri in ["https://example.org/a.csv", "file:///a.csv", "//host/a.csv"] {
            assert_eq!(Source::of(uri, manifest), Source::Elsewhere(uri.to_owned()));
        }
        for uri in ["", "../../../a.csv", "b/", "#top"] {
            assert_eq!(Source::of(uri, manifest), Source::Nowhere(uri.to_owned()));
        }
    }
}
