//! The gap of an open loop in words: a distance or an angle, with its unit.

use super::closure_search::{CLOSED, Closure};
use super::{closure, flange_constraints};
use crate::compile::topology::placeholders::Placeholders;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::spanning_tree::{Parent, WORLD};
use crate::ids::CoordinateId;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::multibody::Joint;
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::variables::Numbering;
use crate::statements::spatial::pose::Pose;
use equations::Number;
use nalgebra::{DVector, Matrix3, Vector3};

/// A joint at which a loop is cut, as numbers see it.
pub struct CutJoint {
    name: String,
    /// The axes of its slides and of its turns, in its first frame.
    slides: Vec<Vector3<f64>>,
    turns: Vec<Vector3<f64>>,
    /// Whether it leaves the orientation free.
    is_free: bool,
    /// The poses of its frames, and whether they are seen from the world.
    at: [Pose; 2],
    from_world: bool,
    /// The coordinates of its loop that flanges hold, in words.
    held: Vec<String>,
}

/// All joints at which loops are cut.
pub fn cut_joints(
    (kinematic_tree, numbering): (KinematicTree<'_>, Numbering),
    symbols: &Placeholders,
    numeric: &Numeric,
) -> Vec<CutJoint> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let held = |c: CoordinateId| {
        let form =
            symbols.form(c).filter(|f| f.terms.keys().all(|&v| numbering.is_violation(v)))?;
        let by = flange_constraints::holding(structure, c);
        let by = by.into_iter().collect::<Vec<_>>().join(", ");
        let StartVariable { name, unit, .. } = &structure.multibody.coordinates[c].position;
        let value = numeric.one(form.constant);
        (!by.is_empty()).then(|| format!("{name} = {value} {unit} (held by {by})"))
    };
    let one = |joint: &Joint| {
        let all = structure.multibody.coordinates.of(joint.coordinates);
        let (slides, turns, is_free) = closure::axes(joint, all);
        let frames = [joint.a, joint.b];
        let poses = symbols.closure(kinematic_tree).poses(&frames);
        let links = frames.map(|frame| tree.placements[&frame.node].link);
        let (base, between) = tree.between(structure, &links);
        let coordinates = between.iter().filter_map(|&link| match &tree.parents[link] {
            Parent::Joint { coordinates, .. } => Some(coordinates.iter()),
            Parent::World | Parent::Derived { .. } => None,
        });
        CutJoint {
            name: joint.name.clone(),
            slides: slides.into_iter().map(Vector3::from).collect(),
            turns: turns.into_iter().map(Vector3::from).collect(),
            is_free,
            at: [poses[0], poses[1]],
            from_world: base == WORLD,
            held: coordinates.flatten().chain(joint.coordinates.iter()).filter_map(held).collect(),
        }
    };
    tree.cuts.iter().map(|&cut| one(&structure.multibody.joints[cut])).collect()
}

impl CutJoint {
    /// The distance in m between its frames, without what its slides allow.
    fn distance(&self, numeric: &Numeric) -> Vector3<f64> {
        let [a, b] = &self.at;
        let r = Vector3::from_vec(numeric.all((b.r - a.r).as_slice()));
        let to_first = Matrix3::from_vec(numeric.all(a.t.as_slice())).transpose();
        let slides: Vec<Vector3<f64>> = self.slides.iter().map(|axis| to_first * axis).collect();
        match slides[..] {
            [] => r,
            [e] => r - e * e.dot(&r),
            [e, f] => {
                let normal = e.cross(&f).normalize();
                normal * normal.dot(&r)
            }
            _ => Vector3::zeros(),
        }
    }

    /// The angle in rad between its frames, without what its turns allow.
    fn angle(&self, numeric: &Numeric) -> f64 {
        let [a, b] = &self.at;
        let t = Matrix3::from_vec(numeric.all((b.t * a.t.transpose()).as_slice()));
        match self.turns[..] {
            _ if self.is_free => 0.0,
            [] => {
                let twice_the_sine = |i, j| t[(i, j)] - t[(j, i)];
                let sines = [twice_the_sine(1, 2), twice_the_sine(2, 0), twice_the_sine(0, 1)];
                Vector3::from(sines).norm().atan2(t.trace() - 1.0)
            }
            [e] => e.cross(&(t * e)).norm().atan2(e.dot(&(t * e))),
            [e, f] => (f.dot(&(t * e)).clamp(-1.0, 1.0).acos() - f.dot(&e).acos()).abs(),
            _ => 0.0,
        }
    }

    /// The gap in a unit, in words; none if there is none in this unit.
    fn gap(&self, unit: &str, numeric: &Numeric) -> Option<String> {
        if unit == "rad" {
            let angle = self.angle(numeric);
            return (angle > CLOSED).then(|| format!("a gap of {} rad remains", rounded(angle)));
        }
        let distance = self.distance(numeric);
        let gap = distance.norm();
        let along: Vec<String> = distance.iter().map(|e| direction(e / gap)).collect();
        let along = format!(", along [{}] of the world", along.join(", "));
        let along = if self.from_world { along } else { String::new() };
        (gap > CLOSED).then(|| format!("a gap of {} m remains{along}", rounded(gap)))
    }
}

impl Closure<'_> {
    /// The coordinates that flanges hold in the loops that some rows close, in words.
    pub fn held_by_flanges(&self, rows: &[usize]) -> Vec<String> {
        let closes = |cut: &&CutJoint| rows.iter().any(|&row| self.rows[row].name == cut.name);
        self.guide.cuts.iter().filter(closes).flat_map(|cut| cut.held.clone()).collect()
    }

    /// The gap to which a row belongs, in words: that of a joint, or of all rows among `rows` of
    /// the same name and unit.
    pub fn gap_in_words(&self, numeric: &Numeric, row: usize, rows: &[usize]) -> String {
        let (name, unit) = (&self.rows[row].name, self.rows[row].unit);
        let cut = self.guide.cuts.iter().find(|cut| cut.name == *name);
        cut.and_then(|cut| cut.gap(unit, numeric)).unwrap_or_else(|| {
            let same =
                |row: &&usize| self.rows[**row].name == *name && self.rows[**row].unit == unit;
            let gaps = rows.iter().filter(same).map(|&row| self.rows[row].gap());
            let gaps = DVector::from_vec(numeric.all(&gaps.collect::<Vec<_>>()));
            format!("a gap of {} {unit} remains", rounded(gaps.norm()))
        })
    }
}

/// A component of a direction with two digits, for messages.
fn direction(component: f64) -> String {
    // A zero has no sign.
    format!("{:.2}", if component.abs() < 0.005 { 0.0 } else { component })
}

/// A gap with three digits, for messages.
pub fn rounded(gap: f64) -> Number {
    Number(format!("{gap:.2e}").parse().unwrap_or(gap))
}
