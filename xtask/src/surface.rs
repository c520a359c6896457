//! `cargo xtask surface`: keeps the list of everything that a user of the package `coupler-fmi` can
//! name, `docs/public-items.txt`.
//!
//! The list follows public modules and re-exports through all crates of the workspace. It is read
//! from the source text, because rustdoc's JSON, and every tool that reads it, needs a nightly
//! compiler. Methods and fields are not listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, ItemMacro, ItemMod, UseTree, Visibility};

use crate::{domains, workspace};

/// The crate whose items are listed.
const FACADE: &str = "coupler";

/// The file with the list.
const LIST: &str = "docs/public-items.txt";

/// A crate, and the path of a module in it.
type Place = (String, Vec<String>);

/// What a name stands for.
#[derive(Clone, PartialEq, Eq)]
enum Named {
    Module(Place),
    /// An item of this kind, such as `struct`.
    Item(&'static str),
    /// An item that the documentation does not contain.
    Hidden,
}

/// Who sees a module or an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Only its own crate: it is not public.
    ByCrate,
    /// Everyone who knows of it: the documentation does not contain it.
    IfKnown,
    ByEveryone,
}

impl Seen {
    fn of(visibility: &Visibility, attributes: &[Attribute]) -> Seen {
        match (is_public(visibility), is_hidden(attributes)) {
            (false, _) => Seen::ByCrate,
            (true, true) => Seen::IfKnown,
            (true, false) => Seen::ByEveryone,
        }
    }
}

/// What a module defines and imports.
#[derive(Default)]
struct Module {
    /// Child modules.
    children: BTreeMap<String, Seen>,
    /// Names of items with their kinds.
    items: Vec<(String, &'static str, Seen)>,
    imports: Vec<Import>,
}

/// `use path as name`; no name stands for all names.
struct Import {
    path: Vec<String>,
    name: Option<String>,
    is_public: bool,
}

/// The modules of all crates.
#[derive(Default)]
struct Crates(BTreeMap<Place, Module>);

/// Checks the list, or writes it if `COUPLER_BLESS` is set.
pub fn run() -> Result<()> {
    let file = workspace::root().join(LIST);
    let list = list()?;
    if std::env::var_os("COUPLER_BLESS").is_some() {
        return fs::write(&file, list).context(LIST);
    }
    if fs::read_to_string(&file).unwrap_or_default() != list {
        bail!("{LIST}: `COUPLER_BLESS=1 cargo xtask surface` or `bless` writes it again");
    }
    Ok(())
}

/// Writes the list.
pub fn write() -> Result<()> {
    fs::write(workspace::root().join(LIST), list()?).context(LIST)
}

fn list() -> Result<String> {
    let mut crates = Crates::default();
    for (name, root) in crate_roots()? {
        crates.read(&root, (name, Vec::new()))?;
    }
    let mut lines = BTreeSet::new();
    crates.list(&(FACADE.to_owned(), Vec::new()), FACADE, &mut Vec::new(), &mut lines);
    let lines: Vec<String> =
        lines.into_iter().map(|(path, kind)| format!("{path} {kind}\n")).collect();
    Ok(lines.concat())
}

/// The libraries of the workspace by their names.
fn crate_roots() -> Result<BTreeMap<String, PathBuf>> {
    let output = workspace::cargo(&["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` cannot be read")?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|p| p["targets"].as_array().into_iter().flatten());
    let root = |target: &serde_json::Value| {
        let path = PathBuf::from(target["src_path"].as_str()?);
        let name = target["name"].as_str()?.replace('-', "_");
        path.ends_with("src/lib.rs").then_some((name, path))
    };
    Ok(targets.filter_map(root).collect())
}

impl Crates {
    fn read(&mut self, file: &Path, place: Place) -> Result<()> {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
        let is_folder = ["mod.rs", "lib.rs"].iter().any(|name| file.ends_with(name));
        let folder = if is_folder { file.with_file_name("") } else { file.with_extension("") };
        self.define(parsed.items, place, &folder)
    }

    fn define(&mut self, items: Vec<Item>, place: Place, folder: &Path) -> Result<()> {
        let mut module = Module::default();
        let mut open = items;
        open.reverse();
        while let Some(item) = open.pop() {
            match item {
                Item::Mod(child) if has(&child.attrs, "two_domains") => {
                    open.extend(both_domains(child)?);
                }
                // What is in a hidden module may be re-exported from elsewhere.
                Item::Mod(child) if !is_for_tests(&child.attrs) => {
                    let name = child.ident.to_string();
                    module.children.insert(name.clone(), Seen::of(&child.vis, &child.attrs));
                    self.child(child, &place, folder)?;
                }
                Item::Use(import) if !is_hidden(&import.attrs) => {
                    let mut before = Vec::new();
                    if import.leading_colon.is_some() {
                        before.push("::".to_owned());
                    }
                    module.import(&import.tree, &mut before, is_public(&import.vis));
                }
                Item::Macro(item)
                    if has(&item.attrs, "macro_export") && !is_hidden(&item.attrs) =>
                {
                    let name = item.ident.map(|name| name.to_string()).unwrap_or_default();
                    let root = self.0.entry((place.0.clone(), Vec::new())).or_default();
                    root.items.push((name, "macro", Seen::ByEveryone));
                }
                Item::Macro(item) => module.items.extend(of_macro(&item)),
                item => module.items.extend(plain(&item)),
            }
        }
        // Macros of inner modules are in the root already.
        let known = self.0.entry(place).or_default();
        known.children.extend(module.children);
        known.items.extend(module.items);
        known.imports.extend(module.imports);
        Ok(())
    }

    fn child(&mut self, child: ItemMod, place: &Place, folder: &Path) -> Result<()> {
        let name = child.ident.to_string();
        let below = (place.0.clone(), [&place.1[..], std::slice::from_ref(&name)].concat());
        match child.content {
            Some((_, items)) => self.define(items, below, &folder.join(&name)),
            None => {
                let file = folder.join(format!("{name}.rs"));
                let other = folder.join(&name).join("mod.rs");
                self.read(if file.exists() { &file } else { &other }, below)
            }
        }
    }

    /// What a path stands for in a module; several things if a macro has the name of a module.
    fn resolve(
        &self,
        from: &Place,
        path: &[String],
        open: &mut Vec<(Place, String)>,
    ) -> Vec<Named> {
        let (name, before) = match path.split_last() {
            Some((name, before)) => (name, before),
            None => return vec![Named::Module(from.clone())],
        };
        let root = |name: &str| (name.to_owned(), Vec::new());
        match name.as_str() {
            "crate" => return vec![Named::Module(root(&from.0))],
            "self" => return self.resolve(from, before, open),
            "super" => {
                let of = self.resolve(from, before, open);
                let parent = |named| match named {
                    Named::Module((of, path)) => {
                        let (_, parent) = path.split_last()?;
                        Some(Named::Module((of, parent.to_vec())))
                    }
                    Named::Item(_) | Named::Hidden => None,
                };
                return of.into_iter().filter_map(parent).collect();
            }
            _ => (),
        }
        let is_crate = self.0.contains_key(&root(name));
        if before == ["::"] {
            return is_crate.then(|| Named::Module(root(name))).into_iter().collect();
        }
        let mut found = Vec::new();
        for named in self.resolve(from, before, open) {
            match named {
                Named::Module(place) => found.extend(self.look_up(&place, name, open)),
                Named::Item("enum") => found.push(Named::Item("variant")),
                Named::Item(_) | Named::Hidden => (),
            }
        }
        found.retain(|named| self.is_known(named, from));
        if found.is_empty() && before.is_empty() && self.has_macro(&from.0, name) {
            found.push(Named::Item("macro"));
        }
        if found.is_empty() && before.is_empty() && is_crate {
            found.push(Named::Module(root(name)));
        }
        found
    }

    /// Whether a module may be named in another one: private ones are known to their crate only.
    fn is_known(&self, named: &Named, from: &Place) -> bool {
        let Named::Module((of, path)) = named else { return true };
        let Some((name, parent)) = path.split_last().filter(|_| *of != from.0) else { return true };
        let parent = self.0.get(&(of.clone(), parent.to_vec()));
        parent.is_some_and(|parent| parent.children.get(name) != Some(&Seen::ByCrate))
    }

    /// Whether a crate exports a macro of this name, which is known to all of its later modules.
    fn has_macro(&self, of: &str, name: &str) -> bool {
        let root = self.0.get(&(of.to_owned(), Vec::new()));
        root.is_some_and(|root| root.items.iter().any(|item| item.0 == name && item.1 == "macro"))
    }

    /// What a name stands for in a module.
    fn look_up(&self, place: &Place, name: &str, open: &mut Vec<(Place, String)>) -> Vec<Named> {
        let question = (place.clone(), name.to_owned());
        let Some(module) = self.0.get(place) else { return Vec::new() };
        let mut found = Vec::new();
        if module.children.contains_key(name) {
            let path = [&place.1[..], &[name.to_owned()]].concat();
            found.push(Named::Module((place.0.clone(), path)));
        }
        // An import of this name from the module of this name.
        if open.contains(&question) {
            return found;
        }
        open.push(question);
        let items = module.items.iter().filter(|(item, ..)| item == name);
        found.extend(items.map(|(_, kind, seen)| match seen {
            Seen::IfKnown => Named::Hidden,
            Seen::ByCrate | Seen::ByEveryone => Named::Item(kind),
        }));
        for import in module.imports.iter().filter(|i| i.name.as_deref() == Some(name)) {
            found.extend(self.resolve(place, &import.path, open));
        }
        if found.is_empty() {
            for glob in module.imports.iter().filter(|import| import.name.is_none()) {
                for named in self.resolve(place, &glob.path, open) {
                    if let Named::Module(source) = named {
                        found.extend(self.look_up(&source, name, open));
                    }
                }
            }
        }
        open.pop();
        found
    }

    /// Lists the public names of a module below `prefix`; `open` contains the modules around it.
    fn list(
        &self,
        place: &Place,
        prefix: &str,
        open: &mut Vec<Place>,
        lines: &mut BTreeSet<(String, &'static str)>,
    ) {
        let Some(module) = self.0.get(place).filter(|_| !open.contains(place)) else { return };
        open.push(place.clone());
        let mut names: Vec<(&str, Vec<Named>)> = Vec::new();
        for (name, _) in module.children.iter().filter(|(_, seen)| **seen == Seen::ByEveryone) {
            let path = [&place.1[..], std::slice::from_ref(name)].concat();
            names.push((name, vec![Named::Module((place.0.clone(), path))]));
        }
        let items = module.items.iter().filter(|(_, _, seen)| *seen == Seen::ByEveryone);
        names.extend(items.map(|(name, kind, _)| (&name[..], vec![Named::Item(kind)])));
        for import in module.imports.iter().filter(|import| import.is_public) {
            let found = self.resolve(place, &import.path, &mut Vec::new());
            match &import.name {
                // It is that of a foreign package, or a macro defines it.
                Some(name) if found.is_empty() => names.push((name, vec![Named::Item("item")])),
                Some(name) => names.push((name, found)),
                None => {
                    for named in found {
                        if let Named::Module(source) = named {
                            self.list(&source, prefix, open, lines);
                        }
                    }
                }
            }
        }
        for (name, found) in names {
            let path = format!("{prefix}::{name}");
            for named in found {
                match named {
                    Named::Item(kind) => drop(lines.insert((path.clone(), kind))),
                    Named::Hidden => (),
                    Named::Module(inner) => {
                        lines.insert((path.clone(), "mod"));
                        self.list(&inner, &path, open, lines);
                    }
                }
            }
        }
        open.pop();
    }
}

impl Module {
    fn import(&mut self, tree: &UseTree, before: &mut Vec<String>, is_public: bool) {
        let mut add = |path: Vec<String>, name: Option<String>| {
            self.imports.push(Import { path, name, is_public });
        };
        let with = |before: &[String], name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before, is_public);
                before.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                add(before.clone(), before.last().cloned());
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                add(with(before, name.clone()), Some(name));
            }
            UseTree::Rename(name) if name.rename == "_" => (),
            UseTree::Rename(name) => {
                add(with(before, name.ident.to_string()), Some(name.rename.to_string()));
            }
            UseTree::Glob(_) => add(before.clone(), None),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, before, is_public));
            }
        }
    }
}

/// A module of components for rotation, and the one that is made of it for translation.
fn both_domains(mut module: ItemMod) -> Result<Vec<Item>> {
    module.attrs.clear();
    let both = domains::expand(module.into_token_stream());
    Ok(syn::parse2::<syn::File>(both)?.items)
}

/// The name and kind of an item.
fn plain(item: &Item) -> Option<(String, &'static str, Seen)> {
    let (attributes, visibility, name, kind) = match item {
        Item::Const(i) => (&i.attrs, &i.vis, &i.ident, "const"),
        Item::Enum(i) => (&i.attrs, &i.vis, &i.ident, "enum"),
        Item::Fn(i) => {
            let is_macro = ["proc_macro", "proc_macro_attribute"].iter().any(|a| has(&i.attrs, a));
            (&i.attrs, &i.vis, &i.sig.ident, if is_macro { "macro" } else { "fn" })
        }
        Item::Static(i) => (&i.attrs, &i.vis, &i.ident, "static"),
        Item::Struct(i) => (&i.attrs, &i.vis, &i.ident, "struct"),
        Item::Trait(i) => (&i.attrs, &i.vis, &i.ident, "trait"),
        Item::Type(i) => (&i.attrs, &i.vis, &i.ident, "type"),
        _ => return None,
    };
    let named = || (name.to_string(), kind, Seen::of(visibility, attributes));
    (!is_for_tests(attributes)).then(named)
}

/// The public items that the call of a macro defines: those after `pub struct` and the like. The
/// structs of parameters and ports that `component!` derives from its declaration are hidden.
fn of_macro(item: &ItemMacro) -> Vec<(String, &'static str, Seen)> {
    let name = item.mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
    let mut found = Vec::new();
    for (kind, defined) in defined(item.mac.tokens.clone()) {
        if name == "component" {
            let derived = ["Parameters", "Ports"].map(|of| format!("{defined}{of}"));
            found.extend(derived.map(|derived| (derived, "struct", Seen::IfKnown)));
        }
        if name == "group"
            && let Some(including) = included_elsewhere(&item.mac.tokens)
        {
            found.push((including, "macro", Seen::ByEveryone));
        }
        // A group without parameters has no values.
        if name != "group" || !is_first_list_empty(&item.mac.tokens) {
            let kind = if kind == "part" { "struct" } else { kind };
            found.push((defined, kind, Seen::ByEveryone));
        }
    }
    found
}

/// The name of a group that other packages may include: `pub struct Name(pub name)`.
fn included_elsewhere(tokens: &TokenStream) -> Option<String> {
    let list = first_list(tokens, Delimiter::Parenthesis)?;
    let words: Vec<String> = list.into_iter().map(|token| token.to_string()).collect();
    match &words[..] {
        [first, name] if first == "pub" => Some(name.clone()),
        _ => None,
    }
}

/// Whether a declaration has no parameters, which are in its first pair of braces.
fn is_first_list_empty(tokens: &TokenStream) -> bool {
    first_list(tokens, Delimiter::Brace).is_none_or(|list| list.is_empty())
}

/// What is in the first pair of these delimiters.
fn first_list(tokens: &TokenStream, delimiter: Delimiter) -> Option<TokenStream> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.stream()),
        _ => None,
    })
}

/// Kinds and names of the public items in the tokens of a macro.
fn defined(tokens: TokenStream) -> Vec<(&'static str, String)> {
    let words: Vec<String> = tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(word) => word.to_string(),
            _ => String::new(),
        })
        .collect();
    let kind = |word: &str| match word {
        "struct" => Some("struct"),
        "part" => Some("part"),
        "enum" => Some("enum"),
        "fn" => Some("fn"),
        _ => None,
    };
    let found = |three: &[String]| match three {
        [first, second, name] if first == "pub" => Some((kind(second)?, name.clone())),
        _ => None,
    };
    words.windows(3).filter_map(found).collect()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is for tests, or not for users.
fn is_hidden(attributes: &[Attribute]) -> bool {
    is_for_tests(attributes) || has_one_of(attributes, &["doc(hidden)"])
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    has_one_of(attributes, &["cfg(test)", "cfg(doctest)"])
}

fn has_one_of(attributes: &[Attribute], texts: &[&str]) -> bool {
    attributes.iter().any(|a| {
        let text = a.meta.to_token_stream().to_string().replace(' ', "");
        texts.contains(&text.as_str())
    })
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|a| a.path().segments.last().is_some_and(|s| s.ident == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[(&str, &str)]) -> Vec<String> {
        let mut crates = Crates::default();
        for (name, text) in texts {
            let items = syn::parse_file(text).unwrap().items;
            crates.define(items, ((*name).to_owned(), Vec::new()), Path::new("")).unwrap();
        }
        let (mut lines, facade) = (BTreeSet::new(), ("a".to_owned(), Vec::new()));
        crates.list(&facade, "a", &mut Vec::new(), &mut lines);
        lines.into_iter().map(|(path, kind)| format!("{path} {kind}")).collect()
    }

    #[test]
    fn what_is_re_exported_from_private_modules_is_public() {
        let facade =
            "pub use b::{Shown, inner}; pub mod all { pub use ::b::*; } use b::Shown as No;";
        let text = "mod hidden { pub struct Shown; pub struct Other; pub(crate) fn own() {} }
                    pub use hidden::Shown; pub mod inner { pub fn f() {} #[cfg(test)] mod tests {} }";
        assert_eq!(
            lines(&[("a", facade), ("b", text)]),
            [
                "a::Shown struct",
                "a::all mod",
                "a::all::Shown struct",
                "a::all::inner mod",
                "a::all::inner::f fn",
                "a::inner mod",
                "a::inner::f fn",
            ]
        );
    }

    #[test]
    fn what_is_re_exported_from_a_hidden_module_is_listed() {
        let text = "#[doc(hidden)] pub mod hidden { pub struct Shown; pub struct Other; }
                    pub use hidden::Shown;";
        assert_eq!(lines(&[("a", text)]), ["a::Shown struct"]);
    }

    #[test]
    fn private_modules_of_other_crates_are_not_listed() {
        let text = "mod value { pub fn value() {} pub struct Other; } pub use value::value;";
        assert_eq!(lines(&[("a", "pub use b::value;"), ("b", text)]), ["a::value fn"]);
    }

    #[test]
    fn a_macro_is_imported_without_the_module_of_its_name() {
        let text = "#[macro_export] macro_rules! m { () => {} } pub mod m {}
                    #[doc(hidden)] pub mod macros { pub use m; }";
        assert_eq!(lines(&[("a", "pub use b::macros::m;"), ("b", text)]), ["a::m macro"]);
    }

    #[test]
    fn items_that_macros_define_are_listed() {
        let text = "#[macro_export] macro_rules! m { () => {} } pub mod m {}
                    component! { pub struct Spring {} } group! { pub struct Pair(pair) {} }
                    group! { pub struct Losses(pub losses) { p: Real } }
                    pub mod again { pub use crate::{Spring, SpringPorts}; }
                    #[two_domains] pub mod rotational { pub struct AngleSensor; }";
        assert_eq!(
            lines(&[("a", text)]),
            [
                "a::Losses struct",
                "a::Spring struct",
                "a::again mod",
                "a::again::Spring struct",
                "a::losses macro",
                "a::m macro",
                "a::m mod",
                "a::rotational mod",
                "a::rotational::AngleSensor struct",
                "a::translational mod",
                "a::translational::PositionSensor struct",
            ]
        );
    }
}
