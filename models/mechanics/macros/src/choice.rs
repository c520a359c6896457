//! The values of a choice, from the enum that lists them.

use crate::entry::Text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{ItemEnum, Path, Result, bracketed};

/// The path of the package `mechanics` in brackets, and then the enum.
pub struct Declaration {
    m: Path,
    choice: ItemEnum,
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path;
        bracketed!(path in input);
        Ok(Declaration { m: path.parse()?, choice: input.parse()? })
    }
}

/// The enum as a kind of parameter, and the table of its values with their descriptions.
pub fn expand(Declaration { m, choice }: Declaration) -> TokenStream {
    let (name, text) = (&choice.ident, Text::of(&choice.attrs).summary());
    let values = choice.variants.iter().map(|value| {
        let (name, text) = (value.ident.to_string(), Text::of(&value.attrs).summary());
        quote!((#name, #text))
    });
    let variants = choice.variants.iter().map(|value| &value.ident);
    let indices = 0..choice.variants.len() as i32;
    let all = variants.clone();
    quote! {
        #choice

        impl #m::declaration::Chosen for #name {
            const CHOICE: #m::declaration::Choice = #m::declaration::Choice {
                name: stringify!(#name),
                text: #text,
                values: &[#(#values),*],
            };
            const VALUES: &'static [Self] = &[#(#name::#all),*];
        }

        impl #m::declaration::Setting for #name {
            type Declared = Self;

            fn declare(
                self,
                c: &mut #m::component::Contribution<'_>,
                of: &'static #m::declaration::Parameter,
            ) -> ::core::result::Result<Self, #m::error::Error> {
                let index = match &self { #(#name::#variants => #indices,)* };
                c.choice::<Self>(of, index);
                ::core::result::Result::Ok(self)
            }

            fn from_value(
                value: #m::declaration::Value,
            ) -> ::core::result::Result<Self, ::std::string::String> {
                value.chosen()
            }

            fn to_value(&self) -> ::core::option::Option<#m::declaration::Value> {
                ::core::option::Option::Some(#m::declaration::Value::of_chosen(*self))
            }
        }
    }
}
