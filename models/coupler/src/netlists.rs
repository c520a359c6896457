//! The front end for netlists: files in JSON with the components of a model.

use std::fs;
use std::path::Path;

use equations::{Language, Model};
use fmu_builder::error::of_system;
use fmu_builder::models::front_end::{FileModel, FrontEnd, ModelFile, WrittenModel};
use mechanics::Assembly;
use mechanics::assembly::{Netlist, Registry};
use modelica::equations::EquationsOfTexts;
use netlist::File;

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
        let (name, registry) = (netlist.name.clone(), self.registry.clone());
        Ok(FileModel {
            resources: Some(beside.join("resources").join(&name)),
            documentation: netlist.documentation.clone(),
            reported: {
                let place = format!("{path}: {}", netlist.name);
                Box::new(move |mistake| vec![format!("{place}: {mistake}")])
            },
            text: Box::new(move |model: &mut Model| {
                Assembly::trace(filled(&netlist, &registry), model);
            }),
            name,
        })
    }

    fn write(&self, model: &WrittenModel<'_>) -> Option<Result<String, Vec<String>>> {
        let netlist = model.source.downcast_ref::<Netlist>()?;
        let file = File::with_equations_of(model.name, netlist, &self.registry, &EquationsOfTexts);
        let text = file.map_err(|errors| errors.iter().map(ToString::to_string).collect());
        Some(text.and_then(|file| {
            let file = File { documentation: model.documentation.to_owned(), ..file };
            file.text().map_err(|sentence| vec![sentence])
        }))
    }
}

/// The text of the model of a file.
pub fn filled<'f>(file: &'f File, registry: &'f Registry) -> impl FnOnce(&mut Assembly) + use<'f> {
    |m| file.fill_with_equations(registry, &EquationsOfTexts, m)
}
