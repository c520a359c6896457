//! Two rods between two frames: the first has a spherical joint at its far end, the second a joint
//! with one coordinate at `frame_b`, whose value keeps the first one's length.

use super::power::{self, Attached, Axis, Port, balance};
use super::{A, PHI, S, V, W, Z, flanges, offset};
use crate::compile::structure::{Candidate, FrameEnd, Freedom, Roots, Situation};
use crate::component::{ConstraintId, Contribution, CoordinateId, Starts};
use crate::domain::{ROTATIONAL, TRANSLATIONAL, Word};
use crate::error::Error;
use crate::multibody::joints::{RodForce, RodMass, UniversalRod, mass_on_line, readable};
use crate::start::{self, StateSelect};
use crate::vector::{Vector, constant, cross, dot, identity, norm};
use equations::Ex;

/// The rod at `frame_a`; its other end is the spherical joint.
#[derive(Clone, Debug)]
pub(super) enum FirstRod {
    /// With a universal joint at `frame_a`.
    Universal {
        /// Name and value of the first axis of the universal joint, resolved in `frame_a`.
        n1_a: (&'static str, [f64; 3]),
        /// The rod in its own frame, in m.
        r_rod1_ia: [f64; 3],
    },
    /// With a spherical joint at `frame_a`.
    Spherical {
        /// Its length in m.
        length: f64,
        /// Its mass in kg, a point in the middle.
        mass: f64,
    },
}

impl FirstRod {
    /// Sets the first axis of the universal joint, if there is one.
    pub fn set_n1_a(&mut self, n: [f64; 3]) {
        if let FirstRod::Universal { n1_a, .. } = self {
            n1_a.1 = n;
        }
    }

    /// Sets the mass in kg, if it can have one.
    pub fn set_mass(&mut self, rod1_mass: f64) {
        if let FirstRod::Spherical { mass, .. } = self {
            *mass = rod1_mass;
        }
    }
}

/// The joint at `frame_b`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guide {
    /// A turn about `n_b`, resolved in `frame_b`.
    Revolute([f64; 3]),
    /// A turn about the axis that is `n_a` in `frame_a`.
    RevoluteLike([f64; 3]),
    /// A slide along `n_b`, resolved in `frame_b`.
    Prismatic([f64; 3]),
}

/// The parameters of a dyad.
#[derive(Clone, Debug)]
pub(super) struct Dyad {
    pub first: FirstRod,
    pub guide: Guide,
    /// From the joint at `frame_b` to the spherical joint, resolved in `frame_ib`; m.
    pub r_rod2_ib: [f64; 3],
    /// Offset of the coordinate in deg or m.
    pub offset: f64,
    /// Where it is searched, in deg or m.
    pub guess: f64,
    /// Whether `totalPower` is published.
    pub check_total_power: bool,
}

/// What is known of the first rod.
struct First {
    /// Its length in m.
    length: Ex,
    mass: Option<RodMass>,
    /// The rod, if it has a universal joint.
    rod: Option<UniversalRod>,
}

impl Dyad {
    /// A dyad without offset, searched at zero.
    pub fn new(first: FirstRod, guide: Guide, r_rod2_ib: [f64; 3]) -> Self {
        Dyad { first, guide, r_rod2_ib, offset: 0.0, guess: 0.0, check_total_power: false }
    }

    /// States joints, frames and the constraint.
    pub fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let (asked, mut attached) = (self.check_total_power, Attached::default());
        let (ib, im) = (c.frame("frame_ib"), c.frame("frame_im"));
        let ib = attached.frame(c, asked, (ib, "behind the joint"));
        let im = attached.frame(c, asked, (im, "at the spherical joint"));
        let First { length, mass, rod } = self.first_rod(c, [a, im], &mut attached)?;
        let text = "Vector from the joint at frame_b to the spherical joint, resolved in frame_ib";
        let r_b = c.vector("rRod2_ib", self.r_rod2_ib, "m", text)?;
        c.rigid(ib, im, r_b, identity());
        let (coordinate, axis) = self.guide(c, [a, b], ib)?;
        let constraint = match self.guide {
            Guide::Revolute(_) | Guide::RevoluteLike(_) => turn(c, [a, b], coordinate, length, r_b),
            Guide::Prismatic(_) => slide(c, [a, b], coordinate, length, r_b),
        };
        let force = RodForce::new(c, [a, im], constraint, mass);
        force.publish(c);
        if asked {
            publish_power(c, [a, b, im], (rod, force), (attached, axis));
        }
        Ok(())
    }

    fn first_rod(
        &self,
        c: &mut Contribution<'_>,
        ends: [FrameEnd; 2],
        attached: &mut Attached,
    ) -> Result<First, Error> {
        match self.first {
            FirstRod::Universal { n1_a, r_rod1_ia } => {
                let text = "Vector from frame_a to the spherical joint, resolved in frame_ia";
                let n1 = "Axis 1 of universal joint resolved in frame_a";
                let n1 = c.axis(n1_a.0, n1_a.1, n1)?;
                let along = c.vector("rRod1_ia", r_rod1_ia, "m", text)?;
                let rod = UniversalRod::new(c, (n1_a.0, n1), ("rRod1_ia", &along))?;
                let ia = c.frame("frame_ia");
                let ia = attached.frame(c, self.check_total_power, (ia, "on the rod"));
                rod.derive(c, ends, ia);
                let length = norm(&along);
                c.law(move |e| {
                    e.variable("rod1Length", length).unit("m").describe("Length of rod 1");
                    Ok(())
                });
                Ok(First { length, mass: None, rod: Some(rod) })
            }
            FirstRod::Spherical { length, mass } => {
                let text = "Length of rod (distance between the spherical joints)";
                let limits = equations::Limits::POSITIVE;
                let length: Ex = c.limited("rod1Length", length, "m", text, limits)?.into();
                readable(c, "rod1Length", length);
                let text = "Mass of rod 1, a point in its middle";
                let mass = c.amount("rod1Mass", mass, "kg", text)?;
                let mass = mass_on_line(c, ends, mass, Ex::from(0.5));
                Ok(First { length, mass, rod: None })
            }
        }
    }

    /// The joint from `b` to `ib`.
    fn guide(
        &self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        ib: FrameEnd,
    ) -> Result<(CoordinateId, Axis), Error> {
        let (name, n, text) = match self.guide {
            Guide::Revolute(n) | Guide::Prismatic(n) => ("n_b", n, "resolved in frame_b"),
            Guide::RevoluteLike(n) => ("n_a", n, "resolved in frame_a"),
        };
        let axis = match self.guide {
            // The universal joint has declared it.
            Guide::RevoluteLike(n) => crate::vector::unit_axis(n).unwrap_or(n),
            Guide::Revolute(_) | Guide::Prismatic(_) => {
                c.axis(name, n, &format!("Axis of the joint at frame_b, {text}"))?
            }
        };
        let slides = matches!(self.guide, Guide::Prismatic(_));
        let coordinate = if slides {
            let text = "Offset of s: the distance is s + s_offset";
            let shift = offset(c, "s_offset", self.offset, "m", text)?;
            c.finite("s_guess", self.guess, "m")?;
            let text = "Where s is searched at the start";
            let guess: Ex = c.parameter("s_guess", self.guess).unit("m").describe(text).into();
            let motion = searched(c, [&S, &V, &A], guess, self.guess);
            let coordinate = c.coordinate(Freedom::Slide, axis, motion, StateSelect::Avoid);
            c.offset(coordinate, shift);
            coordinate
        } else {
            let text = "Offset of phi: the angle is phi + phi_offset";
            let shift = offset(c, "phi_offset", self.offset, "deg", text)?;
            c.finite("phi_guess", self.guess, "deg")?;
            let text = "Where phi is searched at the start";
            let guess: Ex = c.parameter("phi_guess", self.guess).unit("deg").describe(text).into();
            let degree = std::f64::consts::PI / 180.0;
            let (guess, value) = (guess * degree, self.guess * degree);
            let motion = searched(c, [&PHI, &W, &Z], guess, value);
            let coordinate = c.coordinate(Freedom::Turn, axis, motion, StateSelect::Avoid);
            c.offset(coordinate, shift * degree);
            coordinate
        };
        if let Guide::RevoluteLike(_) = self.guide {
            c.transported_axis(coordinate, a, b);
            let n_a = constant(axis);
            let text = "its axis is not the same direction in both frames; give start values nearer \
                        to the planar motion";
            let apart = move |at: &Situation<'_>| {
                let [a, b] = [&at.poses[0], &at.poses[1]];
                let n_b = b.t * (a.t.transpose() * n_a);
                (n_b - constant(at.axes[0])).iter().copied().collect()
            };
            c.check_at_start(&[a, b], &[coordinate], apart, text);
        }
        c.joint(b, ib, &[coordinate]);
        let domain = if slides { &TRANSLATIONAL } else { &ROTATIONAL };
        let axis = flanges(c, domain, coordinate, self.check_total_power);
        Ok((coordinate, axis))
    }
}

/// Publishes the power that flows into a dyad with the frames `a`, `b` and that of the spherical
/// joint.
fn publish_power(
    c: &mut Contribution<'_>,
    [a, b, im]: [FrameEnd; 3],
    (rod, force): (Option<UniversalRod>, RodForce),
    (attached, axis): (Attached, Axis),
) {
    c.after(move |e| {
        let mut ports = attached.ports(e);
        // What is fixed to the first rod comes last, if it has a universal joint.
        let on_rod: Vec<Port> = rod.and_then(|_| ports.pop()).into_iter().collect();
        let mut far = Port::free(e, im);
        let stored = match rod {
            Some(rod) => {
                let (pose, torque) = (e.pose(a), on_rod.iter().map(|port| port.t).sum::<Vector>());
                let r = pose.t * (far.r - pose.r);
                let f_rod = force.value(e);
                far.f = pose.t.transpose() * rod.far_force(&r, f_rod, &(pose.t * torque));
                Ex::zero()
            }
            None => {
                let ([_, at_far], stored) = force.loads(e);
                far.f = at_far;
                stored
            }
        };
        let near = match rod {
            Some(_) => balance(e, a, &[&on_rod[..], &[far]].concat()),
            None => Port { f: force.loads(e).0[0], ..Port::free(e, a) },
        };
        ports.push(Port { f: -far.f, ..far });
        let base = balance(e, b, &ports);
        ports.extend([base, near, far]);
        ports.extend(on_rod);
        power::publish(e, &ports, axis, stored);
        Ok(())
    });
}

/// A position that is searched near the value of a parameter.
fn searched(
    c: &mut Contribution<'_>,
    words: [&'static Word; 3],
    guess: Ex,
    value: f64,
) -> [Candidate; 2] {
    let position = start::guess(value);
    let [mut position, speed] = c.candidates(words, Starts { position, ..Starts::default() });
    position.slot = guess;
    [position, speed]
}

/// The position of frame `a` in frame `b`.
fn seen_from_b(at: &Situation<'_>) -> Vector {
    let [a, b] = [&at.poses[0], &at.poses[1]];
    b.t * (a.r - b.r)
}

/// In place of smaller discriminants, which do not count: so that values are finite there. Relative
/// to their largest value, as they are told.
const FLOOR: f64 = 1e-12;

/// A turn about `e` by `angle` from `frame_b` to `frame_ib`: the distance of the ends of the first
/// rod is its length where `A cos(angle) + B sin(angle) + C = 0`.
fn turn(
    c: &mut Contribution<'_>,
    frames: [FrameEnd; 2],
    coordinate: CoordinateId,
    length: Ex,
    r_b: Vector,
) -> ConstraintId {
    let shift = c.offset_of(coordinate);
    let coefficients = move |at: &Situation<'_>| {
        let (e, r_a) = (constant(at.axes[0]), seen_from_b(at));
        let along = dot(&e, &r_b) * dot(&e, &r_a);
        let cosine = (dot(&r_b, &r_a) - along) * -2.0;
        let sine = dot(&r_b, &cross(&e, &r_a)) * 2.0;
        let rest = dot(&r_a, &r_a) + dot(&r_b, &r_b) - length.square() - along * 2.0;
        [cosine, sine, rest]
    };
    let residual = move |at: &Situation<'_>| {
        let [cosine, sine, rest] = coefficients(at);
        let (s, c) = (at.q[0] + shift).sin_cos();
        (cosine * c + sine * s + rest) / (length * 2.0)
    };
    let roots = move |at: &Situation<'_>| {
        let [cosine, sine, rest] = coefficients(at);
        // With the rods at right angles, across the axis.
        let largest = (length * 2.0).square() * dot(&r_b, &r_b);
        let discriminant = cosine.square() + sine.square() - rest.square();
        let root = discriminant.max(largest * FLOOR).sqrt();
        let value = |root: Ex| {
            let angle = (-(sine * rest) - cosine * root).atan2(sine * root - cosine * rest);
            angle - shift
        };
        Roots { values: [value(root), value(-root)], discriminant: discriminant / largest }
    };
    c.explicit_closure(&frames, coordinate, residual, roots)
}

/// A slide along `e` by `distance` from `frame_b` to `frame_ib`.
fn slide(
    c: &mut Contribution<'_>,
    frames: [FrameEnd; 2],
    coordinate: CoordinateId,
    length: Ex,
    r_b: Vector,
) -> ConstraintId {
    let shift = c.offset_of(coordinate);
    // With the distance d: d^2 + 2 p d + c = 0.
    let coefficients = move |at: &Situation<'_>| {
        let (e, gap) = (constant(at.axes[0]), r_b - seen_from_b(at));
        [dot(&e, &gap), dot(&gap, &gap) - length.square()]
    };
    let residual = move |at: &Situation<'_>| {
        let [p, c] = coefficients(at);
        let d = at.q[0] + shift;
        (d.square() + p * d * 2.0 + c) / (length * 2.0)
    };
    let roots = move |at: &Situation<'_>| {
        let [p, c] = coefficients(at);
        let discriminant = p.square() - c;
        let root = discriminant.max(length.square() * FLOOR).sqrt();
        let values = [root - p - shift, -root - p - shift];
        Roots { values, discriminant: discriminant / length.square() }
    };
    c.explicit_closure(&frames, coordinate, residual, roots)
}

/// The setters that all dyads share; `$offset` and `$guess` are their parameters' names.
macro_rules! dyad_setters {
    ($Component:ident, $offset:ident, $guess:ident, $unit:literal) => {
        impl $Component {
            /// Whether `totalPower` is published, which vanishes.
            #[must_use]
            pub fn check_total_power(mut self, check_total_power: bool) -> Self {
                self.dyad.check_total_power = check_total_power;
                self
            }

            #[doc = concat!("Offset of the coordinate in ", $unit, ".")]
            #[must_use]
            pub fn $offset(mut self, offset: f64) -> Self {
                self.dyad.offset = offset;
                self
            }

            #[doc = concat!("Where the coordinate is searched at the start, in ", $unit, ".")]
            #[must_use]
            pub fn $guess(mut self, guess: f64) -> Self {
                self.dyad.guess = guess;
                self
            }
        }
    };
}
pub(super) use dyad_setters;
