//! The code of a component, generated from its declaration.

use crate::entry::{
    Include, Lists, Name, Parameter, Port, Text, Variable, check_names, names_of_entries,
};
use crate::group::Inclusion;
use crate::{by_name, page};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, LitStr, Path, Result, Token, bracketed};

/// The groups included so far, the path of the package `mechanics` in brackets, and then
/// `pub struct Name = "Class" { .. } ports { .. } variables { .. }`; or `pub part`, followed by
/// `parts { .. }` as well, for a group of other components.
pub struct Component {
    /// The whole input, which the macro of the next included group receives.
    input: TokenStream,
    /// The groups included so far.
    inclusions: Vec<Inclusion>,
    /// The path of the package `mechanics`.
    m: Path,
    pub attributes: Vec<Attribute>,
    /// Whether it is a group of other components.
    is_part: bool,
    name: Ident,
    pub class: String,
    pub own: Lists,
    groups: Vec<Include>,
}

impl Parse for Component {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let whole = input.fork().parse()?;
        let mut inclusions = Vec::new();
        while input.parse::<Option<Token![@]>>()?.is_some() {
            inclusions.push(input.parse::<Inclusion>()?);
        }
        inclusions.reverse();
        let path;
        bracketed!(path in input);
        let m = path.parse()?;
        let mut attributes = Attribute::parse_outer(input)?;
        let end = Text::before_sections(&attributes);
        attributes.splice(end..end, inclusions.iter().flat_map(|group| group.paragraphs.clone()));
        input.parse::<Token![pub]>()?;
        let is_part = input.parse::<Option<Token![struct]>>()?.is_none();
        if is_part {
            let word: Ident = input.parse()?;
            if word != "part" {
                return Err(Error::new(word.span(), "expected `struct` or `part`"));
            }
        }
        let name = input.parse()?;
        let class = match input.parse::<Option<Token![=]>>()? {
            Some(_) => input.parse::<LitStr>()?.value(),
            None => String::new(),
        };
        let (own, groups) = Lists::parse(input)?;
        if let (false, Some(part)) = (is_part, own.parts.first()) {
            return Err(Error::new(part.name.field.span(), "only a `pub part` has parts"));
        }
        check_names(inclusions.iter().map(|group| (&group.name, &group.lists)), &own)?;
        Ok(Component { input: whole, inclusions, m, attributes, is_part, name, class, own, groups })
    }
}

impl Component {
    /// All parameters, those of a group in the place where it is included.
    fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        let mut all: Vec<&Parameter> = self.own.parameters.iter().collect();
        for (include, group) in self.groups.iter().zip(&self.inclusions).rev() {
            let at = include.position;
            all.splice(at..at, &group.lists.parameters);
        }
        all.into_iter()
    }

    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        let groups = self.inclusions.iter().flat_map(|group| &group.lists.ports);
        self.own.ports.iter().chain(groups)
    }

    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        let groups = self.inclusions.iter().flat_map(|group| &group.lists.variables);
        self.own.variables.iter().chain(groups)
    }

    /// The fields of its parameters.
    fn fields(&self) -> Vec<&Ident> {
        self.parameters().map(|p| &p.name.field).collect()
    }

    /// The struct with the values that a model text gives, and its setters.
    fn settings(&self) -> TokenStream {
        let Component { m, attributes, name, .. } = self;
        let (fields, names) = (self.fields(), names_of_entries());
        let kinds: Vec<_> = self.parameters().map(|p| p.setting(m)).collect();
        let documentation = self.parameters().map(Parameter::documentation);
        let new = format!("A [`{name}`] with nothing given yet.");
        let first = attributes.iter().take_while(|line| !Text::is_blank(line)).count();
        let (first, rest) = attributes.split_at(first);
        let [overview, tables] = [page::overview(self), page::tables(self)];
        let by_name = by_name::settings(m, name, &fields);
        quote! {
            #(#first)*
            #[doc = ""]
            #[doc = #overview]
            #(#rest)*
            #[doc = #tables]
            #[derive(Clone, Debug, Default)]
            #names
            pub struct #name { #(pub(crate) #fields: ::core::option::Option<#kinds>,)* }

            #by_name

            #names
            impl #name {
                #[doc = #new]
                pub const fn new() -> Self {
                    #name { #(#fields: ::core::option::Option::None,)* }
                }
                #(#[doc = #documentation]
                #[must_use]
                pub fn #fields<Form>(
                    mut self,
                    #fields: impl #m::declaration::ValueOf<#kinds, Form>,
                ) -> Self {
                    self.#fields = #fields.value().or(self.#fields);
                    self
                })*
            }
        }
    }

    /// The struct with the values that the equations use.
    fn declared(&self) -> TokenStream {
        let Component { m, name, own, inclusions, .. } = self;
        let declared = format_ident!("{name}Parameters");
        let names = names_of_entries();
        let text = format!("The parameters of a [`{name}`] as its equations use them.");
        let fields = own.parameters.iter().map(|p| p.declared_field(m));
        let groups = self.groups.iter().zip(inclusions).filter_map(|(include, group)| {
            let field = include.field.as_ref()?;
            let (kind, text) = (&group.name, format!("Those of [`{}`].", group.name));
            Some(quote!(#[doc = #text] pub #field: #kind,))
        });
        quote! {
            #[doc(hidden)]
            #[doc = #text]
            #[derive(Clone, Debug)]
            #names
            pub struct #declared { #(#fields)* #(#groups)* }
        }
    }

    /// The struct with the values that the parts use, and the method that makes it.
    fn given(&self) -> Option<TokenStream> {
        let Component { m, name, .. } = self;
        let given = format_ident!("{name}Parameters");
        let (fields, names) = (self.fields(), names_of_entries());
        let kinds = self.parameters().map(|p| match (p.setting(m), &p.default) {
            (setting, Some(_)) => setting,
            (setting, None) => quote!(::core::option::Option<#setting>),
        });
        let lets = self.parameters().filter_map(|p| {
            let (field, default) = (&p.name.field, p.default.as_ref()?);
            Some(quote!(let #field = #field.unwrap_or_else(|| (#default).into());))
        });
        let required = self.parameters().enumerate().filter_map(|(k, p)| {
            let field = (p.default.is_none() && !p.optional).then_some(&p.name.field)?;
            Some(quote! {
                if #field.is_none() {
                    let of = &<Self as #m::declaration::Declared>::DECLARATION.parameters[#k];
                    assembly.refuse(of.missing(name));
                }
            })
        });
        let text = format!("The parameters of a [`{name}`] as its parts use them.");
        let quote = quote! {
            #[doc = #text]
            #names
            struct #given { #(#fields: #kinds,)* }

            #names
            impl #name {
                /// The given values, and defaults for the others. A required value that is missing
                /// is an error of the assembly, and `None`.
                #[allow(unused_variables, reason = "a group may have no required parameters")]
                fn given(self, assembly: &mut #m::assembly::Assembly, name: &str) -> #given {
                    let #name { #(#fields),* } = self;
                    #(#required)*
                    #(#lets)*
                    #given { #(#fields),* }
                }
            }
        };
        (!fields.is_empty()).then_some(quote)
    }

    /// Whether a struct of ports is generated; for a `part` it may be written by hand instead.
    fn has_ports(&self) -> bool {
        let listed = self.ports().count() + self.variables().count() + self.own.parts.len();
        !self.is_part || listed > 0
    }

    /// Ports and variables, as a model text uses them.
    fn connectors(&self) -> Result<TokenStream> {
        let Component { m, name, .. } = self;
        let ports = format_ident!("{name}Ports");
        let names = names_of_entries();
        let text = format!("Ports and variables of a [`{name}`].");
        let mut fields = TokenStream::new();
        let mut values = TokenStream::new();
        let mut add = |name: &Name, kind: TokenStream, text: String| {
            let Name { field, fmi } = name;
            fields.extend(quote!(#[doc = #text] pub #field: #kind,));
            values.extend(quote!(#field: #m::assembly::PortEntry::at(at, #fmi),));
        };
        for port in self.ports() {
            add(&port.name, port.field_type(m), port.documentation());
        }
        for Variable(variable) in self.variables() {
            add(&variable.name, Variable::field_type(variable, m)?, variable.documentation());
        }
        let entries = self.ports().chain(self.variables().map(|Variable(entry)| entry));
        let entries: Vec<&Name> = entries.map(|entry| &entry.name).collect();
        let parts: Vec<&Name> = self.own.parts.iter().map(|part| &part.name).collect();
        let by_name = by_name::ports(m, &ports, &entries, &parts);
        let parts = self.own.parts.iter().map(|part| {
            let (field, kind, text) = (&part.name.field, &part.kind, part.documentation());
            quote!(#[doc = #text] pub #field: <#kind as #m::assembly::Part>::Ports,)
        });
        let made = (!self.is_part).then(|| {
            quote! {
                impl ::core::convert::From<#m::assembly::At> for #ports {
                    #[allow(unused_variables, reason = "a component may have no ports")]
                    fn from(at: #m::assembly::At) -> Self {
                        #ports { #values }
                    }
                }
            }
        });
        let in_line = self.in_line();
        Ok(quote! {
            #[doc(hidden)]
            #[doc = #text]
            #[derive(Clone, Copy, Debug)]
            #names
            pub struct #ports { #fields #(#parts)* }

            #made

            #in_line

            #by_name
        })
    }

    /// A component with one port on either side can be an element of a chain.
    fn in_line(&self) -> Option<TokenStream> {
        let Component { m, name, .. } = self;
        let ports = format_ident!("{name}Ports");
        let kind = |field: &str| -> Option<TokenStream> {
            let of_port = self.ports().find(|port| port.name.field == field);
            let of_port = of_port.map(|port| port.field_type(m));
            of_port.or_else(|| {
                let variable = self.variables().find(|Variable(v)| v.name.field == field)?;
                Variable::field_type(&variable.0, m).ok()
            })
        };
        let sides = [
            ["frame_a", "frame_b"],
            ["flange_a", "flange_b"],
            ["port_a", "port_b"],
            ["p", "n"],
            ["u", "y"],
        ];
        let found = sides.iter().find_map(|[a, b]| Some(([a, b], kind(a)?, kind(b)?)));
        let ([a, b], input, output) = found?;
        // Vectors of unknown length cannot be connected in a chain.
        let is_vector =
            |kind: &TokenStream| ["Array", ">"].iter().any(|end| kind.to_string().ends_with(end));
        if is_vector(&input) || is_vector(&output) {
            return None;
        }
        let [a, b] = [a, b].map(|field| format_ident!("{field}"));
        Some(quote! {
            impl #m::assembly::InLine for #ports {
                type In = #input;
                type Out = #output;

                fn ends(self) -> (#input, #output) {
                    (self.#a, self.#b)
                }
            }
        })
    }

    /// The table of the declaration.
    fn declaration(&self) -> TokenStream {
        let Component { m, name, class, .. } = self;
        let text = Text::of(&self.attributes);
        let (word, summary, text) = (name.to_string(), text.summary(), text.whole());
        let parameters = self.parameters().map(|p| p.description(m));
        let ports = self.ports().map(|p| p.description(m));
        let variables = self.variables().map(|v| v.description(m));
        quote! {
            impl #m::declaration::Declared for #name {
                const DECLARATION: &'static #m::declaration::Declaration =
                    &#m::declaration::Declaration {
                        name: #word,
                        class: #class,
                        summary: #summary,
                        text: #text,
                        parameters: &[#(#parameters),*],
                        ports: &[#(#ports),*],
                        variables: &[#(#variables),*],
                    };
            }
        }
    }

    /// The function that declares parameters as variables of the FMU.
    fn declare(&self) -> TokenStream {
        let Component { m, name, own, inclusions, .. } = self;
        let [parameters, ports] = ["Parameters", "Ports"].map(|word| format_ident!("{name}{word}"));
        let names = names_of_entries();
        let c = Ident::new("c", Span::mixed_site());
        let lets = self.parameters().enumerate().map(|(k, p)| {
            let field = &p.name.field;
            let given = quote! {
                (&<Self as #m::declaration::Declared>::DECLARATION.parameters[#k], self.#field.clone())
            };
            match (&p.default, p.optional) {
                (Some(default), _) => quote! {
                    let #field = #c.declare_or(#given, || (#default).into())?;
                },
                (None, true) => quote!(let #field = #c.declare_if(#given)?;),
                (None, false) => quote!(let #field = #c.declare(#given)?;),
            }
        });
        let fields = own.parameters.iter().map(|p| &p.name.field);
        let groups = self.groups.iter().zip(inclusions).filter_map(|(include, group)| {
            let field = include.field.as_ref()?;
            let (kind, inner) = (&group.name, group.lists.parameters.iter().map(|p| &p.name.field));
            Some(quote!(#field: #kind { #(#inner,)* },))
        });
        quote! {
            impl #m::declaration::Declare for #name {
                type Ports = #ports;
                type Parameters = #parameters;

                #names
                fn declare(
                    &self,
                    #[allow(unused_variables, reason = "a component may have no parameters")]
                    #c: &mut #m::component::Contribution<'_>,
                ) -> ::core::result::Result<#parameters, #m::Error> {
                    #(#lets)*
                    ::core::result::Result::Ok(#parameters { #(#fields,)* #(#groups)* })
                }
            }
        }
    }
}

/// The generated code. Each call includes one more group until none is left.
pub fn expand(component: Component) -> TokenStream {
    let Component { input, inclusions, groups, .. } = &component;
    if let Some(Include { group, .. }) = groups.get(inclusions.len()) {
        return quote!(#group! { #input });
    }
    let [settings, declaration] = [component.settings(), component.declaration()];
    let connectors = component.has_ports().then(|| component.connectors());
    let connectors = match connectors.transpose() {
        Ok(connectors) => connectors,
        Err(error) => return error.to_compile_error(),
    };
    if component.is_part {
        let given = component.given();
        return quote!(#settings #declaration #connectors #given);
    }
    let [declared, declare] = [component.declared(), component.declare()];
    quote!(#settings #declaration #connectors #declared #declare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_of_a_group_are_above_the_sections_of_a_component() {
        let component: Component = syn::parse_quote! {
            @Second
            /// Another group.
            ///
            /// The second paragraph.
            {{}}
            @First
            /// A group.
            ///
            /// The first paragraph.
            {{}}
            [mechanics]
            /// Component.
            ///
            /// ```
            /// # let hidden = 1;
            /// ```
            ///
            /// # Equations
            /// `y = u`.
            pub struct Both { ..first, ..second }
        };
        let text = [
            "Component.",
            "",
            "```",
            "# let hidden = 1;",
            "```",
            "",
            "The first paragraph.",
            "",
            "The second paragraph.",
            "",
            "# Equations",
            "`y = u`.",
        ];
        assert_eq!(Text::of(&component.attributes).0, text);
    }

    #[test]
    fn names_that_are_declared_twice_are_refused() {
        let refusal = |declaration: &str| {
            let refused = syn::parse_str::<Component>(declaration).err();
            refused.map(|error| error.to_string()).unwrap_or_default()
        };
        let parameters = "`c` is declared twice among the parameters";
        assert_eq!(refusal("[m] pub struct Spring { c: Real, d: Real, c: Real }"), parameters);
        assert_eq!(
            refusal("@Damping { { c: Real } } [m] pub struct Spring { c: Real, ..damping }"),
            format!("{parameters}, once in the group Damping")
        );
        let others = "`y` is declared twice among the ports, variables and parts";
        for lists in [
            "ports { y: Input, y: Input }",
            "ports { y: Input } variables { y: Real }",
            "variables { y: Real, x: Real, y: Real }",
        ] {
            assert_eq!(refusal(&format!("[m] pub struct Gain {{}} {lists}")), others, "{lists}");
        }
        let both = "[m] pub struct Mass { s: Start } variables { s: Real }";
        assert_eq!(refusal(both), "", "a parameter may be the start value of a variable");
    }
}
