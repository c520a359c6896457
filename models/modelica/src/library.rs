//! Classes by name: those of a file, and those below the folders of `MODELICAPATH`, each read when
//! its name is looked up.

mod hints;

use crate::former::Former;
use crate::names::is_it;
use crate::source::{Checked, Complaint, Complaints, File, decoded};
use crate::syntax::{
    Body, Class, Element, ElementKind, Extends, Import, Name, StoredDefinition, Word, parse,
};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};

/// The largest file that is read.
const LARGEST_FILE: u64 = 64 << 20;

/// How many classes a name may pass through until it is found.
const DEEPEST_LOOKUP: usize = 60;

/// The most classes that inherit from each other in a chain.
const LONGEST_CHAIN: usize = 100;

/// The predefined types.
const PREDEFINED: &str = "
class Real end Real; class Integer end Integer; class Boolean end Boolean; class String end String;
class ExternalObject end ExternalObject; class Clock end Clock;
type StateSelect = enumeration(never, avoid, default, prefer, always);
type AssertionLevel = enumeration(warning, error);
";

/// A class in its place.
#[derive(Debug)]
pub struct ClassNode {
    /// Its text.
    pub syntax: Rc<Class>,
    /// Its full name.
    pub path: Rc<str>,
    /// The class in whose text it stands.
    parent: Option<Weak<ClassNode>>,
    /// The folder with further classes, of a package that is a folder.
    pub(crate) folder: Option<PathBuf>,
    /// The classes in it that were looked up.
    children: RefCell<HashMap<Rc<str>, Option<Rc<ClassNode>>>>,
    /// Whether it is one of the predefined types.
    pub predefined: bool,
    /// The classes of its `extends` clauses.
    bases: OnceCell<Vec<Base>>,
    /// Whether these are being looked up.
    in_progress: Cell<bool>,
    /// Whether the classes from which it inherits are no longer looked at, because they are few.
    is_checked: Cell<bool>,
}

/// An inherited class.
#[derive(Clone, Debug)]
pub struct Base {
    /// The class.
    pub class: Rc<ClassNode>,
    /// The clause; `None` for the base of a short class.
    pub clause: Option<Rc<Extends>>,
}

impl ClassNode {
    /// The class in whose text it stands.
    pub fn parent(&self) -> Option<Rc<ClassNode>> {
        self.parent.as_ref().and_then(Weak::upgrade)
    }

    /// The elements of its text, in their order.
    pub fn elements(&self) -> &[Element] {
        match &self.syntax.body {
            Body::Long(content) => &content.elements,
            _ => &[],
        }
    }

    /// Its name without those of the packages in which it is.
    pub fn name(&self) -> &Rc<str> {
        &self.syntax.name.text
    }
}

/// All classes that can be found.
#[derive(Debug)]
pub struct Library {
    /// The folders in which packages are looked up.
    folders: Vec<PathBuf>,
    top: RefCell<HashMap<Rc<str>, Option<Rc<ClassNode>>>>,
    /// The files that were read.
    files: RefCell<Vec<PathBuf>>,
    /// What users should know about them.
    notes: RefCell<Vec<String>>,
    /// Names of earlier versions of the standard library that texts contain.
    pub former: Former,
}

impl Library {
    /// The classes below these folders.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        let top = RefCell::default();
        let (files, notes, former) = Default::default();
        let library = Library { folders, top, files, notes, former };
        let text = PREDEFINED.to_owned();
        let file = Rc::new(File { path: PathBuf::from("predefined types"), text });
        for syntax in parse(&file).map(|content| content.classes).unwrap_or_default() {
            library.add(None, syntax, None, true);
        }
        library
    }

    /// The folders that the variable `MODELICAPATH` lists.
    pub fn folders_of_environment() -> Vec<PathBuf> {
        let listed = std::env::var_os("MODELICAPATH");
        listed.map(|list| std::env::split_paths(&list).collect()).unwrap_or_default()
    }

    /// The files that were read, in their order.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.borrow().clone()
    }

    /// Reads a file and returns the classes in it. If they belong to a package, the package is
    /// looked up in the folders above the file first.
    ///
    /// # Errors
    /// The file cannot be read, or what is wrong with its text.
    pub fn open(&mut self, path: &Path) -> Result<Vec<Rc<ClassNode>>, Complaints> {
        let content = self.read(path)?;
        self.open_content(path, content)
    }

    /// Does the same for a package that is a folder.
    ///
    /// # Errors
    /// The folder is no package, or what is wrong with its text.
    pub fn open_folder(&mut self, path: &Path) -> Result<Vec<Rc<ClassNode>>, Complaints> {
        let stored = path.join("package.mo");
        if !stored.is_file() {
            let sentence =
                format!("{} is a folder without a file package.mo, so no package", path.display());
            return Err(vec![Complaint::general(sentence)]);
        }
        self.open(&stored)
    }

    /// The classes of a text that is not stored in a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open_text(&mut self, name: &str, text: &str) -> Result<Vec<Rc<ClassNode>>, Complaints> {
        let (path, text) = (PathBuf::from(name), text.to_owned());
        let content = parse(&Rc::new(File { path: path.clone(), text }))?;
        self.open_content(&path, content)
    }

    fn open_content(
        &mut self,
        path: &Path,
        content: StoredDefinition,
    ) -> Result<Vec<Rc<ClassNode>>, Complaints> {
        let Some(within) = content.within else {
            let folder = is_package(path).then(|| path.parent().map(Path::to_owned)).flatten();
            let add = |syntax| self.add(None, syntax, folder.clone(), false);
            return Ok(content.classes.into_iter().map(add).collect());
        };
        let levels = within.parts.len() + usize::from(is_package(path));
        if let Some(root) = path.ancestors().nth(levels + 1) {
            let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
            self.folders.insert(0, root.to_owned());
        }
        // A folder such as `Drives-main` may contain the package `Drives`.
        if let (Some(folder), Some(first)) = (path.ancestors().nth(levels), within.parts.first()) {
            let stored = folder.join("package.mo");
            if stored.is_file() {
                self.stored_class(None, &stored, &first.text)
                    .map_err(|complaint| vec![complaint])?;
            }
        }
        let package = self.find(&within.to_string()).map_err(|complaint| vec![complaint])?;
        // The text of this file counts, also if the package has another one with its name.
        let folder = is_package(path).then(|| path.parent().map(Path::to_owned)).flatten();
        let class = |syntax| self.add(Some(&package), syntax, folder.clone(), false);
        Ok(content.classes.into_iter().map(class).collect())
    }

    fn read(&self, path: &Path) -> Result<StoredDefinition, Complaints> {
        let unreadable = |why: String| {
            vec![Complaint::general(format!("{} cannot be read: {why}", path.display()))]
        };
        let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if size > LARGEST_FILE {
            let why = format!("it has {size} bytes; at most {LARGEST_FILE} are read");
            return Err(unreadable(why));
        }
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let (text, is_windows) = decoded(bytes).ok_or_else(|| {
            unreadable("it is a text neither in UTF-8 nor in Windows-1252".to_owned())
        })?;
        if is_windows {
            let file = path.display();
            self.note(format!("{file} is not in UTF-8: it is read as Windows-1252 (Latin-1)"));
        }
        self.files.borrow_mut().push(path.to_owned());
        parse(&Rc::new(File { path: path.to_owned(), text }))
    }

    /// What users should know about files and names in them.
    pub fn notes(&self) -> Vec<String> {
        [self.notes.borrow().clone(), self.former.notes()].concat()
    }

    fn note(&self, note: String) {
        self.notes.borrow_mut().push(note);
    }

    /// Adds a class to a package, or to the root.
    pub(crate) fn add_class(
        &self,
        parent: Option<&Rc<ClassNode>>,
        syntax: Rc<Class>,
    ) -> Rc<ClassNode> {
        self.add(parent, syntax, None, false)
    }

    fn add(
        &self,
        parent: Option<&Rc<ClassNode>>,
        syntax: Rc<Class>,
        folder: Option<PathBuf>,
        predefined: bool,
    ) -> Rc<ClassNode> {
        let name = Rc::clone(&syntax.name.text);
        let class = node(parent, syntax, folder, predefined);
        let places = parent.map_or(&self.top, |parent| &parent.children);
        places.borrow_mut().insert(name, Some(Rc::clone(&class)));
        class
    }

    /// The class with a full name.
    ///
    /// # Errors
    /// There is none, or its file is wrong.
    pub fn find(&self, path: &str) -> Checked<Rc<ClassNode>> {
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or_default();
        let missing = |name: &str, hint: String| {
            Complaint::general(format!("there is no class {name}{hint}"))
        };
        let mut class = self.root(first)?.ok_or_else(|| missing(first, self.where_searched()))?;
        for part in parts {
            let next = self.named(&class, part, 0)?;
            class = next.ok_or_else(|| {
                missing(&format!("{}.{part}", class.path), self.nearby(&class, part))
            })?;
        }
        Ok(class)
    }

    /// The class of this name in the root.
    ///
    /// # Errors
    /// Its file is wrong.
    pub fn root(&self, name: &str) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(known) = self.top.borrow().get(name) {
            return Ok(known.clone());
        }
        let found = self.folders.iter().find_map(|folder| stored(folder, name, true));
        match found {
            Some(path) => self.stored_class(None, &path, name),
            None => {
                self.top.borrow_mut().insert(name.into(), None);
                Ok(if name == "Modelica" { crate::standard::add_to(self) } else { None })
            }
        }
    }

    /// Whether the texts of the Modelica Standard Library were found, or not needed.
    pub fn has_standard_texts(&self) -> bool {
        let known = self.top.borrow().get("Modelica").cloned().flatten();
        known.is_none_or(|package| !crate::standard::is_own(&package))
    }

    /// The class in the text of another one, or in its folder.
    ///
    /// # Errors
    /// Its file is wrong.
    pub fn child(&self, class: &Rc<ClassNode>, name: &str) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(known) = class.children.borrow().get(name) {
            return Ok(known.clone());
        }
        let in_text = class.elements().iter().find_map(|element| match &element.kind {
            ElementKind::Class(inner) if &*inner.name.text == name => Some(Rc::clone(inner)),
            _ => None,
        });
        if let Some(syntax) = in_text {
            return Ok(Some(self.add(Some(class), syntax, None, false)));
        }
        match class.folder.as_ref().and_then(|folder| stored(folder, name, false)) {
            Some(path) => self.stored_class(Some(class), &path, name),
            None => {
                class.children.borrow_mut().insert(name.into(), None);
                Ok(None)
            }
        }
    }

    /// All classes in a class: those of its text and of its folder.
    ///
    /// # Errors
    /// A file is wrong.
    pub fn children(&self, class: &Rc<ClassNode>) -> Checked<Vec<Rc<ClassNode>>> {
        let found = self.child_names(class).into_iter().map(|name| self.child(class, &name));
        Ok(found.collect::<Checked<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The names of all classes in the text of a class, in their order, and then in its folder.
    fn child_names(&self, class: &Rc<ClassNode>) -> Vec<Rc<str>> {
        let mut names: Vec<Rc<str>> = Vec::new();
        for element in class.elements() {
            if let ElementKind::Class(inner) = &element.kind {
                names.push(Rc::clone(&inner.name.text));
            }
        }
        let entries = class.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        let mut stored: Vec<Rc<str>> = Vec::new();
        for entry in entries.into_iter().flatten().flatten() {
            let path = entry.path();
            let is_text = path.extension().is_some_and(|extension| extension == "mo");
            if (is_text && !is_package(&path)) || path.join("package.mo").is_file() {
                stored.extend(path.file_stem().and_then(|stem| stem.to_str()).map(Rc::from));
            }
        }
        // Classes that were added without a text of the class.
        let known = class.children.borrow();
        let added = known.iter().filter(|(name, of)| of.is_some() && !names.contains(name));
        stored.extend(added.map(|(name, _)| Rc::clone(name)));
        drop(known);
        stored.sort();
        stored.dedup();
        names.extend(stored);
        names
    }

    fn stored_class(
        &self,
        parent: Option<&Rc<ClassNode>>,
        path: &Path,
        name: &str,
    ) -> Checked<Option<Rc<ClassNode>>> {
        let content = self.read(path).map_err(|mut complaints| complaints.swap_remove(0))?;
        let folder = is_package(path).then(|| path.parent().map(Path::to_owned)).flatten();
        let is_wanted = |class: &Rc<Class>| &*class.name.text == name;
        let (wanted, others): (Vec<_>, Vec<_>) = content.classes.into_iter().partition(is_wanted);
        let syntax = wanted.into_iter().next().ok_or_else(|| {
            let names = is_it(name, others.iter().map(|class| &class.name.text));
            Complaint::general(format!("{} does not contain {name}{names}", path.display()))
        })?;
        for other in others {
            let (place, other) = (other.name.span.place(), &other.name.text);
            let file =
                format!("the file of a class contains no other one, so {other} is not found");
            self.note(format!("{place}: {file}"));
        }
        Ok(Some(self.add(parent, syntax, folder, false)))
    }

    /// The class to which a name refers in the text of a class.
    ///
    /// # Errors
    /// There is none, or a file is wrong.
    pub fn resolve(&self, scope: &Rc<ClassNode>, name: &Name) -> Checked<Rc<ClassNode>> {
        self.resolve_from(scope, name, true, 0)
    }

    fn resolve_from(
        &self,
        scope: &Rc<ClassNode>,
        name: &Name,
        inherited: bool,
        depth: usize,
    ) -> Checked<Rc<ClassNode>> {
        let mut found: Option<Rc<ClassNode>> = None;
        for part in &name.parts {
            let next = match &found {
                None if name.from_root => self.root(&part.text)?,
                None => self.lookup(scope, &part.text, inherited, depth)?,
                Some(class) => {
                    let found = self.named(class, &part.text, depth);
                    found.map_err(|of| of.or_at(&part.span))?
                }
            };
            found = Some(next.ok_or_else(|| self.unknown(part, found.as_ref(), scope))?);
        }
        found.ok_or_else(|| Complaint::at(&name.span, "a name is missing"))
    }

    /// The class to which a simple name refers in the text of a class: from inside to outside.
    ///
    /// # Errors
    /// A file is wrong.
    pub fn lookup(
        &self,
        scope: &Rc<ClassNode>,
        name: &str,
        inherited: bool,
        depth: usize,
    ) -> Checked<Option<Rc<ClassNode>>> {
        let mut class = Some(Rc::clone(scope));
        let mut inherited = inherited;
        while let Some(inner) = class {
            let found = if inherited {
                self.member(&inner, name, depth)?
            } else {
                self.child(&inner, name)?
            };
            if let Some(found) = found {
                return Ok(Some(found));
            }
            if let Some(found) = self.imported(&inner, name, depth)? {
                return Ok(Some(found));
            }
            class = if inner.syntax.encapsulated { None } else { inner.parent() };
            inherited = true;
        }
        self.root(name)
    }

    /// The class in a class, its own or inherited.
    ///
    /// # Errors
    /// A file is wrong.
    pub fn member(
        &self,
        class: &Rc<ClassNode>,
        name: &str,
        depth: usize,
    ) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(own) = self.child(class, name)? {
            return Ok(Some(own));
        }
        for base in self.bases_at(class, depth + 1)? {
            if let Some(inherited) = self.member(&base.class, name, depth + 1)? {
                return Ok(Some(inherited));
            }
        }
        Ok(None)
    }

    /// The class that further parts of a name mean in a class.
    ///
    /// # Errors
    /// There is none, or a file is wrong.
    pub fn inside(&self, class: Rc<ClassNode>, parts: &[Word]) -> Checked<Rc<ClassNode>> {
        parts.iter().try_fold(class, |class, part| {
            let found = self.named(&class, &part.text, 0)?;
            found.ok_or_else(|| self.unknown(part, Some(&class), &class))
        })
    }

    fn imported(
        &self,
        class: &Rc<ClassNode>,
        name: &str,
        depth: usize,
    ) -> Checked<Option<Rc<ClassNode>>> {
        for element in class.elements() {
            let ElementKind::Import(import) = &element.kind else { continue };
            match import {
                Import::Named(short, path) if &*short.text == name => {
                    return self.find_import(path).map(Some);
                }
                Import::Named(..) => {}
                Import::All(path) => {
                    let package = self.find_import(path)?;
                    if let Some(found) = self.member(&package, name, depth + 1)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The class that an import names, from the root.
    fn find_import(&self, path: &Name) -> Checked<Rc<ClassNode>> {
        self.find(&path.to_string()).map_err(|complaint| complaint.or_at(&path.span))
    }

    /// The path of a constant that a class imports under this name.
    pub fn import_of(&self, class: &Rc<ClassNode>, name: &str) -> Option<Name> {
        class.elements().iter().find_map(|element| match &element.kind {
            ElementKind::Import(Import::Named(short, path)) if &*short.text == name => {
                Some(path.clone())
            }
            _ => None,
        })
    }

    /// The packages whose content a class imports: `import A.B.*;`.
    pub fn imported_packages(&self, class: &Rc<ClassNode>) -> Vec<Name> {
        let imported = class.elements().iter().filter_map(|element| match &element.kind {
            ElementKind::Import(Import::All(path)) => Some(path.clone()),
            _ => None,
        });
        imported.collect()
    }

    /// The inherited classes of a class, in their order.
    ///
    /// # Errors
    /// One of them is not found, or a class inherits itself.
    pub fn bases(&self, class: &Rc<ClassNode>) -> Checked<Vec<Base>> {
        self.check_ancestors(class)?;
        self.bases_at(class, 0)
    }

    /// Refuses long chains of classes that inherit from each other, which are followed without a
    /// limit elsewhere.
    fn check_ancestors(&self, class: &Rc<ClassNode>) -> Checked<()> {
        let mut open = vec![(Rc::clone(class), 0)];
        while let Some((ancestor, depth)) = open.pop() {
            if ancestor.is_checked.replace(true) {
                continue;
            }
            if depth > LONGEST_CHAIN {
                ancestor.is_checked.set(false);
                let sentence =
                    format!("{} inherits over more than {LONGEST_CHAIN} classes", class.path);
                return Err(Complaint::at(&class.syntax.name.span, sentence));
            }
            let bases = self.bases_at(&ancestor, 0)?;
            open.extend(bases.into_iter().map(|base| (base.class, depth + 1)));
        }
        Ok(())
    }

    /// Whether a class is another one, or inherits from it.
    ///
    /// # Errors
    /// An inherited class is not found.
    pub fn inherits(
        &self,
        class: &Rc<ClassNode>,
        other: &Rc<ClassNode>,
        depth: usize,
    ) -> Checked<bool> {
        if class.path == other.path {
            return Ok(true);
        }
        for base in self.bases_at(class, depth)? {
            if self.inherits(&base.class, other, depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn bases_at(&self, class: &Rc<ClassNode>, depth: usize) -> Checked<Vec<Base>> {
        if let Some(known) = class.bases.get() {
            return Ok(known.clone());
        }
        // While they are looked up, only its own elements count: `package P extends P.Icons.Base;`.
        if class.in_progress.replace(true) {
            return Ok(Vec::new());
        }
        let bases = self.look_up_bases(class, depth);
        class.in_progress.set(false);
        let bases = bases?;
        Ok(class.bases.get_or_init(|| bases).clone())
    }

    fn look_up_bases(&self, class: &Rc<ClassNode>, depth: usize) -> Checked<Vec<Base>> {
        if depth > DEEPEST_LOOKUP {
            let sentence = format!("{} inherits itself", class.path);
            return Err(Complaint::at(&class.syntax.name.span, sentence));
        }
        let mut bases = Vec::new();
        match &class.syntax.body {
            Body::Short { base, .. } => {
                let parent = class.parent();
                let class = match &parent {
                    Some(parent) => self.resolve_from(parent, base, true, depth + 1)?,
                    None => self.resolve_from(class, base, false, depth + 1)?,
                };
                bases.push(Base { class, clause: None });
            }
            Body::Long(content) => {
                for element in &content.elements {
                    let ElementKind::Extends(clause) = &element.kind else { continue };
                    let base = self.resolve_from(class, &clause.base, false, depth + 1)?;
                    bases.push(Base { class: base, clause: Some(Rc::clone(clause)) });
                }
            }
            Body::Enumeration(_) | Body::Derivative(_) => {}
        }
        if bases.iter().any(|base| is_above(&base.class, class)) {
            let sentence = format!("{} inherits itself", class.path);
            return Err(Complaint::at(&class.syntax.name.span, sentence));
        }
        Ok(bases)
    }

    /// A class in the text of another one, without belonging there, such as a redeclaration.
    pub fn local(&self, parent: &Rc<ClassNode>, syntax: Rc<Class>) -> Rc<ClassNode> {
        node(Some(parent), syntax, None, false)
    }

    /// The class of this name in a class, which may be its name in an earlier version of the
    /// standard library.
    ///
    /// # Errors
    /// A file is wrong.
    pub fn named(
        &self,
        class: &Rc<ClassNode>,
        name: &str,
        depth: usize,
    ) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(found) = self.member(class, name, depth)? {
            return Ok(Some(found));
        }
        let present = self.former.class(&format!("{}.{name}", class.path));
        present.map(|present| self.find(present)).transpose()
    }
}

fn node(
    parent: Option<&Rc<ClassNode>>,
    syntax: Rc<Class>,
    folder: Option<PathBuf>,
    predefined: bool,
) -> Rc<ClassNode> {
    let name = &syntax.name.text;
    let path = match parent {
        Some(parent) => format!("{}.{name}", parent.path).into(),
        None => Rc::clone(name),
    };
    Rc::new(ClassNode {
        syntax,
        path,
        parent: parent.map(Rc::downgrade),
        folder,
        children: RefCell::default(),
        predefined,
        bases: OnceCell::new(),
        in_progress: Cell::new(false),
        is_checked: Cell::new(false),
    })
}

/// Whether a class is another one, or inherits from it as far as is known.
fn is_above(class: &Rc<ClassNode>, other: &Rc<ClassNode>) -> bool {
    let mut open = vec![Rc::clone(class)];
    let mut seen: Vec<Rc<str>> = Vec::new();
    while let Some(class) = open.pop() {
        if Rc::ptr_eq(&class, other) {
            return true;
        }
        if !seen.contains(&class.path) {
            seen.push(Rc::clone(&class.path));
            let bases = class.bases.get().into_iter().flatten();
            open.extend(bases.map(|base| Rc::clone(&base.class)));
        }
    }
    false
}

/// Whether a file is that of a package that is a folder.
fn is_package(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "package.mo")
}

/// The file of a class in a folder.
fn stored(folder: &Path, name: &str, with_version: bool) -> Option<PathBuf> {
    let plain = [folder.join(name).join("package.mo"), folder.join(format!("{name}.mo"))];
    let plain = plain.into_iter().find(|path| path.is_file());
    if plain.is_some() || !with_version {
        return plain;
    }
    // `Modelica 4.1.0/package.mo`: the newest version.
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let version = |path: &Path| -> Option<Vec<u64>> {
        let words = path.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix(' ')?;
        let number = words.split([' ', '+', '-']).next()?;
        number.split('.').map(|part| part.parse().ok()).collect()
    };
    let versions = entries.filter_map(|entry| Some((version(&entry.path())?, entry.path())));
    let (_, newest) = versions.max()?;
    Some(newest.join("package.mo")).filter(|path| path.is_file())
}
