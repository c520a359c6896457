//! The types of attribute values in the schema.

use fmus::xml::{boolean, double};

/// The required form of an attribute's value.
#[derive(Clone, Copy)]
pub(super) enum ValueType {
    Text,
    Boolean,
    Real,
    Integer,
    Unsigned,
    DateTime,
    UnsignedList,
    OneOf(&'static [&'static str]),
}

/// The error in a value.
pub(super) enum Mismatch {
    /// It does not have its type.
    Type(String),
    /// It is a number that is not finite.
    NotFinite,
    /// It has its type, but not the form that the standard requires.
    Form(&'static str),
}

/// The error in the value of an attribute.
pub(super) fn fault(kind: ValueType, value: &str) -> Option<Mismatch> {
    let is_unsigned = |text: &str| text.trim().parse::<u32>().is_ok();
    let against = |legal: bool, what: &str| (!legal).then(|| Mismatch::Type(what.to_owned()));
    match kind {
        ValueType::Text => None,
        ValueType::Boolean => against(boolean(value).is_some(), "is neither true nor false"),
        ValueType::Real => match double(value) {
            Some(number) if number.is_finite() => None,
            Some(_) => Some(Mismatch::NotFinite),
            None => Some(Mismatch::Type("is not a number".to_owned())),
        },
        ValueType::Integer => {
            against(value.trim().parse::<i32>().is_ok(), "is not a whole number of 32 bits")
        }
        ValueType::Unsigned => against(is_unsigned(value), "is not an unsigned number of 32 bits"),
        ValueType::UnsignedList => {
            against(value.split_ascii_whitespace().all(is_unsigned), "is not a list of indices")
        }
        ValueType::OneOf(words) => {
            against(words.contains(&value), &format!("is none of {}", words.join(", ")))
        }
        ValueType::DateTime if is_short(value) => None,
        ValueType::DateTime if is_date_time(value) => {
            Some(Mismatch::Form("is not of the form YYYY-MM-DDThh:mm:ssZ"))
        }
        ValueType::DateTime => against(false, "is not a date and time as YYYY-MM-DDThh:mm:ssZ"),
    }
}

/// Whether a text is an `xs:dateTime` in the form that FMI requires.
fn is_short(text: &str) -> bool {
    text.len() == "YYYY-MM-DDThh:mm:ssZ".len() && text.ends_with('Z') && is_date_time(text)
}

/// Whether a text is an `xs:dateTime`.
fn is_date_time(text: &str) -> bool {
    let Some(text) = text.get(..19).filter(|_| is_zone(&text[19..])) else { return false };
    let pattern = b"dddd-dd-ddTdd:dd:dd";
    let fits = |(byte, p): (u8, &u8)| if *p == b'd' { byte.is_ascii_digit() } else { byte == *p };
    if !text.bytes().zip(pattern).all(fits) {
        return false;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap_or(99);
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day) && number(11, 13) < 24 && number(14, 16) < 60 && number(17, 19) < 60
}

/// Whether a text may follow the seconds: a fraction, then a time zone.
fn is_zone(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let after = match text.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => text,
    };
    let empty_fraction = text.starts_with('.') && after.len() + 1 == text.len();
    let zone = match after.strip_prefix(['+', '-']).and_then(|zone| zone.split_once(':')) {
        Some((h, m)) => h.len() == 2 && m.len() == 2 && digits(h) && digits(m),
        None => matches!(after, "" | "Z"),
    };
    zone && !empty_fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_distinguished_from_other_texts() {
        for text in ["2020-02-29T23:59:59Z", "2000-02-29T00:00:00Z"] {
            assert!(is_short(text), "{text}");
        }
        for text in ["2020-01-01T00:00:00", "2020-01-01T00:00:00.25Z", "2020-01-01T00:00:00+01:00"]
        {
            assert!(is_date_time(text) && !is_short(text), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2021-02-29T00:00:00Z",
            "2020-13-01T00:00:00Z",
            "2020-01-01 00:00:00Z",
            "2020-01-01T24:00:00Z",
            "2020-01-01T00:00:00.Z",
            "2020-01-01T00:00:00+1:00",
            "2020-01-01T00:00:0ä",
        ] {
            assert!(!is_date_time(text), "{text}");
        }
    }
}
