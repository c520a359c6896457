//! A group of entries that several components share.

use crate::entry::{Lists, Text, names_of_entries};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Path, Result, Token, braced, bracketed, parenthesized};

/// The content of a group for a component: the name of the group's struct, and its entries.
pub struct Inclusion {
    pub name: Ident,
    pub lists: Lists,
}

impl Parse for Inclusion {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let body;
        let name = input.parse()?;
        braced!(body in input);
        let (lists, includes) = Lists::parse(&body)?;
        match includes.first() {
            None if !lists.parts.is_empty() => Err(body.error("a group has no parts")),
            None => Ok(Inclusion { name, lists }),
            Some(inner) => Err(Error::new_spanned(&inner.group, "a group includes no others")),
        }
    }
}

/// The path of the package `mechanics` in brackets, and then `pub struct Name(name) { .. } ports {
/// .. } variables { .. }`: `name` is the macro that includes the group.
pub struct Declaration {
    m: Path,
    attributes: Vec<Attribute>,
    name: Ident,
    /// The name of the macro that includes the group.
    including: Ident,
    /// The entries as they are in the source.
    entries: TokenStream,
    lists: Lists,
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (path, name);
        bracketed!(path in input);
        let m = path.parse()?;
        let attributes = Attribute::parse_outer(input)?;
        input.parse::<Token![pub]>()?;
        input.parse::<Token![struct]>()?;
        let group = input.parse()?;
        parenthesized!(name in input);
        let including = name.parse()?;
        let entries = input.fork().parse()?;
        let (lists, _) = Lists::parse(input)?;
        Ok(Declaration { m, attributes, name: group, including, entries, lists })
    }
}

/// The struct of the group's values, and the macro that includes it.
pub fn expand(declaration: Declaration) -> TokenStream {
    let Declaration { m, attributes, name, including, entries, lists } = declaration;
    let fields = lists.parameters.iter().map(|p| p.declared_field(&m));
    let names = names_of_entries();
    let about = Text::of(&attributes).summary();
    let values = (!lists.parameters.is_empty()).then(|| {
        quote! {
            #[doc = #about]
            #[derive(Clone, Debug)]
            #names
            pub struct #name { #(#fields)* }
        }
    });
    quote! {
        #values

        macro_rules! #including {
            ($($rest:tt)*) => {
                #m::expand::component! { @#name { #entries } $($rest)* }
            };
        }
        #[allow(unused_imports, reason = "it may be included in its own file only")]
        pub(crate) use #including;
    }
}
