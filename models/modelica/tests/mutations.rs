//! Texts that are broken, deep, large or endless are refused in a sentence, in bounded time.

use coupler::Assembly;
use modelica::library::Library;
use modelica::model::Model;
use random::Random;
use std::rc::Rc;
use std::time::Instant;

/// Texts with everything that is read.
const TEXTS: [&str; 2] = [include_str!("everything.mo"), include_str!("language.mo")];

/// What is said about a text that is accepted.
const ACCEPTED: &str = "accepted";

/// A model with a variable of a type at the end of a chain of types.
fn chain_of_types(length: usize) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("package P type T0 = Real;\n");
    for k in 1..=length {
        let _ = writeln!(text, "type T{k} = T{};", k - 1);
    }
    text + &format!("end P; model M P.T{length} x = 1; end M;")
}

/// Reads a text as far as possible; returns the first complaint.
fn read(text: &str) -> Option<String> {
    let mut library = Library::new(Vec::new());
    let classes = match library.open_text("Test.mo", text) {
        Ok(classes) => classes,
        Err(complaints) => return Some(complaints[0].describe()),
    };
    let class = Rc::clone(classes.last()?);
    let model = Model::new(library, &class);
    match model.add_to(&mut Assembly::new()) {
        Ok(_) => None,
        Err(complaints) => Some(complaints[0].describe()),
    }
}

#[test]
fn the_whole_texts_are_read() {
    for text in TEXTS {
        assert_eq!(read(text), None);
    }
}

/// The words and signs of a text, with the blanks after them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, others) = rest.split_at(end);
        words.push(word);
        rest = others;
    }
    words
}

#[test]
fn mutated_texts_are_read_or_refused() {
    let count = std::env::var("COUPLER_MUTATIONS").ok().and_then(|n| n.parse().ok());
    let texts = TEXTS.map(words);
    let mut random = Random(1);
    let mut below = |n: usize| random.below(n);
    let mut refused = 0;
    let count: usize = count.unwrap_or(100);
    for number in 0..count {
        let mut mutated: Vec<&str> = texts[number % texts.len()].clone();
        for _ in 0..=below(3) {
            let words = &texts[below(texts.len())];
            let (at, other) = (below(mutated.len()), below(mutated.len()));
            match below(8) {
                0 => mutated.truncate(at.max(1)),
                1 => drop(mutated.remove(at)),
                2 => mutated.swap(at, other),
                3 => mutated[at] = words[below(words.len())],
                4 => mutated.insert(at, words[below(words.len())]),
                5 => mutated[at..].iter_mut().take(20).for_each(|word| {
                    *word = words[below(words.len())];
                }),
                6 => {
                    let end = (at + 30).min(mutated.len());
                    (at..end).for_each(|k| mutated.swap(k, at + below(end - at)));
                }
                _ => {
                    let end = (other + 40).min(mutated.len());
                    let copied = mutated[other..end].to_vec();
                    drop(mutated.splice(at..at, copied));
                }
            }
        }
        let start = Instant::now();
        refused += usize::from(read(&mutated.concat()).is_some());
        assert!(start.elapsed().as_secs() < 30, "{}", mutated.concat());
    }
    assert!(refused > count / 4, "{refused}");
}

#[test]
fn deep_large_and_endless_texts_are_refused() {
    let parameter = |value: &str| {
        format!(
            "package P function f input Real x; output Real y; algorithm y := f(x) + 1; end f; \
             function g input Real x; output Real y; algorithm y := x; while true loop y := y + 1; \
             end while; end g; end P; model M parameter Real p = {value}; \
             Modelica.Mechanics.Rotational.Components.Inertia a(J = p); end M;"
        )
    };
    for (text, sentence) in [
        (parameter(&"(".repeat(100_000)), "more than 200 levels of nesting"),
        (parameter(&format!("{}1{}", "(".repeat(190), ")".repeat(190))), ACCEPTED),
        (parameter(&("1 + ".repeat(300_000) + "1")), "more than 1000 operators in one expression"),
        (parameter(&("1 == 1 and ".repeat(100_000) + "true")), "more than 1000 operators"),
        (
            parameter(&format!("if false then 1 {} else 2", "elseif false then 1 ".repeat(30_000))),
            "too deeply",
        ),
        (parameter("sum({i for i in 1:2000, j in 1:2000})"), "more than 1000000 elements"),
        (
            "model M Real x[1000, 1000]; end M;".to_owned(),
            "the model has more than 100000 variables",
        ),
        (
            "model M Real x; equation for i in 1:1000, j in 1:1000000 loop x = i; end for; end M;"
                .to_owned(),
            "a loop of more than 1000000 iterations",
        ),
        (parameter("P.f(1)"), "too deeply"),
        (parameter("P.g(1)"), "more than 1000000 iterations"),
        (parameter("sum(fill(1.0, 1000000000))"), "is too large"),
        (parameter("sum(1:1000000000)"), "the range has too many elements"),
        (parameter(&format!("max({{{}}})", "1, ".repeat(300_000) + "1")), ACCEPTED),
        ("model A ".repeat(100_000), "more than 200 levels of nesting"),
        (String::from_utf8_lossy(&[b'\'', 0xe9, b'"', b'(']).into_owned(), "Test.mo:"),
        (chain_of_types(5000), "inherits over more than 100 classes"),
    ] {
        let found = read(&text).unwrap_or_else(|| ACCEPTED.to_owned());
        assert!(found.contains(sentence), "{sentence}: {}", &found[..found.len().min(300)]);
    }
}
