//! Models that are cut at flanges into parts, which signals join again.
//!
//! A cut divides the ports that are connected with a flange: the flange itself, and all others. On
//! one side an adaptor gives the motion and takes the torque; on the other side an adaptor does the
//! opposite. Which side gives the motion is decided by whoever knows the equations of the parts.
//! Each part has copies of fixed points, such as a housing. A block of signals belongs to the part
//! with its readers.

mod graph;
mod parts;

pub use parts::{Choices, Joint, Part};

use crate::content::File;
use graph::Graph;
use mechanics::assembly::{Netlist, Registry};
use std::collections::BTreeMap;

/// The domain of a flange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlangeDomain {
    /// Angles and torques.
    Rotational,
    /// Positions and forces.
    Translational,
}

/// A cut at a flange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The flange with the name of its component.
    pub at: String,
    /// Its domain.
    pub domain: FlangeDomain,
    /// The ports on both sides: the flange itself, and the ports that were connected with it.
    pub ports: [Vec<String>; 2],
    /// The parts on both sides.
    pub parts: [usize; 2],
    /// The components at the cut that stick and slide; while one sticks, the cut is rigid.
    pub friction: Vec<String>,
}

/// A signal from a part to another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Crossing {
    /// The variable with the name of its component.
    variable: String,
    from: usize,
    to: usize,
    /// The inputs that read it.
    inputs: Vec<String>,
    class: &'static str,
    unit: String,
}

/// A model that is cut.
#[derive(Clone, Debug)]
pub struct CutModel {
    file: File,
    cuts: Vec<Cut>,
    /// The part of each component; fixed points are in several.
    part_of: BTreeMap<String, usize>,
    /// The fixed points.
    grounds: Vec<String>,
    crossings: Vec<Crossing>,
    /// The number of parts.
    count: usize,
}

impl CutModel {
    /// Cuts a model at flanges, each given with the name of its component.
    ///
    /// # Errors
    /// One sentence for each flange that is none or does not separate the model.
    pub fn new(
        file: &File,
        netlist: &Netlist,
        registry: &Registry,
        at: &[String],
    ) -> Result<CutModel, Vec<String>> {
        Graph::of(file, netlist, registry).cut(file, at)
    }

    /// The cuts.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// The number of parts.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// The connected flanges of a component; for the name of a flange, this flange.
///
/// # Errors
/// One sentence if there is none.
pub fn flanges(
    file: &File,
    netlist: &Netlist,
    registry: &Registry,
    name: &str,
) -> Result<Vec<String>, String> {
    Graph::of(file, netlist, registry).flanges(name)
}

/// All flanges at which a model can be cut, with the ports that are connected with them.
pub fn places(file: &File, netlist: &Netlist, registry: &Registry) -> Vec<Cut> {
    let graph = Graph::of(file, netlist, registry);
    let all = graph.all_flanges();
    let single = |at: &String| graph.cut(file, std::slice::from_ref(at)).ok();
    let mut found: Vec<Cut> = Vec::new();
    for cut in all.iter().filter_map(single).filter_map(|model| model.cuts.into_iter().next()) {
        // The other side of a connection of two flanges is the same cut.
        let same = |other: &Cut| other.ports[1] == cut.ports[0] && other.ports[0] == cut.ports[1];
        if !found.iter().any(same) {
            found.push(cut);
        }
    }
    found
}
