//! `cargo xtask structure`: finds cyclic dependencies of the modules of a crate, and modules that
//! use one after them in the order of the crate.
//!
//! A module depends on the modules that define the items which it names, through any number of
//! re-exports. Uses in tests do not count, nor do methods, whose names do not show where they are
//! defined.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, UseTree, Visibility};

use crate::workspace;

/// Maximum number of modules in a cycle; modules that depend on each other must be read together.
const LARGEST_CYCLE: usize = 4;

/// The modules of `mechanics` in their order; a module may use those before it, and those that are
/// not listed.
const ORDER: [&str; 17] = [
    "ids",
    "statements::algebra",
    "statements::spatial",
    "statements::motion",
    "statements::laws",
    "statements::contact",
    "statements::contributions",
    "component",
    "multibody",
    "compile::collection",
    "compile::tree",
    "compile::topology",
    "compile::states",
    "compile::kinematics",
    "compile::loads",
    "compile::dynamics",
    "compile::publication",
];

/// A path as it is written: `["super", "graph", "Node"]`.
type Segments = Vec<String>;

/// The items that a module defines, imports and names.
#[derive(Default)]
struct Module {
    items: BTreeSet<String>,
    imports: BTreeMap<String, Segments>,
    globs: Vec<Segments>,
    named: BTreeSet<Segments>,
}

/// The modules that each module uses.
type Uses = BTreeMap<Segments, BTreeSet<Segments>>;

/// Open searches: a path, and the module in which it is written.
type Questions = BTreeSet<(Segments, Segments)>;

/// The modules of a crate by their paths; the root is empty.
#[derive(Default)]
struct Modules(BTreeMap<Segments, Module>);

/// Refuses crates whose modules form cycles of more than [`LARGEST_CYCLE`] or break the [`ORDER`].
pub fn run() -> Result<()> {
    let mut findings = Vec::new();
    for root in crate_roots()? {
        let mut modules = Modules::default();
        modules.read(&root, &[])?;
        let direct = modules.direct();
        for cycle in cycles(&direct).into_iter().filter(|cycle| cycle.len() > LARGEST_CYCLE) {
            let name = root.strip_prefix(workspace::root()).unwrap_or(&root).display();
            findings.push(format!("{name}: a cycle of {} modules:", cycle.len()));
            for module in &cycle {
                let uses = direct[module].iter().filter(|used| cycle.contains(used)).map(text);
                let uses: Vec<String> = uses.collect();
                findings.push(format!("  {} uses {}", text(module), uses.join(", ")));
            }
        }
        if root.ends_with("models/mechanics/src/lib.rs") {
            findings.extend(against(&ORDER, &direct));
        }
    }
    if !findings.is_empty() {
        bail!("{}", findings.join("\n"));
    }
    Ok(())
}

/// The root files of all libraries and programs of the workspace.
fn crate_roots() -> Result<Vec<PathBuf>> {
    let output = workspace::cargo(&["metadata", "--format-version", "1", "--no-deps"]).output()?;
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).context("`cargo metadata` cannot be read")?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages.flat_map(|p| p["targets"].as_array().into_iter().flatten());
    let paths = targets.filter_map(|target| target["src_path"].as_str().map(PathBuf::from));
    let is_source = |path: &PathBuf| path.parent().is_some_and(|folder| folder.ends_with("src"));
    Ok(paths.filter(is_source).collect::<BTreeSet<_>>().into_iter().collect())
}

impl Modules {
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
    fn direct(&self) -> Uses {
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

/// Sentences about modules that use one after them in an order.
fn against(order: &[&str], direct: &Uses) -> Vec<String> {
    let place = |module: &Segments| {
        let names = text(module);
        let inside = |first: &&str| names.strip_prefix(first).is_some_and(starts_below);
        order.iter().position(inside)
    };
    let late = |from: &Segments, to: &&Segments| place(from) < place(to);
    let pairs = direct.iter().filter(|(from, _)| place(from).is_some());
    let pairs = pairs.flat_map(|(from, uses)| uses.iter().map(move |to| (from, to)));
    let found = pairs.filter(|(from, to)| late(from, to));
    found.map(|(from, to)| format!("{} uses {}, which comes later", text(from), text(to))).collect()
}

/// Whether the rest of a path begins a child, or is empty.
fn starts_below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with("::")
}

/// The sets of modules that depend on each other.
fn cycles(direct: &Uses) -> Vec<Vec<Segments>> {
    let reached: Uses = direct.keys().map(|n| (n.clone(), reach(n, direct))).collect();
    let mut left: BTreeSet<&Segments> = direct.keys().collect();
    let mut cycles = Vec::new();
    while let Some(first) = left.pop_first() {
        let mutual = |n: &Segments| reached[first].contains(n) && reached[n].contains(first);
        let others: Vec<&Segments> = left.iter().copied().filter(|n| mutual(n)).collect();
        left.retain(|n| !others.contains(n));
        if !others.is_empty() {
            cycles.push([first].into_iter().chain(others).cloned().collect());
        }
    }
    cycles
}

/// All modules on which a module depends directly or indirectly.
fn reach(from: &Segments, direct: &Uses) -> BTreeSet<Segments> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in &direct[module] {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

fn text(module: &Segments) -> String {
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

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| {
        let tokens = a.meta.to_token_stream().to_string().replace(' ', "");
        tokens == "test" || tokens.starts_with("cfg(test") || tokens.starts_with("cfg(all(test")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn uses_of(texts: &[(&str, &str)]) -> Uses {
        let mut modules = Modules::default();
        for (name, text) in texts {
            let path: Segments =
                name.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
            let items = syn::parse_file(text).unwrap().items;
            modules.define(&items, &path, Path::new("")).unwrap();
        }
        modules.direct()
    }

    fn cycles_of(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
        let cycles = cycles(&uses_of(texts));
        cycles.iter().map(|cycle| cycle.iter().map(text).collect()).collect()
    }

    #[test]
    fn a_cycle_goes_through_re_exports_to_the_module_that_defines() {
        let cycles = cycles_of(&[
            ("", "pub use a::A;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "pub use c::C; pub struct B;"),
            ("b::c", "pub struct C; fn f() { crate::A::new() }"),
            ("d", "use crate::b::C; struct D(C);"),
        ]);
        assert!(cycles.is_empty(), "{cycles:?}: `b` itself uses nothing");
        let cycles = cycles_of(&[
            ("", "pub use a::A;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "pub struct B(c::C);"),
            ("b::c", "pub struct C; fn f() { crate::A::new() }"),
        ]);
        assert_eq!(cycles, [["a", "b", "b::c"]]);
    }

    #[test]
    fn a_module_uses_only_those_before_it_in_the_order() {
        let uses = uses_of(&[
            ("", ""),
            ("a", "pub struct A;"),
            ("a::b", "fn f() { crate::c::C::new() }"),
            ("ab", "fn f() { crate::c::C::new() }"),
            ("c", "use crate::a::A; pub struct C(A);"),
        ]);
        let found = against(&["a", "c"], &uses);
        assert_eq!(found, ["a::b uses c, which comes later"]);
    }

    #[test]
    fn tests_and_definitions_in_other_crates_do_not_count() {
        let cycles = cycles_of(&[
            ("a", "use super::b::B; use other::C; pub struct A(B, C);"),
            ("b", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("", "pub struct C;"),
        ]);
        assert!(cycles.is_empty(), "{cycles:?}");
    }

    #[test]
    fn uses_in_macros_count() {
        let cycles = cycles_of(&[
            ("a", "component! { pub struct A { n: Real } law { super::b::f() } }"),
            ("b", "use crate::a::*; pub fn f() { A::new() }"),
            ("", ""),
        ]);
        assert_eq!(cycles, [["a", "b"]]);
    }
}
