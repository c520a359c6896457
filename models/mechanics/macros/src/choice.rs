//! The values of a choice, from the enum that lists them.

use crate::entry::Text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemEnum;

/// The table of the values with their descriptions.
pub fn expand(choice: ItemEnum) -> TokenStream {
    let (name, text) = (&choice.ident, Text::of(&choice.attrs).summary());
    let values = choice.variants.iter().map(|value| {
        let (name, text) = (value.ident.to_string(), Text::of(&value.attrs).summary());
        quote!((#name, #text))
    });
    quote! {
        impl crate::declaration::Chosen for #name {
            const CHOICE: crate::declaration::Choice = crate::declaration::Choice {
                name: stringify!(#name),
                text: #text,
                values: &[#(#values),*],
            };
        }
    }
}
