//! The macros for the declaration of components, which the package `mechanics` re-exports and
//! explains.

mod by_name;
mod choice;
mod component;
mod domains;
mod entry;
mod facts;
mod group;
mod page;
mod written;

use proc_macro::TokenStream;

/// See `mechanics::component!`.
#[proc_macro]
pub fn component(input: TokenStream) -> TokenStream {
    expand(component::expand, input)
}

/// See `mechanics::group!`.
#[proc_macro]
pub fn group(input: TokenStream) -> TokenStream {
    expand(group::expand, input)
}

/// See `mechanics::choice!`.
#[proc_macro]
pub fn choice(input: TokenStream) -> TokenStream {
    expand(choice::expand, input)
}

/// See `mechanics::domain`.
#[proc_macro_attribute]
pub fn two_domains(_: TokenStream, module: TokenStream) -> TokenStream {
    domains::expand(module.into()).into()
}

fn expand<T: syn::parse::Parse>(
    expand: fn(T) -> proc_macro2::TokenStream,
    input: TokenStream,
) -> TokenStream {
    syn::parse(input).map(expand).unwrap_or_else(|error| error.to_compile_error()).into()
}
