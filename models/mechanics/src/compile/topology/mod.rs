//! Topology: from the contributions of components to a spanning tree, flange constraints and loops.

pub mod assembly_search;
pub mod assumption;
pub mod checks;
pub mod closed_form;
pub mod closure;
pub mod closure_diagnosis;
pub mod closure_search;
pub mod condition_targets;
pub mod flange_constraints;
pub mod free_loops;
pub mod gap;
pub mod initial_assembly;
pub mod loop_analysis;
pub mod loop_equations;
pub mod loop_explorer;
pub mod loop_path;
pub mod loop_structure;
pub mod orientation_trace;
pub mod other_lengths;
pub mod placeholders;
pub mod planar_dyad;
pub mod redundant_constraints;
pub mod start_configuration;
pub mod state_candidates;
pub mod state_choice;
pub mod transported_axes;
pub mod turn_sequences;

use super::tree::open_frames;
use super::tree::spanning_tree::{self, Tree};
use crate::compile::build_context::BuildContext;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::error::Error;
use crate::ids::{CandidateId, List, VariableId};
use crate::statements::contributions::Structure;
use crate::statements::contributions::initial_conditions::Condition;
use crate::statements::contributions::multibody::ReplacedOrientation;
use crate::statements::motion::variables::{Numbering, Variables};
use assumption::Assumption;
use loop_equations::LoopEquations;
use state_candidates::{StateCandidate, state_candidates};

/// The connections of a model, and the positions and speeds that they determine.
pub struct Topology {
    /// The contributions of components, without the optional flange constraints that are not used,
    /// and with transported axes.
    pub structure: Structure,
    /// The variables, and the linear relations between them.
    pub variables: Variables,
    /// The spanning tree.
    pub tree: Tree,
    /// Everything that may be a state.
    pub candidates: List<CandidateId, StateCandidate>,
    /// The closed loops.
    pub loops: LoopEquations,
    /// What was concluded from the values of parameters.
    pub assumptions: Vec<Assumption>,
}

/// Finds the topology; afterwards the numbers of `build` are those of an initial configuration with
/// closed loops.
pub fn find(
    structure: Structure,
    conditions: &[Condition],
    build: &mut BuildContext<'_>,
) -> Result<Topology, Error> {
    for unknown in &structure.unknown_parameters {
        build.numeric.set(unknown.parameter, unknown.guess);
    }
    checks::one_world(&structure)?;
    let (structure, variables, mut assumptions) = related(structure, build)?;
    let (structure, tree, replaced) = spanned(structure)?;
    let mut structure = transported_axes::transport(structure, &tree, &build.numeric)?;
    let at = (&tree, &variables);
    let tree = match turn_sequences::choose(&mut structure, at, conditions, &replaced, build) {
        true => spanning_tree::span(&structure)?,
        false => tree,
    };
    let kinematic_tree = KinematicTree { structure: &structure, tree: &tree };
    assumptions.extend(checks::rigid_loops(kinematic_tree, build)?);
    checks::initial_accelerations(kinematic_tree, conditions)?;
    let candidates = state_candidates(kinematic_tree, &variables);
    let mut loops = LoopEquations::new(kinematic_tree, &variables, &candidates, &mut build.numeric)
        .with_accelerations(&structure, conditions, &variables)
        .closed(kinematic_tree, &variables, &candidates, build)?;
    let of = (kinematic_tree, &variables);
    state_choice::choose(&mut loops, of, &candidates, structure.free_loops, build)?;
    assumptions.extend(checks::assumed(kinematic_tree, &loops.symbols));
    Ok(Topology { structure, variables, tree, candidates, loops, assumptions })
}

/// The linear relations between positions; optional ones that are not needed are cleared.
fn related(
    mut structure: Structure,
    build: &mut BuildContext<'_>,
) -> Result<(Structure, Variables, Vec<Assumption>), Error> {
    let numbering = Numbering::new(
        structure.flange_nodes,
        structure.multibody.coordinates.len(),
        structure.flanges.prescribed_motions.len(),
        structure.flanges.constraints.len(),
    );
    let related = flange_constraints::eliminate(&structure, numbering, &build.numeric)?;
    related.notes.into_iter().for_each(|note| build.model.note(note));
    for constraint in related.unused {
        structure.flanges.constraints[constraint].ends.clear();
    }
    let variables = Variables { numbering, elimination: related.elimination };
    Ok((structure, variables, related.assumptions))
}

/// The tree. Free orientations that take part in loops are described by turns from here on; they
/// are returned too.
fn spanned(mut structure: Structure) -> Result<(Structure, Tree, Vec<ReplacedOrientation>), Error> {
    let mut replaced = Vec::new();
    loop {
        let tree = spanning_tree::span(&structure)?;
        match tree.orientation_in_a_loop(&structure) {
            Some(joint) => replaced.extend(structure.use_angles(joint)),
            None => return Ok((structure, tree, replaced)),
        }
    }
}

impl Topology {
    /// The mechanism with its spanning tree.
    pub fn kinematic_tree(&self) -> KinematicTree<'_> {
        KinematicTree { structure: &self.structure, tree: &self.tree }
    }

    /// The error about a coordinate with which nothing with inertia moves.
    pub fn massless(&self, variable: VariableId) -> Error {
        match self.unmoved(variable) {
            sentence if sentence.starts_with("nothing") => {
                Error::Structure(format!("{sentence}: connect an Inertia or a Mass"))
            }
            sentence => Error::Structure(sentence),
        }
    }

    /// The sentence about a motion without inertia.
    pub fn unmoved(&self, variable: VariableId) -> String {
        let flanges = self.flanges_of(variable);
        if flanges.is_empty() {
            let coordinate = self.variables.numbering.coordinate_of(variable);
            let behind = |c| open_frames::behind(self.kinematic_tree(), c);
            if let Some(sentence) = coordinate.and_then(behind) {
                return sentence;
            }
            let name = coordinate.map_or("a joint", |c| {
                &self.structure.names[self.structure.multibody.coordinates[c].component]
            });
            return format!("{name}: nothing with mass moves with this joint");
        }
        format!("nothing with inertia moves with {}", flanges.join(", "))
    }

    /// The flanges that move with a variable.
    fn flanges_of(&self, variable: VariableId) -> Vec<String> {
        let ends = self.structure.flanges.ends.iter();
        ends.filter(|end| !end.port.port.is_empty())
            .filter(|end| {
                self.variables
                    .elimination
                    .variable(end.node.variable())
                    .terms
                    .contains_key(&variable)
            })
            .map(|end| self.structure.name_of(end.port))
            .collect()
    }

    /// What a variable is for a person: a coordinate of a joint, or flanges.
    pub fn name_of(&self, variable: VariableId) -> String {
        match self.variables.numbering.coordinate_of(variable) {
            Some(c) => self.structure.multibody.coordinates[c].position.name.clone(),
            None => self.flanges_of(variable).join(", "),
        }
    }
}
