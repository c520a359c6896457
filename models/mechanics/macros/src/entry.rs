//! The entries of a declaration: parameters, ports and variables, line by line.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprLit, ExprRange, Lit, LitStr, Meta, Path, RangeLimits, Result,
    Token, Type, braced, bracketed,
};

/// The attribute of generated code whose names are those of entries.
pub fn names_of_entries() -> TokenStream {
    quote!(#[allow(non_snake_case, reason = "names of the Modelica Standard Library")])
}

/// The lists of entries of a declaration.
#[derive(Default)]
pub struct Lists {
    pub parameters: Vec<Parameter>,
    pub ports: Vec<Port>,
    pub variables: Vec<Variable>,
    /// Components of a group whose ports are in the struct of ports.
    pub parts: Vec<Port>,
}

impl Lists {
    /// The part of a declaration after the name: parameters in braces, then `ports { .. }`,
    /// `variables { .. }` and `parts { .. }`.
    pub fn parse(input: ParseStream<'_>) -> Result<(Lists, Vec<Include>)> {
        let body;
        braced!(body in input);
        let entries = Punctuated::<Entry, Token![,]>::parse_terminated(&body)?;
        let (mut lists, mut includes) = (Lists::default(), Vec::new());
        for entry in entries {
            match entry {
                Entry::Parameter(parameter) => lists.parameters.push(*parameter),
                Entry::Include(include) => {
                    includes.push(Include { position: lists.parameters.len(), ..include });
                }
            }
        }
        while input.peek(syn::Ident) {
            let word: Ident = input.parse()?;
            let body;
            braced!(body in input);
            match word.to_string().as_str() {
                "ports" => lists.ports.extend(body.parse_terminated(Port::parse, Token![,])?),
                "variables" => {
                    lists.variables.extend(body.parse_terminated(Variable::parse, Token![,])?);
                }
                "parts" => {
                    lists.parts.extend(body.parse_terminated(Port::parse_part, Token![,])?);
                }
                _ => {
                    let expected = "expected `ports`, `variables` or `parts`";
                    return Err(Error::new(word.span(), expected));
                }
            }
        }
        Ok((lists, includes))
    }
}

enum Entry {
    Parameter(Box<Parameter>),
    Include(Include),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if !input.peek(Token![..]) {
            return Ok(Entry::Parameter(Box::new(input.parse()?)));
        }
        input.parse::<Token![..]>()?;
        let field = match input.peek2(Token![:]) && !input.peek2(Token![::]) {
            true => Some(input.parse()?),
            false => None,
        };
        if field.is_some() {
            input.parse::<Token![:]>()?;
        }
        Ok(Entry::Include(Include { field, group: input.parse()?, position: 0 }))
    }
}

/// `..relative: relative_starts` includes the entries of a group and adds the field `relative` for
/// its parameters; `..losses` includes the entries of a group without parameters.
pub struct Include {
    pub field: Option<Ident>,
    pub group: Path,
    /// The number of parameters above it that are not of a group.
    pub position: usize,
}

/// The name in Rust and, if it is different, the one in FMI.
pub struct Name {
    pub field: Ident,
    pub fmi: String,
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let field: Ident = input.parse()?;
        let fmi = match input.peek(LitStr) {
            true => input.parse::<LitStr>()?.value(),
            false => field.to_string(),
        };
        Ok(Name { field, fmi })
    }
}

/// The lines of a documentation comment.
pub struct Text(pub Vec<String>);

impl Text {
    pub fn of(attributes: &[Attribute]) -> Text {
        let line = |attribute: &Attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    Some(text.value().trim().to_owned())
                }
                _ => None,
            },
            _ => None,
        };
        Text(attributes.iter().filter_map(line).collect())
    }

    /// Whether a line of a documentation comment separates paragraphs.
    pub fn is_blank(line: &Attribute) -> bool {
        Text::of(std::slice::from_ref(line)).0 == [""]
    }

    /// The number of attributes above the first section of a documentation comment, and above the
    /// blank line before its title. A `#` in an example is no title.
    pub fn before_sections(attributes: &[Attribute]) -> usize {
        let mut is_example = false;
        let title = attributes.iter().position(|attribute| {
            let text = Text::of(std::slice::from_ref(attribute));
            let line = text.0.first().map_or("", String::as_str);
            is_example ^= line.starts_with("```");
            !is_example && line.starts_with("# ")
        });
        let end = title.unwrap_or(attributes.len());
        match attributes[..end].last() {
            Some(last) if title.is_some() && Text::is_blank(last) => end - 1,
            _ => end,
        }
    }

    /// Its first paragraph without the full stop.
    pub fn summary(&self) -> String {
        let paragraph: Vec<&str> =
            self.0.iter().map(String::as_str).take_while(|line| !line.is_empty()).collect();
        paragraph.join(" ").trim_end_matches('.').to_owned()
    }

    /// The text after its first paragraph.
    pub fn rest(&self) -> String {
        let paragraph = self.0.iter().take_while(|line| !line.is_empty()).count();
        self.0[paragraph..].join("\n")
    }

    /// The whole text.
    pub fn whole(&self) -> String {
        self.0.join("\n")
    }
}

/// `peak: Real["1", >= 1] = 1.0`.
pub struct Parameter {
    pub text: Text,
    pub name: Name,
    pub optional: bool,
    pub kind: Type,
    pub facts: Facts,
    pub default: Option<Expr>,
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let text = Text::of(&Attribute::parse_outer(input)?);
        let name = input.parse()?;
        let optional = input.parse::<Option<Token![?]>>()?.is_some();
        input.parse::<Token![:]>()?;
        let kind: Type = input.parse()?;
        let facts = Facts::parse(input)?;
        facts.check(&kind)?;
        let equal = input.parse::<Option<Token![=]>>()?;
        let default = equal.map(|_| input.parse()).transpose()?;
        if optional && default.is_some() {
            return Err(input.error("an optional entry has no default"));
        }
        if facts.follows && default.is_none() {
            return Err(Error::new_spanned(kind, "`follows` is a fact about a default"));
        }
        Ok(Parameter { text, name, optional, kind, facts, default })
    }
}

/// A kind as it is written: `Real`, `[Real; 3]`.
pub fn shape(kind: &Type) -> String {
    written(quote!(#kind))
}

impl Parameter {
    /// The type of the values that a model text gives, which is a `Setting`.
    pub fn setting(&self, m: &Path) -> TokenStream {
        let Parameter { kind, facts, .. } = self;
        let d = quote!(#m::declaration);
        let is_fixed = matches!(facts.lifetime, Lifetime::Constant | Lifetime::Structural);
        let setting = match (shape(kind).as_str(), is_fixed) {
            ("Real", true) => quote!(#d::Structural<f64>),
            ("Real", false) if !facts.input.is_empty() => quote!(#d::Fallback),
            ("[Real; 3]", true) => quote!(#d::Structural<[f64; 3]>),
            ("[Real; 3]", false) => quote!(#d::Vector3),
            ("[Real]", false) => quote!(#d::List),
            ("[[Real]]", _) => quote!(#d::Rows),
            _ => quote!(#kind),
        };
        if facts.on_demand { quote!(#d::OnDemand<#setting>) } else { setting }
    }

    /// The expression of its entry in the table of the declaration.
    pub fn description(&self, m: &Path) -> TokenStream {
        let Parameter { text, name, optional, kind, facts, default } = self;
        let (setter, fmi, text) = (name.field.to_string(), &name.fmi, text.summary());
        let Facts { unit, range, lifetime, on_demand, fixed, follows, input } = facts;
        let limits = range.as_ref().and_then(|range| range.tokens(m));
        let limits = limits.unwrap_or_else(|| quote!(#m::declaration::Limits::ANY));
        let non_zero = matches!(range, Some(Range::NonZero));
        let kind = shape(kind);
        let lifetime = lifetime.tokens(m);
        let default = match default {
            Some(default) => {
                let default = source(default);
                quote!(#m::declaration::Default::Value(#default))
            }
            None if *optional => quote!(#m::declaration::Default::None),
            None => quote!(#m::declaration::Default::Required),
        };
        quote! {
            #m::declaration::Parameter {
                setter: #setter,
                name: #fmi,
                kind: #kind,
                unit: #unit,
                limits: #limits,
                non_zero: #non_zero,
                lifetime: #lifetime,
                on_demand: #on_demand,
                fixed: #fixed,
                follows: #follows,
                input: #input,
                default: #default,
                text: #text,
            }
        }
    }

    /// The type that the equations use.
    pub fn declared(&self, m: &Path) -> TokenStream {
        let setting = self.setting(m);
        let declared = quote!(<#setting as #m::declaration::Setting>::Declared);
        if self.optional { quote!(::std::option::Option<#declared>) } else { declared }
    }

    /// The field with the value that the equations use.
    pub fn declared_field(&self, m: &Path) -> TokenStream {
        let (field, kind, text) = (&self.name.field, self.declared(m), self.text.whole());
        quote!(#[doc = #text] pub #field: #kind,)
    }

    /// The documentation of its setter.
    pub fn documentation(&self) -> String {
        let mut text = self.text.summary();
        if !matches!(self.facts.unit.as_str(), "" | "1") {
            text += &format!(", in {}", self.facts.unit);
        }
        if let Some(range) = &self.facts.range {
            text += &format!(", {}", range.words());
        }
        if !self.facts.input.is_empty() {
            text += &format!(", while nothing is connected to `{}`", self.facts.input);
        }
        text += &match &self.default {
            Some(default) => format!("; `{}` unless given.", source(default)),
            None if self.optional => "; optional.".to_owned(),
            None => "; required.".to_owned(),
        };
        text + "\n" + &self.text.rest()
    }
}

/// An expression as it is written in source code.
fn source(expr: &Expr) -> String {
    written(quote!(#expr))
}

fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        let after_value = text.ends_with(|c: char| c.is_alphanumeric() || ")]".contains(c));
        match token {
            TokenTree::Group(group) => {
                let inner = written(group.stream());
                text += &match group.delimiter() {
                    Delimiter::Parenthesis => format!("({inner})"),
                    Delimiter::Bracket => format!("[{inner}]"),
                    Delimiter::Brace => format!("{{ {inner} }}"),
                    Delimiter::None => inner,
                };
            }
            TokenTree::Punct(punct) => {
                text += &match punct.as_char() {
                    mark @ (',' | ';') => format!("{mark} "),
                    sign @ ('+' | '-' | '*' | '/') if after_value => format!(" {sign} "),
                    mark => mark.to_string(),
                };
            }
            TokenTree::Literal(literal) => text += &number(&literal.to_string()),
            TokenTree::Ident(word) => {
                text += &format!("{}{word}", if after_value { " " } else { "" });
            }
        }
    }
    text
}

/// A number without separators between its digits, and without a fraction that is zero; other
/// literals are not changed.
fn number(literal: &str) -> String {
    if !literal.starts_with(|c: char| c.is_ascii_digit()) {
        return literal.to_owned();
    }
    let plain = literal.replace('_', "");
    plain.strip_suffix(".0").unwrap_or(&plain).to_owned()
}

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
    fn tokens(self, m: &Path) -> TokenStream {
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
    fn tokens(&self, m: &Path) -> Option<TokenStream> {
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
    fn words(&self) -> String {
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
    fn parse(input: ParseStream<'_>) -> Result<Facts> {
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
    fn check(&self, kind: &Type) -> Result<()> {
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
        "Axis" | "[usize; 3]" | "[StateSelect; 3]" | "String" => true,
        "StateSelect" | "bool" => fact != "`constant`",
        "[Real]" => fact == "`constant`",
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

/// `flange_a: Flange`.
pub struct Port {
    pub text: Text,
    pub name: Name,
    pub kind: Type,
    pub unit: String,
}

impl Parse for Port {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let text = Text::of(&Attribute::parse_outer(input)?);
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let kind = input.parse()?;
        Ok(Port { text, name, kind, unit: unit(input)? })
    }
}

/// The unit in brackets, the only fact about a port or a variable.
fn unit(input: ParseStream<'_>) -> Result<String> {
    if !input.peek(syn::token::Bracket) {
        return Ok(String::new());
    }
    let inside;
    bracketed!(inside in input);
    let unit = inside.parse::<LitStr>()?.value();
    match inside.is_empty() {
        true => Ok(unit),
        false => Err(inside.error("a port or a variable has no fact but its unit")),
    }
}

impl Port {
    /// A component of a group, which is written like a port without a unit.
    fn parse_part(input: ParseStream<'_>) -> Result<Port> {
        let part: Port = input.parse()?;
        match part.unit.is_empty() {
            true => Ok(part),
            false => Err(Error::new_spanned(part.kind, "a part has no unit")),
        }
    }

    /// The documentation of its field.
    pub fn documentation(&self) -> String {
        let text = self.text.whole().trim_end_matches('.').to_owned();
        match self.unit.as_str() {
            "" | "1" => format!("{text}."),
            unit => format!("{text}, in {unit}."),
        }
    }

    /// The expression of its entry in the table of the declaration.
    pub fn description(&self, m: &Path) -> TokenStream {
        let Port { text, name, kind, unit } = self;
        let (field, fmi, text) = (name.field.to_string(), &name.fmi, text.summary());
        let kind = shape(kind);
        quote! {
            #m::declaration::Port {
                field: #field, name: #fmi, kind: #kind, unit: #unit, text: #text,
            }
        }
    }
}

/// `phi: Real["rad"]`.
pub struct Variable(pub Port);

impl Parse for Variable {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Variable(input.parse()?))
    }
}

impl Variable {
    pub fn description(&self, m: &Path) -> TokenStream {
        let Port { text, name, kind, unit } = &self.0;
        let (field, fmi, text) = (name.field.to_string(), &name.fmi, text.summary());
        let kind = quote!(#kind).to_string();
        quote! {
            #m::declaration::Variable {
                field: #field, name: #fmi, kind: #kind, unit: #unit, text: #text,
            }
        }
    }

    /// The type of the field in the struct of ports.
    pub fn field_type(port: &Port, m: &Path) -> Result<TokenStream> {
        let kind = &port.kind;
        let quantity = quote!(#m::assembly::Quantity);
        match quote!(#kind).to_string().as_str() {
            "Real" | "Integer" | "Boolean" => Ok(quantity),
            "Vector" => Ok(quote!([#quantity; 3])),
            "Matrix" => Ok(quote!([#quantity; 9])),
            "Array" => Ok(quote!(#m::assembly::Array)),
            "Quaternion" => Ok(quote!([#quantity; 4])),
            _ => Err(Error::new_spanned(
                kind,
                "a variable is Real, Integer, Boolean, Vector, Quaternion, Matrix or Array",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse::Parser;

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
            ("c: [Real][constant]", "`constant` has no effect on the kind `[Real]`"),
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

    #[test]
    fn ports_and_variables_have_no_fact_but_their_unit() {
        for line in [r#"f: Input["N", > 0]"#, r#"y: Real["1", fixed]"#] {
            let message = Some("a port or a variable has no fact but its unit");
            assert_eq!(refusal::<Port>(line).as_deref(), message, "{line}");
        }
        assert!(refusal::<Port>("y: Real[fixed]").is_some());
        assert_eq!(refusal::<Port>(r#"f: Input["N"]"#), None);
        let part = Port::parse_part.parse_str(r#"spring: Spring["m"]"#);
        assert_eq!(
            part.err().map(|error| error.to_string()).as_deref(),
            Some("a part has no unit")
        );
    }

    /// What is said about a line that is refused.
    fn refusal<Line: Parse>(line: &str) -> Option<String> {
        syn::parse_str::<Line>(line).err().map(|error| error.to_string())
    }

    #[test]
    fn expressions_are_written_as_one_writes_them() {
        for text in [
            "-1.5e-3",
            "free()",
            "StateSelect::Default",
            "[0; 3]",
            "[[0, 1], [-1, 0]]",
            "m * (r_a - r_b) / -2",
            "c.max(1) as f64",
        ] {
            assert_eq!(source(&syn::parse_str(text).unwrap()), text);
        }
        let rust = syn::parse_str("f(-3.986_004e14 / 20.0)").unwrap();
        assert_eq!(source(&rust), "f(-3.986004e14 / 20)");
    }
}
