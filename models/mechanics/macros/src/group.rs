//! A group of entries that several components share.

use crate::entry::{Lists, Text, check_names, names_of_entries};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Path, Result, Token, braced, bracketed, parenthesized};

/// The content of a group for a component: the name of the group's struct, the paragraphs that
/// belong to the description of the component, and the entries.
pub struct Inclusion {
    pub name: Ident,
    /// The description of the group without its first paragraph.
    pub paragraphs: Vec<Attribute>,
    pub lists: Lists,
}

impl Parse for Inclusion {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let body;
        let name = input.parse()?;
        let description = Attribute::parse_outer(input)?;
        let paragraphs = description.into_iter().skip_while(|line| !Text::is_blank(line)).collect();
        braced!(body in input);
        let (lists, includes) = Lists::parse(&body)?;
        match includes.first() {
            None if !lists.parts.is_empty() => Err(body.error("a group has no parts")),
            None => Ok(Inclusion { name, paragraphs, lists }),
            Some(inner) => Err(Error::new_spanned(&inner.group, "a group includes no others")),
        }
    }
}

/// The path of the package `mechanics` in brackets, and then `pub struct Name(name) { .. } ports {
/// .. } variables { .. }`: `name` is the macro that includes the group, `pub name` also in other
/// packages.
pub struct Declaration {
    m: Path,
    attributes: Vec<Attribute>,
    name: Ident,
    /// Whether other packages may include it.
    is_public: bool,
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
        let is_public = name.parse::<Option<Token![pub]>>()?.is_some();
        let including = name.parse()?;
        let entries = input.fork().parse()?;
        let (lists, _) = Lists::parse(input)?;
        check_names(iter::empty(), &lists)?;
        Ok(Declaration { m, attributes, name: group, is_public, including, entries, lists })
    }
}

/// The struct of the group's values, and the macro that includes it.
pub fn expand(declaration: Declaration) -> TokenStream {
    let Declaration { m, attributes, name, is_public, including, entries, lists } = declaration;
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
    let (export, defined, import) = match is_public {
        true => {
            let described = quote!(#name #(#attributes)* #entries);
            let defined = exported(&including, &described);
            let import = quote!(#[doc = #about] pub use #defined as #including;);
            (quote!(#[doc(hidden)] #[macro_export]), defined, import)
        }
        false => (quote!(), including.clone(), quote!(pub(crate) use #including;)),
    };
    quote! {
        #values

        #export
        macro_rules! #defined {
            ($($rest:tt)*) => {
                #m::expand::component! { @#name #(#attributes)* { #entries } $($rest)* }
            };
        }
        #[allow(unused_imports, reason = "it may be included in its own file only")]
        #import
    }
}

/// A name for the macro in the root of the package, which has the macros of all modules: groups of
/// the same name (of rotation and of translation) differ in structs, descriptions or entries.
fn exported(including: &Ident, described: &TokenStream) -> Ident {
    let mut hasher = DefaultHasher::new();
    described.to_string().hash(&mut hasher);
    format_ident!("__{including}_{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name that the macro of a group has where it is defined.
    fn root_name(group: TokenStream) -> String {
        let tokens = quote!([mechanics] #group);
        let code = expand(syn::parse2(tokens).expect("it is a group")).to_string();
        let (_, from_name) = code.split_once("macro_rules ! ").expect("it has a macro");
        from_name.split_whitespace().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn macros_of_groups_with_equal_entries_have_different_names() {
        let entries = quote!({ c: Real });
        let names = [
            root_name(quote!(/** Losses. */ pub struct Losses(pub losses) #entries)),
            root_name(quote!(/** Losses. */ pub struct Others(pub losses) #entries)),
            root_name(quote!(/** Other losses. */ pub struct Losses(pub losses) #entries)),
            root_name(quote!(/** Losses. */ pub struct Losses(pub losses) { d: Real })),
        ];
        let different: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(different.len(), names.len(), "{names:?}");
        assert_eq!(root_name(quote!(pub struct Losses(losses) #entries)), "losses");
    }

    #[test]
    fn a_name_that_a_group_declares_twice_is_refused() {
        let twice =
            syn::parse_str::<Declaration>("[m] pub struct Losses(losses) { c: Real, c: Real }");
        let refused = twice.err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("`c` is declared twice among the parameters"));
    }
}
