//! The facts about a parameter, in brackets after its kind.

use crate::written::{shape, source};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{
    Error, Expr, ExprLit, ExprRange, Lit, LitStr, Path, RangeLimits, Result, Token, Type, bracketed,
};

/// The facts in brackets after a kind: `["rad/s", > 0, fixed]`, `["m", structural]`,
/// `["1", for input]`.
#[derive(Default)]
pub struct Facts {
    pub unit: String,
    pub range: Option<Range>,
    pub lifetime: Lifetime,
    /// Whether it is a variable of the FMU only if the component uses it.
    pub on_demand: bool,
    pub fixed: bool,
    /// Whether its default changes with the parameters above it.
    pub follows: bool,
    /// The input for which it is the value if nothing is connected.
    pub input: String,
}

/// Which values are fixed when the FMU is generated.
#[derive(Clone, Copy, Default)]
pub enum Lifetime {
    /// Those that the kind fixes.
    #[default]
    OfKind,
    /// `structural zero`.
    StructuralZero,
    /// `constant`.
    Constant,
    /// `structural`.
    Structural,
}

impl Lifetime {
    pub fn tokens(self, m: &Path) -> TokenStream {
        let lifetime = quote!(#m::declaration::Lifetime);
        match self {
            Lifetime::OfKind => quote!(#lifetime::OfKind),
            Lifetime::StructuralZero => quote!(#lifetime::StructuralZero),
            Lifetime::Constant => quote!(#lifetime::Constant),
            Lifetime::Structural => quote!(#lifetime::Structural),
        }
    }
}

/// The range of values.
pub enum Range {
    /// `> 0`.
    Positive,
    /// `>= 0`.
    NotNegative,
    /// `>= 1`.
    AtLeast(Expr),
    /// `0..=1`.
    Between(Expr, Expr),
    /// `!= 0`.
    NonZero,
}

impl Parse for Range {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.parse::<Option<Token![>=]>>()?.is_some() {
            let least: Expr = input.parse()?;
            return Ok(if is_zero(&least) { Range::NotNegative } else { Range::AtLeast(least) });
        }
        if input.parse::<Option<Token![>]>>()?.is_some() {
            return zero(input).map(|()| Range::Positive);
        }
        if input.parse::<Option<Token![!=]>>()?.is_some() {
            return zero(input).map(|()| Range::NonZero);
        }
        match input.parse()? {
            ExprRange {
                start: Some(from), limits: RangeLimits::Closed(_), end: Some(to), ..
            } => Ok(Range::Between(*from, *to)),
            range => Err(Error::new_spanned(range, "expected `from..=to`")),
        }
    }
}

impl Range {
    /// The limits, if there are any.
    pub fn tokens(&self, m: &Path) -> Option<TokenStream> {
        let limits = quote!(#m::declaration::Limits);
        match self {
            Range::Positive => Some(quote!(#limits::POSITIVE)),
            Range::NotNegative => Some(quote!(#limits::NOT_NEGATIVE)),
            Range::AtLeast(least) => Some(quote!(#limits::at_least(#least as f64))),
            Range::Between(from, to) => Some(quote!(#limits::between(#from as f64, #to as f64))),
            Range::NonZero => None,
        }
    }

    /// The range in words.
    pub fn words(&self) -> String {
        match self {
            Range::Positive => "positive".to_owned(),
            Range::NotNegative => "not negative".to_owned(),
            Range::AtLeast(least) => format!("at least {}", source(least)),
            Range::Between(from, to) => format!("from {} to {}", source(from), source(to)),
            Range::NonZero => "not zero".to_owned(),
        }
    }
}

impl Facts {
    pub fn parse(input: ParseStream<'_>) -> Result<Facts> {
        let mut facts = Facts::default();
        if !input.peek(syn::token::Bracket) {
            return Ok(facts);
        }
        let inside;
        bracketed!(inside in input);
        while !inside.is_empty() {
            facts.parse_one(&inside)?;
            if !inside.is_empty() {
                inside.parse::<Token![,]>()?;
            }
        }
        Ok(facts)
    }

    /// Refuses facts that would have no effect on a parameter of this kind.
    pub fn check(&self, kind: &Type) -> Result<()> {
        let (given, shape) = (self.given(), shape(kind));
        let kind_of = |kinds: &[&str]| kinds.contains(&shape.as_str());
        let refuse = |message: String| Err(Error::new_spanned(kind, message));
        for fact in &given {
            match kinds_with(fact) {
                Some(kinds) if !kind_of(kinds) => {
                    let kinds = kinds.join("`, `");
                    return refuse(format!("{fact} is a fact about the kinds `{kinds}`"));
                }
                None if has_no_effect(fact, &shape) => {
                    return refuse(format!("{fact} has no effect on the kind `{shape}`"));
                }
                _ => {}
            }
        }
        match EXCLUSIVE.iter().find(|(one, other)| given.contains(one) && given.contains(other)) {
            Some((one, other)) => refuse(format!("{one} has no effect if {other} is given")),
            None => Ok(()),
        }
    }

    /// The names of all facts but the unit.
    fn given(&self) -> Vec<&'static str> {
        let lifetime = match self.lifetime {
            Lifetime::OfKind => None,
            Lifetime::StructuralZero => Some("`structural zero`"),
            Lifetime::Constant => Some("`constant`"),
            Lifetime::Structural => Some("`structural`"),
        };
        let others = [
            (self.range.is_some(), "a range"),
            (self.on_demand, "`on demand`"),
            (self.fixed, "`fixed`"),
            (self.follows, "`follows`"),
            (!self.input.is_empty(), "`for`"),
        ];
        let others = others.into_iter().filter_map(|(is_given, fact)| is_given.then_some(fact));
        lifetime.into_iter().chain(others).collect()
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        let span = input.span();
        let is_second = if input.peek(LitStr) {
            let unit = input.parse::<LitStr>()?.value();
            !std::mem::replace(&mut self.unit, unit).is_empty()
        } else if input.parse::<Option<Token![for]>>()?.is_some() {
            let name = input.parse::<Ident>()?.to_string();
            !std::mem::replace(&mut self.input, name).is_empty()
        } else if input.peek(syn::Ident) {
            self.parse_word(input)?
        } else {
            self.range.replace(input.parse()?).is_some()
        };
        match is_second {
            true => Err(Error::new(span, "a second fact of this sort")),
            false => Ok(()),
        }
    }

    /// Whether a fact of the same sort is there already.
    fn parse_word(&mut self, input: ParseStream<'_>) -> Result<bool> {
        let word: Ident = input.parse()?;
        let second: Option<Ident> = input.parse()?;
        let second = second.map(|word| word.to_string());
        let lifetime = match (word.to_string().as_str(), second.as_deref()) {
            ("fixed", None) => return Ok(std::mem::replace(&mut self.fixed, true)),
            ("follows", None) => return Ok(std::mem::replace(&mut self.follows, true)),
            ("on", Some("demand")) => return Ok(std::mem::replace(&mut self.on_demand, true)),
            ("constant", None) => Lifetime::Constant,
            ("structural", None) => Lifetime::Structural,
            ("structural", Some("zero")) => Lifetime::StructuralZero,
            _ => {
                let expected = "expected `fixed`, `follows`, `on demand`, `constant`, \
                                `structural` or `structural zero`";
                return Err(Error::new(word.span(), expected));
            }
        };
        Ok(!matches!(std::mem::replace(&mut self.lifetime, lifetime), Lifetime::OfKind))
    }
}

/// The only kinds with which a fact has an effect, if they are few.
fn kinds_with(fact: &str) -> Option<&'static [&'static str]> {
    match fact {
        "`for`" | "`structural zero`" => Some(&["Real"]),
        "`structural`" => Some(&["Real", "[Real; 3]", "[usize; 3]"]),
        "`on demand`" => Some(&["Real", "[Real; 3]", "[[Real]]", "Axis", "[usize; 3]"]),
        _ => None,
    }
}

/// Whether a fact that types outside this package may use has no effect on a kind.
fn has_no_effect(fact: &str, kind: &str) -> bool {
    match kind {
        "Start" | "[Start; 3]" | "Integer" => fact != "a range",
        "Axis" | "[usize; 3]" | "[StateSelect; 3]" | "String" | "[bool]" => true,
        "StateSelect" | "bool" => fact != "`constant`",
        "[[Real]]" => fact == "`follows`",
        _ => false,
    }
}

/// Facts of which the first has no effect if the second is given.
const EXCLUSIVE: [(&str, &str); 11] = [
    ("`structural zero`", "`for`"),
    ("`constant`", "`for`"),
    ("`structural`", "`for`"),
    ("`on demand`", "`for`"),
    ("`follows`", "`for`"),
    ("`fixed`", "`constant`"),
    ("`fixed`", "`structural`"),
    ("`follows`", "`constant`"),
    ("`follows`", "`structural`"),
    ("`on demand`", "`constant`"),
    ("`on demand`", "`structural`"),
];

fn is_zero(number: &Expr) -> bool {
    match number {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_digits() == "0",
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => {
            number.base10_parse::<f64>().is_ok_and(|number| number == 0.0)
        }
        _ => false,
    }
}

/// Parses the number after `>` or `!=`, which must be zero.
fn zero(input: ParseStream<'_>) -> Result<()> {
    let number: Expr = input.parse()?;
    match is_zero(&number) {
        true => Ok(()),
        false => Err(Error::new_spanned(number, "expected 0")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Parameter;
    use crate::entry::tests::refusal;

    #[test]
    fn ranges_are_said_in_words() {
        for (text, words) in [
            ("> 0", "positive"),
            (">= 0", "not negative"),
            (">= -1", "at least -1"),
            ("0..=1", "from 0 to 1"),
            ("!= 0", "not zero"),
        ] {
            assert_eq!(syn::parse_str::<Range>(text).unwrap().words(), words);
        }
    }

    #[test]
    fn facts_without_effect_are_refused() {
        for (line, message) in [
            (
                "n: Integer[structural]",
                "`structural` is a fact about the kinds `Real`, `[Real; 3]`, `[usize; 3]`",
            ),
            ("r: [Real; 3][structural zero]", "`structural zero` is a fact about the kinds `Real`"),
            ("is_on: bool[for u]", "`for` is a fact about the kinds `Real`"),
            (
                "c: [Real][on demand]",
                "`on demand` is a fact about the kinds `Real`, `[Real; 3]`, `[[Real]]`, `Axis`, \
                 `[usize; 3]`",
            ),
            ("k: Real[for u, constant]", "`constant` has no effect if `for` is given"),
            (
                "k: Real[structural zero, for u]",
                "`structural zero` has no effect if `for` is given",
            ),
            ("k: Real[on demand, for u]", "`on demand` has no effect if `for` is given"),
            ("k: Real[fixed, constant]", "`fixed` has no effect if `constant` is given"),
            ("k: Real[structural, fixed]", "`fixed` has no effect if `structural` is given"),
            ("k: Real[on demand, constant]", "`on demand` has no effect if `constant` is given"),
            ("n: Integer[fixed]", "`fixed` has no effect on the kind `Integer`"),
            ("phi: Start[fixed]", "`fixed` has no effect on the kind `Start`"),
            ("n: Axis[fixed]", "`fixed` has no effect on the kind `Axis`"),
            ("n: Axis[> 0]", "a range has no effect on the kind `Axis`"),
            ("is_on: bool[0..=1]", "a range has no effect on the kind `bool`"),
            ("name: String[>= 1]", "a range has no effect on the kind `String`"),
            ("select: StateSelect[!= 0]", "a range has no effect on the kind `StateSelect`"),
            ("n: Integer[constant]", "`constant` has no effect on the kind `Integer`"),
            ("t: [[Real]][follows] = 2", "`follows` has no effect on the kind `[[Real]]`"),
            ("n: Integer[follows] = 2", "`follows` has no effect on the kind `Integer`"),
            ("k: Real[follows]", "`follows` is a fact about a default"),
        ] {
            assert_eq!(refusal::<Parameter>(line).as_deref(), Some(message), "{line}");
        }
        for line in [
            r#"r: [Real; 3]["m", fixed, on demand]"#,
            r#"phi: Start["rad", >= 0]"#,
            r#"k: Real["1", 0..=1, structural zero, fixed, follows] = width"#,
            "n: Integer[!= 0]",
            "angle: AngleInDegrees[> 0, fixed]",
            r#"curve: [[Real]]["m/s, N", >= 0, fixed, on demand]"#,
            "table: [[Real]][constant]",
            "table: [Real][constant]",
            "sense: Sense[constant]",
        ] {
            assert_eq!(refusal::<Parameter>(line), None, "{line}");
        }
    }

    #[test]
    fn repeated_facts_are_refused() {
        for line in [
            r#"k: Real["1", "m"]"#,
            "k: Real[> 0, != 0]",
            "k: Real[for u, for v]",
            "k: Real[constant, structural]",
            "k: Real[structural zero, constant]",
            "k: Real[fixed, fixed]",
            "k: Real[follows, follows] = 1",
            "k: Real[on demand, on demand]",
        ] {
            let message = Some("a second fact of this sort");
            assert_eq!(refusal::<Parameter>(line).as_deref(), message, "{line}");
        }
    }
}
