//! The front end for models written in Modelica: files, and classes below `MODELICAPATH`.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use equations::{Language, Model, with_fresh_arena};
use fmu_builder::error::of_system;
use fmu_builder::models::front_end::{FileModel, FrontEnd, ListedClass, ModelFile};
use mechanics::Assembly;
use modelica::equations::EquationsOfTexts;
use modelica::library::{ClassNode, Library};
use modelica::model::{Declarations, classes_in, is_model, is_package, other_than_model};
use modelica::source::{Checked, Complaint, Complaints};

use crate::netlists::filled;

/// Reads models of [Modelica texts](modelica).
#[derive(Clone, Copy, Debug)]
pub struct ModelicaTexts;

/// The most complaints that are printed.
const MOST_COMPLAINTS: usize = 20;

impl FrontEnd for ModelicaTexts {
    fn extension(&self) -> &'static str {
        "mo"
    }

    /// A file, a folder that is a package, or the name of a class, such as
    /// `Modelica.Mechanics.Rotational.Examples.First`.
    fn accepts(&self, name: &Path) -> bool {
        let is_word = |word: &str| equations::is_c_identifier(word);
        is_file(name)
            || has_texts(name)
            || name.to_str().is_some_and(|name| {
                name.contains('.')
                    && name.starts_with(char::is_uppercase)
                    && name.split('.').all(is_word)
                    && !Path::new(name).exists()
            })
    }

    fn read(&self, file: &ModelFile<'_>) -> Result<FileModel, Vec<String>> {
        check_readable(file.path)?;
        let model = open(file).and_then(|model| Ok((checked(&model)?, model)));
        let ((netlist, declarations), model) =
            model.map_err(|complaints| in_lines(file.path, &complaints))?;
        let (registry, path) = (libraries::registry(), file.path.to_owned());
        Ok(FileModel {
            name: model.name().to_owned(),
            documentation: model.documentation(),
            resources: None,
            text: Box::new(move |into: &mut Model| match &netlist {
                Some(netlist) => Assembly::trace(filled(netlist, &registry), into),
                None => Assembly::trace(|m: &mut Assembly| drop(add(&model, m)), into),
            }),
            reported: Box::new(move |mistake| in_lines(&path, &[declarations.complaint(mistake)])),
        })
    }

    fn classes(&self, file: &ModelFile<'_>) -> Result<Vec<ListedClass>, Vec<String>> {
        let listed = |class: &Rc<ClassNode>| ListedClass {
            name: class.path.to_string(),
            description: class.syntax.description.clone(),
            no_model: other_than_model(class).map(|what| {
                let complaint = Complaint::at(&class.syntax.name.span, what);
                complaint.describe().lines().next().unwrap_or_default().to_owned()
            }),
        };
        check_readable(file.path)?;
        let classes = classes(file).map_err(|complaints| in_lines(file.path, &complaints))?;
        Ok(classes.iter().map(listed).collect())
    }
}

/// Whether a name is that of a file, and not of a class.
fn is_file(name: &Path) -> bool {
    name.extension().is_some_and(|of| of.eq_ignore_ascii_case("mo"))
}

/// Refuses a file that cannot be read.
fn check_readable(path: &Path) -> Result<(), Vec<String>> {
    match fs::File::open(path) {
        Err(error) if is_file(path) => {
            Err(vec![format!("{}: it cannot be read: {}", path.display(), of_system(&error))])
        }
        _ => Ok(()),
    }
}

/// Adds a model with its notes to an assembly.
fn add(model: &modelica::model::Model, m: &mut Assembly) -> Result<Declarations, Complaints> {
    let added = model.add_to(m)?;
    added.notes.into_iter().for_each(|note| m.note(note));
    Ok(added.declarations)
}

/// The netlist of a model, which is the model of the program, so that an exported model is the
/// same, or `None` if no netlist can state it; and the places of its components.
fn checked(
    model: &modelica::model::Model,
) -> Result<(Option<netlist::File>, Declarations), Complaints> {
    with_fresh_arena(|| {
        let mut m = Assembly::new();
        let declarations = add(model, &mut m)?;
        let registry = libraries::registry();
        let file = netlist::File::with_equations_of(
            model.name(),
            &m.into_netlist(),
            &registry,
            &EquationsOfTexts,
        );
        Ok((file.ok(), declarations))
    })
}

/// The classes of a file, or the class with a name, and the library with them.
fn find(file: &ModelFile<'_>) -> Result<(Library, Vec<Rc<ClassNode>>), Complaints> {
    let mut library = Library::new(Library::folders_of_environment());
    let found = match file.path {
        path if path.is_dir() => library.open_folder(path)?,
        path if is_file(path) => library.open(path)?,
        _ => {
            let class = library.find(&file.path.to_string_lossy());
            vec![class.map_err(|complaint| vec![complaint])?]
        }
    };
    Ok((library, found))
}

/// All classes of a file, or of the package with a name.
fn classes(file: &ModelFile<'_>) -> Result<Vec<Rc<ClassNode>>, Complaints> {
    let (library, found) = find(file)?;
    let inner = found.iter().map(|class| classes_in(&library, class));
    Ok(inner.collect::<Checked<Vec<_>>>().map_err(|complaint| vec![complaint])?.concat())
}

/// The model of a file, or of the class with a name.
fn open(file: &ModelFile<'_>) -> Result<modelica::model::Model, Complaints> {
    let (library, found) = find(file)?;
    let class = match (file.class, found.iter().rfind(|class| is_model(class)).or(found.last())) {
        (Some(wanted), _) => library
            .find(wanted)
            .map_err(|complaint| vec![in_place_of(wanted, (&library, &found), complaint)])?,
        (None, Some(last)) => Rc::clone(last),
        (None, None) => {
            let sentence = format!("{} contains no class", file.path.display());
            return Err(vec![Complaint::general(sentence)]);
        }
    };
    choose(&library, &class)?;
    let wanted = file.variables.iter().cloned();
    Ok(modelica::model::Model::new(library, &class).wanting(wanted))
}

/// The complaint that a class is missing, with the class of the file that may be meant.
fn in_place_of(
    wanted: &str,
    (library, found): (&Library, &[Rc<ClassNode>]),
    complaint: Complaint,
) -> Complaint {
    let inner = found.iter().map(|class| classes_in(library, class).unwrap_or_default());
    let names: Vec<Rc<str>> = inner.flatten().map(|class| Rc::clone(&class.path)).collect();
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let similar = equations::similar(wanted, names.iter().map(|name| &**name)).map(str::to_owned);
    let similar = similar.or_else(|| {
        let lasts: Vec<String> = names.iter().map(|name| last(name)).collect();
        let meant = equations::similar(&last(wanted), lasts.iter().map(String::as_str))?;
        Some(names[lasts.iter().position(|name| name == meant)?].to_string())
    });
    match similar {
        Some(similar) => {
            Complaint::general(format!("there is no class {wanted}; is it {similar}?"))
        }
        None => complaint,
    }
}

/// Refuses a package, and says which models it contains.
fn choose(library: &Library, class: &Rc<ClassNode>) -> Result<(), Complaints> {
    let sentence = match other_than_model(class) {
        None => return Ok(()),
        Some(_) if is_package(class) => {
            let inner = classes_in(library, class).map_err(|complaint| vec![complaint])?;
            let models = inner.iter().filter(|class| is_model(class));
            let names: Vec<&str> = models.map(|class| &*class.path).collect();
            match &names[..] {
                [] => format!("{} is a package without models", class.path),
                names => format!(
                    "{} is a package; choose one of its models by --class: {}",
                    class.path,
                    names.join(", ")
                ),
            }
        }
        Some(_) => format!("{} is no model that can be simulated", class.path),
    };
    Err(vec![Complaint::at(&class.syntax.name.span, sentence)])
}

/// The complaints, each with the line of the text and a caret below it, and their number.
fn in_lines(path: &Path, complaints: &[Complaint]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for text in complaints.iter().map(Complaint::describe) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let shown = texts.iter().take(MOST_COMPLAINTS);
    let mut lines: Vec<String> = shown.flat_map(|text| text.lines()).map(str::to_owned).collect();
    let count = match texts.len() {
        1 => "one mistake".to_owned(),
        count if count > MOST_COMPLAINTS => {
            format!("{count} mistakes, of which these are the first {MOST_COMPLAINTS}")
        }
        count => format!("{count} mistakes"),
    };
    lines.push(format!("{}: {count}", path.display()));
    lines
}

/// Whether a folder contains texts in Modelica.
fn has_texts(folder: &Path) -> bool {
    let is_text = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|of| of == "mo");
    std::fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(is_text))
}
