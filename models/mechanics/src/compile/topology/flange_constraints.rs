//! The linear relations between flange positions: each determines one position, or follows from the
//! others, or contradicts them.

use super::assumption::Assumption;
use crate::error::Error;
use crate::ids::{CoordinateId, FlangeConstraintId, FlangeNode, Id, VariableId};
use crate::statements::algebra::linear_form::{Elimination, LinearForm, Outcome};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::Structure;
use crate::statements::contributions::flanges::{FlangeConstraint, FlangePort};
use crate::statements::motion::variables::Numbering;
use equations::Ex;
use nalgebra::{DMatrix, DVector};
use std::collections::{BTreeMap, BTreeSet};

/// The solved flange constraints.
pub struct SolvedRelations {
    /// Positions as forms of those that are left.
    pub elimination: Elimination,
    /// A sentence for each flange constraint that follows from the others.
    pub notes: Vec<String>,
    /// What must remain zero for flange constraints to follow from the others.
    pub assumptions: Vec<Assumption>,
    /// The optional flange constraints that are not needed.
    pub unused: Vec<FlangeConstraintId>,
}

/// Solves all flange constraints.
pub fn eliminate(
    structure: &Structure,
    numbering: Numbering,
    numeric: &Numeric,
) -> Result<SolvedRelations, Error> {
    let mut elimination = Elimination::default();
    let mut notes = Vec::new();
    let mut assumptions = Vec::new();
    let mut unused = Vec::new();
    let mut trains = Trains::new(structure);
    let (last, first): (Vec<_>, Vec<_>) =
        structure.flanges.constraints.enumerate().partition(|(_, constraint)| constraint.optional);
    let of_flanges = |constraint: &FlangeConstraint| {
        !constraint.ends.is_empty()
            || constraint.coordinate.is_some()
            || constraint.prescribed.is_some()
    };
    for (r, constraint) in first.into_iter().chain(last).filter(|(_, r)| of_flanges(r)) {
        let form = form(numbering, r, constraint);
        let mut reduced = elimination.reduce(&form);
        reduced.terms.retain(|_, c| numeric.one(*c).abs() > 1e-12);
        let given = |&v: &VariableId| numbering.is_given(v);
        if constraint.optional && reduced.terms.keys().all(given) {
            unused.push(r);
            continue;
        }
        if let Some(refusal) = &constraint.refusal {
            return Err(refusal.clone());
        }
        refuse_over_determined(structure, numbering, constraint, &reduced)?;
        let ring = || ring(structure, numbering, r, numeric);
        let unit = constraint
            .ends
            .first()
            .map_or("1", |(end, _)| structure.flanges.ends[end.end].domain.position.unit);
        match elimination.relate(&form, |v| numbering.rank(v), numeric) {
            Outcome::Eliminated(_) => trains.relate(structure, r)?,
            Outcome::Redundant => {
                let (ring, instance) = (ring(), &structure.names[constraint.component]);
                assumptions.extend(remains_zero(&elimination.reduce(&form), instance, &ring, unit));
                notes.push(format!(
                    "{ring}: rigid parts form a ring, so one of its relations follows from the \
                     others; that of {instance} is left out and transmits nothing"
                ));
            }
            Outcome::Contradiction(gap) => {
                return Err(Error::Structure(format!(
                    "{}: rigid parts form a ring that does not close: they tie the same position \
                     twice, {gap} {unit} apart",
                    ring()
                )));
            }
        }
    }
    Ok(SolvedRelations { elimination, notes, assumptions, unused })
}

/// The coefficients and the constant of a relation that follows from others.
fn remains_zero(
    form: &LinearForm,
    instance: &str,
    ring: &str,
    unit: &'static str,
) -> Vec<Assumption> {
    let assumption = |residual: Ex, unit, complaint: &str| Assumption {
        instance: instance.to_owned(),
        residual,
        unit,
        complaint: format!("{ring}: {complaint}"),
    };
    let ratios = "these transmissions form a ring, and their ratios contradict each other";
    let gap = "rigid parts form a ring that does not close: they tie the same position twice";
    let coefficients = form.terms.values().map(|&c| assumption(c, "1", ratios));
    coefficients.chain([assumption(form.constant, unit, gap)]).collect()
}

/// Trains of flanges that flange constraints tie. They show whether a train can no longer move.
struct Trains {
    /// The train of a flange node, as an earlier node of the train, or itself.
    parent: BTreeMap<FlangeNode, FlangeNode>,
    /// How often a train can be tied until it stands still; `None`: held or moved from outside.
    freedoms: BTreeMap<FlangeNode, Option<usize>>,
    /// Nodes of hidden housings.
    housings: BTreeSet<FlangeNode>,
    /// The flange constraints of each train.
    constraints: BTreeMap<FlangeNode, Vec<FlangeConstraintId>>,
}

impl Trains {
    fn new(structure: &Structure) -> Self {
        let (hidden, named): (Vec<&FlangePort>, Vec<&FlangePort>) =
            structure.flanges.ends.iter().partition(|end| end.port.port.is_empty());
        // A hidden point that is at no port is not a housing but the middle of a rigid part.
        let named: BTreeSet<FlangeNode> = named.into_iter().map(|end| end.node).collect();
        let housings = hidden.iter().map(|end| end.node).filter(|n| named.contains(n)).collect();
        let nodes = || structure.flanges.ends.iter().map(|end| end.node);
        Trains {
            parent: nodes().map(|node| (node, node)).collect(),
            freedoms: nodes().map(|node| (node, Some(1))).collect(),
            housings,
            constraints: BTreeMap::new(),
        }
    }

    fn root(&self, mut node: FlangeNode) -> FlangeNode {
        while self.parent[&node] != node {
            node = self.parent[&node];
        }
        node
    }

    /// Counts an independent flange constraint; refuses it if it brings a train to a standstill.
    fn relate(&mut self, structure: &Structure, r: FlangeConstraintId) -> Result<(), Error> {
        let constraint = &structure.flanges.constraints[r];
        let nodes = constraint.ends.iter().map(|(end, _)| end.node);
        let nodes: BTreeSet<FlangeNode> = nodes.filter(|n| !self.housings.contains(n)).collect();
        let roots: BTreeSet<FlangeNode> = nodes.iter().map(|&n| self.root(n)).collect();
        let Some(&first) = roots.first() else { return Ok(()) };
        let outside =
            nodes.len() == 1 || constraint.coordinate.is_some() || constraint.prescribed.is_some();
        let mut sum = if outside { None } else { Some(0) };
        let mut members = Vec::new();
        for &root in &roots {
            let own = self.freedoms.get(&root).copied().flatten();
            sum = sum.zip(own).map(|(a, b)| a + b);
            members.extend(self.constraints.remove(&root).unwrap_or_default());
            self.parent.insert(root, first);
        }
        members.push(r);
        let left = sum.map(|sum| sum.saturating_sub(1));
        if left == Some(0) {
            let gears =
                members.iter().map(|&k| &structure.flanges.constraints[k]).filter(|r| !is_rigid(r));
            let gears: BTreeSet<&str> =
                gears.map(|constraint| structure.names[constraint.component].as_str()).collect();
            return Err(Error::Structure(format!(
                "{}: these transmissions form a ring that can only stand still; their ratios \
                 contradict each other",
                gears.into_iter().collect::<Vec<_>>().join(", ")
            )));
        }
        self.freedoms.insert(first, left);
        self.constraints.insert(first, members);
        Ok(())
    }
}

/// Whether a flange constraint makes two flanges move with the same speed.
fn is_rigid(constraint: &FlangeConstraint) -> bool {
    let coefficients: Vec<_> = constraint.ends.iter().map(|(_, c)| c.constant_value()).collect();
    coefficients == [Some(1.0), Some(-1.0)]
}

/// A flange constraint as a form that vanishes.
fn form(numbering: Numbering, r: FlangeConstraintId, constraint: &FlangeConstraint) -> LinearForm {
    let mut form = LinearForm::constant(-constraint.rhs);
    for &(end, coefficient) in &constraint.ends {
        form.add(&LinearForm::variable(end.node.variable()), coefficient);
    }
    let coordinate = constraint.coordinate.map(|c| numbering.coordinate(c));
    let prescribed = constraint.prescribed.map(|motion| numbering.prescribed_motion(motion));
    let violation = constraint.reaction.then(|| numbering.violation(r));
    let housing = constraint.housing.map(|housing| numbering.violation(housing));
    for variable in [coordinate, prescribed, violation, housing].into_iter().flatten() {
        form.add(&LinearForm::variable(variable), Ex::from(-1.0));
    }
    form
}

/// The components whose flange constraints together give the flange constraint `r`, and its own.
fn ring(
    structure: &Structure,
    numbering: Numbering,
    r: FlangeConstraintId,
    numeric: &Numeric,
) -> String {
    let row = |constraint: &FlangeConstraint| {
        let mut row = BTreeMap::<VariableId, f64>::new();
        for &(end, coefficient) in &constraint.ends {
            *row.entry(end.node.variable()).or_default() += numeric.one(coefficient);
        }
        if let Some(coordinate) = constraint.coordinate {
            row.insert(numbering.coordinate(coordinate), -1.0);
        }
        row
    };
    let r = r.index();
    let constraints = &structure.flanges.constraints.as_slice()[..=r];
    let rows: Vec<_> = constraints.iter().map(row).collect();
    let mut places = BTreeMap::new();
    for key in rows.iter().flat_map(BTreeMap::keys) {
        let next = places.len();
        places.entry(*key).or_insert(next);
    }
    let mut others = DMatrix::zeros(places.len(), r);
    let mut own = DVector::zeros(places.len());
    for (k, row) in rows.iter().enumerate() {
        for (key, &value) in row {
            if k < r {
                others[(places[key], k)] = value;
            } else {
                own[places[key]] = value;
            }
        }
    }
    let shares = match others.is_empty() {
        true => None,
        false => others.svd(true, true).solve(&own, 1e-12).ok(),
    };
    let shares = shares.unwrap_or_else(|| DVector::zeros(r));
    let members = (0..r).filter(|&k| shares[k].abs() > 1e-9).chain([r]);
    let mut members: Vec<&str> =
        members.map(|k| structure.names[constraints[k].component].as_str()).collect();
    members.sort_unstable();
    members.dedup();
    members.join(", ")
}

/// The components that hold the train of flanges to which a coordinate of a joint is tied.
pub fn holding(structure: &Structure, coordinate: CoordinateId) -> BTreeSet<&str> {
    let nodes = |constraint: &FlangeConstraint| {
        constraint.ends.iter().map(|(end, _)| end.node).collect::<BTreeSet<FlangeNode>>()
    };
    let (own, others): (Vec<_>, Vec<_>) =
        structure.flanges.constraints.iter().partition(|c| c.coordinate == Some(coordinate));
    let mut train: BTreeSet<FlangeNode> = own.iter().flat_map(|c| nodes(c)).collect();
    let (mut tied, mut free) = (Vec::new(), others);
    loop {
        let (found, rest): (Vec<_>, Vec<_>) =
            free.into_iter().partition(|c| !nodes(c).is_disjoint(&train));
        free = rest;
        if found.is_empty() {
            break;
        }
        train.extend(found.iter().flat_map(|c| nodes(c)));
        tied.extend(found);
    }
    let of_joint = |c: &FlangeConstraint| own.iter().any(|own| own.component == c.component);
    let holds = |c: &&FlangeConstraint| {
        nodes(c).len() == 1 && c.coordinate.is_none() && c.prescribed.is_none() && !of_joint(c)
    };
    let holding = tied.into_iter().filter(holds);
    holding.map(|c| structure.names[c.component].as_str()).collect()
}

/// Refuses a flange constraint that leaves no position to determine, only prescribed motions or
/// reactions.
fn refuse_over_determined(
    structure: &Structure,
    numbering: Numbering,
    constraint: &FlangeConstraint,
    reduced: &LinearForm,
) -> Result<(), Error> {
    let given = |&v: &VariableId| numbering.is_given(v);
    if reduced.terms.is_empty() || !reduced.terms.keys().all(given) {
        return Ok(());
    }
    let of_prescribed_motion = |v| {
        Some(structure.flanges.prescribed_motions[numbering.prescribed_motion_of(v)?].component)
    };
    let of_reaction = |v| Some(structure.flanges.constraints[numbering.violation_of(v)?].component);
    let mut others: Vec<&str> = reduced
        .terms
        .keys()
        .filter_map(|&v| of_prescribed_motion(v).or_else(|| of_reaction(v)))
        .filter(|&component| component != constraint.component)
        .map(|component| structure.names[component].as_str())
        .collect();
    others.dedup();
    let name = &structure.names[constraint.component];
    let prescribed = reduced.terms.keys().any(|&v| numbering.is_prescribed(v));
    let with = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    Err(Error::Structure(if prescribed {
        format!(
            "{name}: a prescribed motion meets positions that other components{with} already \
             determine"
        )
    } else {
        format!(
            "{name}: rigid parts form a ring here, so the torque or force that it needs to know is \
             not determined{with}"
        )
    }))
}
