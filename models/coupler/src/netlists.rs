//! The front end for netlists: files in JSON with the components of a model.

use std::fs;
use std::path::{Path, PathBuf};

use equations::{Language, Model};
use fmu_builder::error::of_system;
use fmu_builder::models::front_end::{
    CutPlace, Divisions, FileModel, FrontEnd, ModelFile, WrittenModel,
};
use mechanics::Assembly;
use mechanics::assembly::{Netlist, Registry};
use modelica::equations::EquationsOfTexts;
use netlist::{File, cut};

mod divisions;

/// Reads and writes [netlists](netlist) whose components are those of some libraries.
///
/// Files of tables are in the folder `resources/NAME` beside the netlist of the model NAME.
#[derive(Clone, Debug)]
pub struct Netlists {
    /// The libraries.
    pub registry: Registry,
}

impl FrontEnd for Netlists {
    fn extension(&self) -> &'static str {
        "json"
    }

    fn writes(&self) -> bool {
        true
    }

    fn read(&self, file: &ModelFile<'_>) -> Result<FileModel, Vec<String>> {
        let path = file.path.display();
        let refuse = |sentence: String| vec![format!("{path}: {sentence}")];
        if file.class.is_some() {
            return Err(refuse("a netlist describes one model, so it has no classes".to_owned()));
        }
        let text = fs::read_to_string(file.path)
            .map_err(|error| refuse(format!("it cannot be read: {}", of_system(&error))))?;
        let netlist = File::read(&text).map_err(|mistake| vec![format!("{path}:{mistake}")])?;
        netlist.check_with_equations(&self.registry, &EquationsOfTexts).map_err(
            |errors| -> Vec<String> {
                errors.iter().map(|error| format!("{path}: {error}")).collect()
            },
        )?;
        let beside = file.path.parent().unwrap_or(Path::new(""));
        let resources = beside.join("resources").join(&netlist.name);
        Ok(file_model(netlist, &self.registry, resources, path.to_string()))
    }

    fn write(&self, model: &WrittenModel<'_>) -> Option<Result<String, Vec<String>>> {
        let text = self.file(model)?.and_then(|(file, _)| {
            let documentation = model.documentation.to_owned();
            File { documentation, ..file }.text().map_err(|sentence| vec![sentence])
        });
        Some(text)
    }

    fn divide(
        &self,
        model: &WrittenModel<'_>,
        at: &[String],
    ) -> Option<Result<Divisions, Vec<String>>> {
        Some(self.file(model)?.and_then(|(file, netlist)| {
            let file = File { documentation: model.documentation.to_owned(), ..file };
            divisions::of((&file, netlist), &self.registry, model.resources, at)
        }))
    }

    fn places(&self, model: &WrittenModel<'_>) -> Option<Result<Vec<CutPlace>, Vec<String>>> {
        Some(self.file(model)?.map(|(file, netlist)| {
            let cuts = cut::places(&file, netlist, &self.registry);
            cuts.iter().map(divisions::place).collect()
        }))
    }
}

impl Netlists {
    /// The file and the netlist of what a model text has stated; none if these are no components.
    fn file<'m>(
        &self,
        model: &WrittenModel<'m>,
    ) -> Option<Result<(File, &'m Netlist), Vec<String>>> {
        let netlist = model.source.downcast_ref::<Netlist>()?;
        let file = File::with_equations_of(model.name, netlist, &self.registry, &EquationsOfTexts);
        Some(match file {
            Ok(file) => Ok((file, netlist)),
            Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
        })
    }
}

/// The model of a file that has been checked; mistakes in its equations begin with a place.
fn file_model(netlist: File, registry: &Registry, resources: PathBuf, place: String) -> FileModel {
    let (name, registry) = (netlist.name.clone(), registry.clone());
    FileModel {
        resources: Some(resources),
        documentation: netlist.documentation.clone(),
        reported: {
            let place = format!("{place}: {name}");
            Box::new(move |mistake| vec![format!("{place}: {mistake}")])
        },
        text: Box::new(move |model: &mut Model| {
            Assembly::trace(filled(&netlist, &registry), model);
        }),
        name,
    }
}

/// The text of the model of a file.
pub fn filled<'f>(file: &'f File, registry: &'f Registry) -> impl FnOnce(&mut Assembly) + use<'f> {
    |m| file.fill_with_equations(registry, &EquationsOfTexts, m)
}
