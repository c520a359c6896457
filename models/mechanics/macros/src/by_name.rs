//! The code by which front ends use a component: its parameters and ports by their names.

use crate::entry::Name;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Path;

/// The implementation of `Settings` for the struct of a component with these fields, which have
/// the order of the parameters in the declaration.
pub fn settings(m: &Path, name: &Ident, fields: &[&Ident]) -> TokenStream {
    let (d, indices) = (quote!(#m::declaration), 0..fields.len());
    let given = indices.clone();
    quote! {
        impl #d::Settings for #name {
            #[allow(unused_variables, reason = "a component may have no parameters")]
            fn set_at(
                &mut self,
                index: usize,
                value: #d::Value,
            ) -> ::core::result::Result<(), ::std::string::String> {
                match index {
                    #(#indices => {
                        let setting = #d::Setting::from_value(value)?;
                        self.#fields = ::core::option::Option::Some(setting);
                    })*
                    _ => {}
                }
                ::core::result::Result::Ok(())
            }

            fn given_at(&self) -> ::std::vec::Vec<(usize, ::core::option::Option<#d::Value>)> {
                let mut given = ::std::vec::Vec::new();
                #(if let ::core::option::Option::Some(setting) = &self.#fields {
                    given.push((#given, #d::Setting::to_value(setting)));
                })*
                given
            }
        }
    }
}

/// The implementation of `NamedPorts` for a struct of ports with these entries, and with the ports
/// of these parts.
pub fn ports(m: &Path, ports: &Ident, entries: &[&Name], parts: &[&Name]) -> TokenStream {
    let (fields, names) = fields_and_names(entries, "");
    let (part_fields, part_names) = fields_and_names(parts, ".");
    quote! {
        impl #m::assembly::NamedPorts for #ports {
            #[allow(unused_variables, unused_mut, reason = "a component may have no ports")]
            fn named(&self, name: &str) -> ::std::vec::Vec<#m::assembly::AnyPort> {
                let mut found = ::std::vec::Vec::new();
                #(if let ::core::option::Option::Some(rest) = name.strip_prefix(#names) {
                    found.extend(#m::assembly::NamedPorts::named(&self.#fields, rest));
                })*
                #(if let ::core::option::Option::Some(rest) = name.strip_prefix(#part_names) {
                    found.extend(#m::assembly::NamedPorts::named(&self.#part_fields, rest));
                })*
                found
            }
        }
    }
}

/// The fields of entries, and their names with what follows them.
fn fields_and_names<'a>(entries: &[&'a Name], end: &str) -> (Vec<&'a Ident>, Vec<String>) {
    let of = |name: &&'a Name| (&name.field, format!("{}{end}", name.fmi));
    entries.iter().map(of).unzip()
}
