//! The encoding of lists, whose lengths are bounded, and of types of `kernels` in a file.

use crate::bounds::{MAX_STATES, MAX_VALUES};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use kernels::rows::TableShape;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// A list of at most [`MAX_VALUES`] elements.
pub(crate) fn list_of_values<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    bounded(MAX_VALUES, deserializer)
}

/// A list that exists as long as the process, like the lists of emitted code.
pub(crate) fn static_list<'de, D, T>(deserializer: D) -> Result<&'static [T], D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + 'static,
{
    Ok(Box::leak(list_of_values(deserializer)?.into_boxed_slice()))
}

/// One [`static_list`] for each state.
pub(crate) fn static_lists<'de, D, T>(deserializer: D) -> Result<&'static [&'static [T]], D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + 'static,
{
    #[derive(Deserialize)]
    #[serde(bound = "T: Deserialize<'de> + 'static")]
    struct One<T: 'static>(#[serde(deserialize_with = "static_list")] &'static [T]);

    let lists: Vec<One<T>> = bounded(MAX_STATES, deserializer)?;
    Ok(Vec::leak(lists.into_iter().map(|One(list)| list).collect()))
}

/// A list of limited length. The length precedes the elements in the file; the limit is needed
/// because an element may take one byte or none in the file, but many in memory.
fn bounded<'de, D, T>(max: usize, deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Bounded<T>(usize, PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Bounded<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {} elements", self.0)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Vec<T>, A::Error> {
            match elements.size_hint() {
                Some(n) if n <= self.0 => Vec::deserialize(SeqAccessDeserializer::new(elements)),
                n => Err(A::Error::invalid_length(n.unwrap_or(usize::MAX), &self)),
            }
        }
    }

    deserializer.deserialize_seq(Bounded(max, PhantomData))
}

/// The encoding of [`BlockKind`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "BlockKind")]
pub(crate) enum BlockKindEncoding {
    Equations,
    Loop,
    DrivenLoop,
    Assembly,
    Gap,
    Projection,
}

/// The encoding of [`RelationKind`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "RelationKind")]
pub(crate) enum RelationKindEncoding {
    State,
    Time,
    Sampled,
}

/// The encoding of [`TableShape`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "TableShape")]
pub(crate) struct ShapeEncoding {
    columns: usize,
    jumps: bool,
    periodic: bool,
}
