//! The entries of a declaration: parameters, ports and variables, line by line.

use crate::facts::{Facts, Lifetime, Range};
use crate::written::{shape, source};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::HashMap;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprLit, Lit, LitStr, Meta, Path, Result, Token, Type, braced,
    bracketed,
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

/// Refuses names that are declared twice in the lists of groups, each with its name, and of the
/// component that includes them.
pub fn check_names<'l>(
    groups: impl Iterator<Item = (&'l Ident, &'l Lists)> + Clone,
    own: &'l Lists,
) -> Result<()> {
    let groups = groups.map(|(group, lists)| (Some(group), lists));
    let lists = groups.chain([(None, own)]);
    let parameters = lists.clone().flat_map(|(group, lists)| {
        lists.parameters.iter().map(move |parameter| (group, &parameter.name.field))
    });
    let connectors = lists.flat_map(|(group, Lists { ports, variables, parts, .. })| {
        let variables = variables.iter().map(|Variable(variable)| variable);
        let all = ports.iter().chain(variables).chain(parts);
        all.map(move |connector| (group, &connector.name.field))
    });
    distinct("parameters", parameters)?;
    distinct("ports, variables and parts", connectors)
}

/// Refuses a second field with the name of another one, which may be of a group.
fn distinct<'l>(
    what: &str,
    fields: impl Iterator<Item = (Option<&'l Ident>, &'l Ident)>,
) -> Result<()> {
    let mut known = HashMap::new();
    for (group, field) in fields {
        if let Some(first) = known.insert(field, group) {
            let also = first.map_or(String::new(), |group| format!(", once in the group {group}"));
            let message = format!("`{field}` is declared twice among the {what}{also}");
            return Err(Error::new(field.span(), message));
        }
    }
    Ok(())
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
            ("[Real]", true) => quote!(#d::Structural<::std::vec::Vec<f64>>),
            ("[Real]", false) => quote!(#d::List),
            ("[[Real]]", _) => quote!(#d::Rows),
            ("[bool]", _) => quote!(#d::Truths),
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

/// `flange_a: Flange`.
pub struct Port {
    pub text: Text,
    pub name: Name,
    /// Whether it is a variable that is published only in some cases.
    optional: bool,
    pub kind: Type,
    pub unit: String,
}

impl Parse for Port {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let port = Port::parse_entry(input)?;
        match port.optional {
            false => Ok(port),
            true => {
                Err(Error::new_spanned(port.kind, "only parameters and variables are optional"))
            }
        }
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
    fn parse_entry(input: ParseStream<'_>) -> Result<Port> {
        let text = Text::of(&Attribute::parse_outer(input)?);
        let name = input.parse()?;
        let optional = input.parse::<Option<Token![?]>>()?.is_some();
        input.parse::<Token![:]>()?;
        let kind = input.parse()?;
        Ok(Port { text, name, optional, kind, unit: unit(input)? })
    }

    /// A component of a group, which is written like a port without a unit.
    fn parse_part(input: ParseStream<'_>) -> Result<Port> {
        let part: Port = input.parse()?;
        match part.unit.is_empty() {
            true => Ok(part),
            false => Err(Error::new_spanned(part.kind, "a part has no unit")),
        }
    }

    /// The type of its field: `[Input]` is a vector whose length is not known to the declaration.
    pub fn field_type(&self, m: &Path) -> TokenStream {
        match &self.kind {
            Type::Slice(slice) => {
                let element = &slice.elem;
                quote!(#m::assembly::Elements<#element>)
            }
            kind => quote!(#kind),
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
        let Port { text, name, kind, unit, .. } = self;
        let (field, fmi, text) = (name.field.to_string(), &name.fmi, text.summary());
        let kind = shape(kind);
        quote! {
            #m::declaration::Port {
                field: #field, name: #fmi, kind: #kind, unit: #unit, text: #text,
            }
        }
    }
}

/// `phi: Real["rad"]`, or `phi?: Real["rad"]` if it is published only in some cases.
pub struct Variable(pub Port);

impl Parse for Variable {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Port::parse_entry(input).map(Variable)
    }
}

impl Variable {
    pub fn description(&self, m: &Path) -> TokenStream {
        let Port { text, name, optional, kind, unit } = &self.0;
        let (field, fmi, text) = (name.field.to_string(), &name.fmi, text.summary());
        let kind = quote!(#kind).to_string();
        quote! {
            #m::declaration::Variable {
                field: #field,
                name: #fmi,
                optional: #optional,
                kind: #kind,
                unit: #unit,
                text: #text,
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
            "Array" | "[Boolean]" => Ok(quote!(#m::assembly::Array)),
            "Quaternion" => Ok(quote!([#quantity; 4])),
            _ => Err(Error::new_spanned(
                kind,
                "a variable is Real, Integer, Boolean, Vector, Quaternion, Matrix, Array or [Boolean]",
            )),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use syn::parse::Parser;

    #[test]
    fn ports_and_variables_have_no_fact_but_their_unit() {
        for line in [r#"f: Input["N", > 0]"#, r#"y: Real["1", fixed]"#] {
            let message = Some("a port or a variable has no fact but its unit");
            assert_eq!(refusal::<Port>(line).as_deref(), message, "{line}");
        }
        assert!(refusal::<Port>("y: Real[fixed]").is_some());
        assert_eq!(refusal::<Port>(r#"f: Input["N"]"#), None);
        assert_eq!(refusal::<Variable>(r#"f?: Real["N"]"#), None);
        let message = Some("only parameters and variables are optional");
        assert_eq!(refusal::<Port>("u?: Input").as_deref(), message);
        let part = Port::parse_part.parse_str(r#"spring: Spring["m"]"#);
        assert_eq!(
            part.err().map(|error| error.to_string()).as_deref(),
            Some("a part has no unit")
        );
    }

    /// What is said about a line that is refused.
    pub fn refusal<Line: Parse>(line: &str) -> Option<String> {
        syn::parse_str::<Line>(line).err().map(|error| error.to_string())
    }
}
