//! Any JSON, with objects in their order and without repeated members.

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A value of a JSON file.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `true` or `false`.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Data>),
    /// The members of an object in their order; all names differ.
    Object(Vec<(String, Data)>),
}

impl Data {
    /// An object with one member.
    pub fn member(name: &str, value: Data) -> Data {
        Data::Object(vec![(name.to_owned(), value)])
    }
}

/// Writes a number: one without a fraction is written without a point.
pub fn write_number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    /// All smaller whole numbers are exact.
    const LARGE: f64 = 1e15;
    match *number {
        n if !n.is_finite() => Err(S::Error::custom(format!("no file can hold the number {n}"))),
        n if n.fract() == 0.0 && n.abs() < LARGE && !(n == 0.0 && n.is_sign_negative()) => {
            serializer.serialize_i64(n as i64)
        }
        n => serializer.serialize_f64(n),
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Data::Boolean(value) => serializer.serialize_bool(*value),
            Data::Number(number) => write_number(number, serializer),
            Data::Text(text) => serializer.serialize_str(text),
            Data::List(values) => serializer.collect_seq(values),
            Data::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyData)
    }
}

struct AnyData;

impl<'de> Visitor<'de> for AnyData {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, a number, a text, a list or an object")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Data, E> {
        Ok(Data::Boolean(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Data, E> {
        Ok(Data::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Data, E> {
        Ok(Data::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Data, E> {
        Ok(Data::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Data, E> {
        Ok(Data::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Data::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Data, A::Error> {
        members(map).map(Data::Object)
    }
}

/// The members of an object, in their order.
fn members<'de, V: Deserialize<'de>, A: MapAccess<'de>>(
    mut map: A,
) -> Result<Vec<(String, V)>, A::Error> {
    let mut members: Vec<(String, V)> = Vec::new();
    while let Some((name, value)) = map.next_entry::<String, V>()? {
        if members.iter().any(|(known, _)| *known == name) {
            return Err(A::Error::custom(format!("`{name}` is given twice")));
        }
        members.push((name, value));
    }
    Ok(members)
}

/// Reads an object whose members have any names.
pub fn read_object<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, Data)>, D::Error> {
    struct Members;

    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Data)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            members(map)
        }
    }

    deserializer.deserialize_map(Members)
}

/// Writes an object whose members have any names.
pub fn write_object<S: Serializer>(
    members: &[(String, Data)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
}
