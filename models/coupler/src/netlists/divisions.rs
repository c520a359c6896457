//! Divisions of models at flanges, as the program `fmu` sees them.

use std::path::{Path, PathBuf};

use fmu_builder::models::front_end::{
    CutPlace, DividedModel, Divisions, FileModel, Joint, PartChoices,
};
use mechanics::assembly::{Netlist, Registry};
use netlist::File;
use netlist::cut::{self, Choices, Cut, CutModel};

/// The most ways to divide a model that are tried.
const MOST: usize = 64;

/// The ways to divide a model at flanges, or at the flanges of components.
pub fn of(
    (file, netlist): (&File, &Netlist),
    registry: &Registry,
    resources: &Path,
    at: &[String],
) -> Result<Divisions, Vec<String>> {
    let mut ways: Vec<Vec<String>> = vec![Vec::new()];
    for name in at {
        let flanges = cut::flanges(file, netlist, registry, name).map_err(|error| vec![error])?;
        ways = ways
            .iter()
            .flat_map(|way: &Vec<String>| {
                flanges.iter().map(|flange| [way, std::slice::from_ref(flange)].concat())
            })
            .take(MOST)
            .collect();
    }
    let mut divisions: Divisions = Vec::new();
    let mut errors: Vec<String> = Vec::new();
    for way in ways {
        match CutModel::new(file, netlist, registry, &way) {
            Ok(model) => divisions.push(Box::new(Divided {
                model,
                registry: registry.clone(),
                resources: resources.to_owned(),
            })),
            Err(found) => {
                for error in found {
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
            }
        }
    }
    if divisions.is_empty() { Err(errors) } else { Ok(divisions) }
}

/// A cut as a place.
pub fn place(cut: &Cut) -> CutPlace {
    let Cut { at, ports, parts, friction, .. } = cut.clone();
    let [_, others] = ports;
    CutPlace { at, others, parts, friction }
}

/// A divided netlist.
struct Divided {
    model: CutModel,
    registry: Registry,
    resources: PathBuf,
}

impl DividedModel for Divided {
    fn places(&self) -> Vec<CutPlace> {
        self.model.cuts().iter().map(place).collect()
    }

    fn parts(&self, choices: &PartChoices) -> (Vec<FileModel>, Vec<Joint>) {
        let PartChoices { first_moves, starts, names, guesses } = choices.clone();
        let choices = Choices { first_moves, starts, names, guesses };
        let (parts, joints) = self.model.parts(&choices);
        let models = parts.into_iter().map(|part| {
            super::file_model(part.file, &self.registry, self.resources.clone(), "part".to_owned())
        });
        let joint = |joint: cut::Joint| Joint {
            from: joint.from,
            to: joint.to,
            place: joint.cut,
            motion: joint.motion,
        };
        (models.collect(), joints.into_iter().map(joint).collect())
    }
}
