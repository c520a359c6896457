//! The modules of a crate, and which of them each one uses.
//!
//! A module depends on the modules that define the items which it names, through any number of
//! re-exports. Uses in tests do not count, nor do methods, whose names do not show where they are
//! defined.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree, Visibility};

/// A path as it is written: `["super", "graph", "Node"]`.
pub type Segments = Vec<String>;

/// The items that a module defines, imports and names.
#[derive(Default)]
struct Module {
    items: BTreeSet<String>,
    imports: BTreeMap<String, Segments>,
    globs: Vec<Segments>,
    named: BTreeSet<Segments>,
}

/// The modules that each module uses.
pub type Uses = BTreeMap<Segments, BTreeSet<Segments>>;

/// Open searches: a path, and the module in which it is written.
type Questions = BTreeSet<(Segments, Segments)>;

/// The modules of a crate by their paths; the root is empty.
#[derive(Default)]
pub struct Modules(BTreeMap<Segments, Module>);

impl Modules {
    /// The modules of the crate whose root is in a file.
    pub fn of_crate(root: &Path) -> Result<Modules> {
        let mut modules = Modules::default();
        modules.read(root, &[])?;
        Ok(modules)
    }

    /// The modules with a text and a path each, such as `b::c`.
    #[cfg(test)]
    pub fn of_texts(texts: &[(&str, &str)]) -> Modules {
        let mut modules = Modules::default();
        for (name, text) in texts {
            let path: Segments =
                name.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
            let items = syn::parse_file(text).unwrap().items;
            modules.define(&items, &path, Path::new("")).unwrap();
        }
        modules
    }

    /// The names of the modules within a module.
    pub fn children(&self, module: &[String]) -> Vec<&str> {
        let child = |path: &Segments| path.len() == module.len() + 1 && path.starts_with(module);
        self.0.keys().filter(|path| child(path)).filter_map(|p| p.last()).map(|n| &**n).collect()
    }

    /// Reads the file of a module and those of its children.
    fn read(&mut self, file: &Path, module: &[String]) -> Result<()> {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
        let is_folder = ["mod.rs", "lib.rs", "main.rs"].iter().any(|name| file.ends_with(name));
        let folder = if is_folder { file.with_file_name("") } else { file.with_extension("") };
        self.define(&parsed.items, module, &folder)
    }

    fn define(&mut self, items: &[Item], path: &[String], folder: &Path) -> Result<()> {
        let mut module = Module::default();
        for item in items {
            match item {
                // A file of another crate is read there.
                Item::Mod(child) if is_elsewhere(&child.attrs) => (),
                Item::Mod(child) if !is_test(&child.attrs) => {
                    let name = child.ident.to_string();
                    let path = [path, std::slice::from_ref(&name)].concat();
                    match &child.content {
                        Some((_, items)) => self.define(items, &path, &folder.join(&name))?,
                        None => {
                            let file = folder.join(format!("{name}.rs"));
                            let other = folder.join(&name).join("mod.rs");
                            self.read(if file.exists() { &file } else { &other }, &path)?;
                        }
                    }
                }
                Item::Use(import) if !is_test(&import.attrs) => {
                    let is_private = matches!(import.vis, Visibility::Inherited);
                    module.import(&import.tree, &mut Vec::new(), is_private);
                }
                Item::Mod(_) | Item::Use(_) => (),
                item => module.item(item),
            }
        }
        self.0.insert(path.to_vec(), module);
        Ok(())
    }

    /// The module that defines what `path` names in the module `from`.
    ///
    /// `open` contains the searches that are not finished, because globs that import each other
    /// repeat a search.
    fn resolve(&self, from: &[String], path: &[String], open: &mut Questions) -> Option<Segments> {
        let (first, rest) = path.split_first()?;
        if !open.insert((from.to_vec(), path.to_vec())) {
            return None;
        }
        match first.as_str() {
            "crate" => return self.resolve_in(Vec::new(), rest, open),
            "self" => return self.resolve_in(from.to_vec(), rest, open),
            "super" => {
                let (_, parent) = from.split_last()?;
                return self.resolve_in(parent.to_vec(), rest, open);
            }
            _ => (),
        }
        let module = self.0.get(from)?;
        let child = [from, std::slice::from_ref(first)].concat();
        if self.0.contains_key(&child) {
            return self.resolve_in(child, rest, open);
        }
        if module.items.contains(first) {
            return Some(from.to_vec());
        }
        if let Some(import) = module.imports.get(first) {
            // `use quote::quote` names another crate.
            let is_own = import.first() != Some(first);
            return is_own.then(|| self.resolve(from, &[import, rest].concat(), open))?;
        }
        let globs = module.globs.iter();
        let sources: Vec<Segments> =
            globs.filter_map(|glob| self.resolve(from, glob, open)).collect();
        sources.into_iter().find_map(|source| self.resolve_in(source, path, open))
    }

    /// The module that defines what `path` names, seen from outside `module`.
    fn resolve_in(
        &self,
        module: Segments,
        path: &[String],
        open: &mut Questions,
    ) -> Option<Segments> {
        match path.first().map(String::as_str) {
            None => Some(module),
            Some("super") => {
                let (_, parent) = module.split_last()?;
                self.resolve_in(parent.to_vec(), &path[1..], open)
            }
            Some(_) => self.resolve(&module, path, open),
        }
    }

    /// The modules that each module uses.
    pub fn direct(&self) -> Uses {
        let uses = |from: &Segments, module: &Module| -> BTreeSet<Segments> {
            let named = module.named.iter();
            named
                .filter_map(|path| self.resolve(from, path, &mut Questions::new()))
                .filter(|to| to != from)
                .collect()
        };
        self.0.iter().map(|(from, module)| (from.clone(), uses(from, module))).collect()
    }
}

/// The path of a module as text.
pub fn text(module: &Segments) -> String {
    if module.is_empty() { "the root".to_owned() } else { module.join("::") }
}

impl Module {
    fn import(&mut self, tree: &UseTree, before: &mut Segments, is_private: bool) {
        let mut leaf = |name: String, before: &Segments, last: String| {
            let whole = match last.as_str() {
                "self" => before.clone(),
                _ => [&before[..], &[last]].concat(),
            };
            if is_private {
                self.named.insert(whole.clone());
            }
            self.imports.insert(name, whole);
        };
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before, is_private);
                before.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                leaf(before.last().cloned().unwrap_or_default(), before, "self".to_owned());
            }
            UseTree::Name(name) => leaf(name.ident.to_string(), before, name.ident.to_string()),
            UseTree::Rename(name) => leaf(name.rename.to_string(), before, name.ident.to_string()),
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, before, is_private));
            }
        }
    }

    /// Records the names that an item defines and uses; macros define the names after `struct`,
    /// `enum` or `fn`.
    fn item(&mut self, item: &Item) {
        let tokens = item.to_token_stream();
        if item_attributes(item).is_some_and(is_test) {
            return;
        }
        match item {
            Item::Const(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Enum(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Fn(i) => drop(self.items.insert(i.sig.ident.to_string())),
            Item::Static(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Struct(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Trait(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Type(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Union(i) => drop(self.items.insert(i.ident.to_string())),
            Item::Macro(i) => {
                self.items.extend(i.ident.as_ref().map(ToString::to_string));
                self.items.extend(defined_by_macro(i.mac.tokens.clone()));
            }
            _ => (),
        }
        self.names(tokens);
    }

    /// Records the paths in tokens.
    fn names(&mut self, tokens: TokenStream) {
        let mut path = Segments::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.name(&mut path);
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.name(&mut path);
                    self.names(group.stream());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.name(&mut path);
                    colons = 0;
                }
            }
        }
        self.name(&mut path);
    }

    fn name(&mut self, path: &mut Segments) {
        let path = std::mem::take(path);
        let is_type = |name: &String| name.starts_with(|c: char| c.is_uppercase());
        if path.len() > 1 || path.first().is_some_and(is_type) {
            self.named.insert(path);
        }
    }
}

/// The names that a macro's tokens define, as far as keywords of the language show it.
fn defined_by_macro(tokens: TokenStream) -> Vec<String> {
    let mut defined = Vec::new();
    let mut before = String::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                if ["struct", "enum", "fn", "const"].contains(&before.as_str()) {
                    defined.push(name.clone());
                }
                before = name;
            }
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => before.clear(),
        }
    }
    defined
}

fn is_elsewhere(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("path"))
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| {
        let tokens = a.meta.to_token_stream().to_string().replace(' ', "");
        tokens == "test"
            || tokens.starts_with("cfg(test")
            || tokens.starts_with("cfg(doctest")
            || tokens.starts_with("cfg(all(test")
    })
}

fn item_attributes(item: &Item) -> Option<&[Attribute]> {
    match item {
        Item::Const(i) => Some(&i.attrs),
        Item::Fn(i) => Some(&i.attrs),
        Item::Impl(i) => Some(&i.attrs),
        Item::Macro(i) => Some(&i.attrs),
        Item::Struct(i) => Some(&i.attrs),
        _ => None,
    }
}
