//! Plain forms of names, and names that may be meant by one that nothing has.

use equations::similar;

/// The known name that a missing name may mean, as the end of a sentence: `; is it flange_a?` for
/// `flnage_a` and for `flange`. Empty if there is none.
pub fn is_it<N: AsRef<str>>(name: &str, known: impl IntoIterator<Item = N>) -> String {
    let known: Vec<N> = known.into_iter().collect();
    let mut names = known.iter().map(AsRef::as_ref);
    let adds = |known: &&str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
    match similar(name, names.clone()).or_else(|| names.find(adds)) {
        Some(known) => format!("; is it {known}?"),
        None => String::new(),
    }
}

/// A name without its underscores, in lower case.
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}
