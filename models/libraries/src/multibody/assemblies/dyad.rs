//! Two rods between two frames, with a spherical joint between them.
//!
//! The second rod leads from the spherical joint to a joint with one coordinate at `frame_b`; the
//! length of the first rod determines this coordinate.

use super::planar_rod::PlanarRod;
use super::power_balance::{self, Attached, DrivenAxis, PowerPort, balance};
use super::{A, PHI, S, V, W, Z, flanges};
use crate::multibody::joints::{
    CheckedPower, RodForce, RodMass, UniversalRod, mass_on_line, readable,
};
use mechanics::component::{ConstraintId, CoordinateId, Starts};
use mechanics::declaration::{group, prelude::*};
use mechanics::domain::{ROTATIONAL, TRANSLATIONAL, Word};
use mechanics::scene::{Length, ROD_COLOR, Shape, ShapeType, joint_length};
use mechanics::statements::algebra::two_roots::{AngleEquation, DistanceEquation};
use mechanics::statements::contributions::constraints::{Roots, Situation};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::{Vector, constant, cross, dot, identity, norm, scale};

group! {
    /// Frames and variables of all dyads.
    ///
    /// The coordinate of the joint at `frame_b` has two solutions. The text begins with the one
    /// nearer to its guess. The simulation remains on this branch, also with other start values and
    /// lengths; another guess chooses the nearer one. `branch` shows which one it is. Beyond the
    /// position in which both coincide there is no solution, and the evaluation fails.
    pub struct Dyads(frames) {}
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
        /// Frame behind the joint at frame_b, fixed to rod 2
        frame_ib: Frame,
        /// Frame at the spherical joint, fixed to rod 2
        frame_im: Frame,
    }
    variables {
        /// Force along rod 1; it acts on the rod at frame_a and is positive towards frame_b
        f_rod: Real["N"],
        /// 1: first of two solutions, -1: second one; at the start, the one nearer to the guess
        branch: Real["1"],
    }
}

group! {
    /// Rods, the first one with a universal joint at `frame_a`.
    pub struct Rods(rods) {
        /// Vector from frame_a to the spherical joint, resolved in frame_ia
        r_rod1_ia "rRod1_ia": [Real; 3]["m", fixed] = X,
        /// Vector from the joint at frame_b to the spherical joint, resolved in frame_ib
        r_rod2_ib "rRod2_ib": [Real; 3]["m", fixed] = [-1.0, 0.0, 0.0],
    }
    ports {
        /// Frame fixed to rod 1, at the origin of frame_a
        frame_ia: Frame,
    }
    variables {
        /// Length of rod 1
        rod1_length "rod1Length": Real["m"],
    }
}

group! {
    /// Rods, the first one with a spherical joint at `frame_a`.
    pub struct SphericalRods(spherical_rods) {
        /// Length of rod (distance between the spherical joints)
        rod1_length "rod1Length": Real["m", > 0, fixed],
        /// Mass of rod 1, a point mass in its middle
        rod1_mass "rod1Mass": Real["kg", >= 0, structural zero] = 0,
        /// Vector from the joint at frame_b to the spherical joint, resolved in frame_ib
        r_rod2_ib "rRod2_ib": [Real; 3]["m", fixed] = X,
    }
}

group! {
    /// A revolute joint at `frame_b`.
    pub struct Turn(turning) {
        /// Offset of phi: the angle is phi + phi_offset
        phi_offset: Real["deg", structural zero, fixed] = 0,
        /// Guess of phi for the choice between the two solutions at the start
        phi_guess: Real["deg", fixed] = 0,
    }
    ports {
        /// Flange that moves with the joint at frame_b; if it is open, there is no torque about the
        /// axis
        axis: Flange,
        /// Flange of that joint's housing; its torque does not act on frame_b
        bearing: Flange,
    }
    variables {
        /// Angle from frame_b to frame_ib, without its offset
        phi: Real["rad"],
        /// First derivative of angle phi
        w: Real["rad/s"],
        /// Second derivative of angle phi
        a: Real["rad/s2"],
    }
}

group! {
    /// A prismatic joint at `frame_b`.
    pub struct Slide(sliding) {
        /// Offset of s: the distance is s + s_offset
        s_offset: Real["m", structural zero, fixed] = 0,
        /// Guess of s for the choice between the two solutions at the start
        s_guess: Real["m", fixed] = 0,
    }
    ports {
        /// Flange that moves with the joint at frame_b; if it is open, there is no force along the
        /// axis
        axis: TranslationalFlange,
        /// Flange of that joint's housing; its force does not act on frame_b
        bearing: TranslationalFlange,
    }
    variables {
        /// Distance along the joint, without its offset
        s: Real["m"],
        /// First derivative of s
        v: Real["m/s"],
        /// Second derivative of s
        a: Real["m/s2"],
    }
}

/// The rod at `frame_a`; its other end is the spherical joint.
#[derive(Clone, Copy, Debug)]
pub(super) enum FirstRod {
    /// With a universal joint at `frame_a`.
    Universal {
        /// The rod with its universal joint.
        rod: UniversalRod,
        /// Its length in m.
        length: Ex,
        /// The same rod, if it moves in a plane only.
        planar: Option<PlanarRod>,
    },
    /// With a spherical joint at `frame_a`.
    Spherical {
        /// Its length in m.
        length: Ex,
        /// Its mass in kg, a point mass in the middle.
        mass: Ex,
    },
}

impl SphericalRods {
    /// The first rod.
    pub(super) fn first(&self) -> FirstRod {
        FirstRod::Spherical { length: self.rod1_length, mass: self.rod1_mass }
    }
}

impl FirstRod {
    /// With a universal joint whose first axis has this name.
    pub fn universal(
        c: &Contribution<'_>,
        axis: (&str, [f64; 3]),
        r_rod1_ia: Vector,
    ) -> Result<Self, Error> {
        let rod = UniversalRod::new(c, axis, ("rRod1_ia", &r_rod1_ia))?;
        Ok(FirstRod::Universal { rod, length: norm(&r_rod1_ia), planar: None })
    }

    /// With a joint about the axis `n_a`; the frames of the assembly stay in a plane across it.
    pub fn planar(c: &Contribution<'_>, n_a: [f64; 3], r_rod1_ia: Vector) -> Result<Self, Error> {
        let rod = UniversalRod::new(c, ("n_a", n_a), ("rRod1_ia", &r_rod1_ia))?;
        let planar = PlanarRod::new(n_a, r_rod1_ia);
        Ok(FirstRod::Universal { rod, length: norm(&r_rod1_ia), planar })
    }
}

/// The joint at `frame_b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guide {
    coordinate_type: CoordinateType,
    axis: [f64; 3],
    /// Offset of the coordinate in rad or m.
    offset: Ex,
    /// Guess in rad or m.
    guess: Ex,
    /// Whether the axis is resolved in `frame_a`; the axis in `frame_b` then follows from the start
    /// values.
    in_frame_a: bool,
}

impl Turn {
    /// A revolute joint about an axis, resolved in `frame_a`.
    pub(super) fn about_axis_of_a(self, n_a: [f64; 3]) -> Guide {
        Guide { in_frame_a: true, ..self.about(n_a) }
    }

    /// A revolute joint about an axis, resolved in `frame_b`.
    pub(super) fn about(self, axis: [f64; 3]) -> Guide {
        let degree = std::f64::consts::PI / 180.0;
        let (offset, guess) = (self.phi_offset * degree, self.phi_guess * degree);
        Guide { coordinate_type: CoordinateType::Revolute, axis, offset, guess, in_frame_a: false }
    }
}

impl Slide {
    /// A prismatic joint along an axis, resolved in `frame_b`.
    pub(super) fn along(self, axis: [f64; 3]) -> Guide {
        let (offset, guess) = (self.s_offset, self.s_guess);
        Guide { coordinate_type: CoordinateType::Prismatic, axis, offset, guess, in_frame_a: false }
    }
}

/// A dyad.
#[derive(Clone, Debug)]
pub(super) struct Dyad {
    pub rod1: FirstRod,
    /// Vector in m from the joint at `frame_b` to the spherical joint, resolved in `frame_ib`.
    pub r_rod2_ib: Vector,
    pub guide: Guide,
    pub power: CheckedPower,
}

/// The first rod, as far as the dyad uses it.
struct First {
    /// Its length in m.
    length: Ex,
    mass: Option<RodMass>,
    /// The rod, if it has a universal joint.
    rod: Option<UniversalRod>,
}

impl Dyad {
    /// Adds joints, frames and the constraint.
    pub fn contribute(self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.shapes(c);
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let (asked, mut attached) = (self.power.check_total_power, Attached::default());
        let (ib, im) = (c.frame("frame_ib"), c.frame("frame_im"));
        let ib = attached.frame(c, asked, (ib, "behind the joint"));
        let im = attached.frame(c, asked, (im, "at the spherical joint"));
        let First { length, mass, rod } = self.first_rod(c, [a, im], &mut attached);
        let r_b = self.r_rod2_ib;
        c.rigid(ib, im, r_b, identity());
        let (coordinate, axis) = self.guide(c, [a, b], ib);
        if let FirstRod::Universal { planar: Some(planar), .. } = self.rod1 {
            planar.require_plane(c, [a, im]);
        }
        let constraint = match self.guide.coordinate_type {
            CoordinateType::Prismatic => slide(c, [a, b], coordinate, length, r_b),
            _ => turn(c, [a, b], coordinate, length, r_b),
        };
        let force = RodForce::new(c, [a, im], constraint, mass);
        force.publish(c);
        if asked {
            publish_power(c, [a, b, im], (rod, force), (attached, axis));
        }
        Ok(())
    }

    /// Both rods and the joints.
    fn shapes(&self, c: &mut Contribution<'_>) {
        match self.rod1 {
            FirstRod::Universal { rod, length, planar: None } => {
                rod.shapes(c, ["frame_a", "frame_ia", "frame_im"], length);
            }
            FirstRod::Universal { rod, length, planar: Some(planar) } => {
                let n = constant(planar.axis());
                c.shape("frame_a", |nominal| Shape::turn(&n, nominal));
                rod.rod_shape(c, "frame_ia", length);
                c.shape("frame_ia", |nominal| {
                    let turn = Shape::turn(&n, nominal);
                    Shape { r_shape: turn.r_shape + planar.vector(), ..turn }
                });
            }
            FirstRod::Spherical { .. } => {
                c.shape("frame_a", Shape::ball);
                c.shape("frame_im", Shape::ball);
                c.shape("frame_a", |nominal| Shape::rod_to("frame_im", rod_width(nominal)));
            }
        }
        let r_b = self.r_rod2_ib;
        c.shape("frame_ib", |nominal| {
            let width = rod_width(nominal);
            let rod = Shape::along(ShapeType::Cylinder, r_b, [width; 2]);
            Shape { length: Length::Fixed(norm(&r_b)), color: ROD_COLOR, ..rod }
        });
    }

    fn first_rod(
        &self,
        c: &mut Contribution<'_>,
        ends: [FrameEnd; 2],
        attached: &mut Attached,
    ) -> First {
        match self.rod1 {
            FirstRod::Universal { rod, length, planar } => {
                let ia = c.frame("frame_ia");
                let ia = attached.frame(c, self.power.check_total_power, (ia, "on the rod"));
                match planar {
                    Some(planar) => planar.derive(c, ends, ia),
                    None => rod.derive(c, ends, ia),
                }
                c.law(move |e| {
                    e.variable("rod1Length", length);
                    Ok(())
                });
                First { length, mass: None, rod: Some(rod) }
            }
            FirstRod::Spherical { length, mass } => {
                readable(c, "rod1Length", length);
                let mass = mass_on_line(c, ends, mass, Ex::from(0.5));
                First { length, mass, rod: None }
            }
        }
    }

    /// The joint from `b` to `ib`.
    fn guide(
        &self,
        c: &mut Contribution<'_>,
        [a, b]: [FrameEnd; 2],
        ib: FrameEnd,
    ) -> (CoordinateId, Option<DrivenAxis>) {
        let Guide { coordinate_type, axis, offset, guess, in_frame_a } = self.guide;
        let (words, domain) = match coordinate_type {
            CoordinateType::Prismatic => ([&S, &V, &A], &TRANSLATIONAL),
            _ => ([&PHI, &W, &Z], &ROTATIONAL),
        };
        let motion = searched(c, words, guess);
        let coordinate = c.coordinate(coordinate_type, axis, motion, StateSelect::Avoid);
        c.offset(coordinate, offset);
        if in_frame_a {
            c.transported_axis(coordinate, a, b);
            let n_a = constant(axis);
            let text = "its axis has different directions in the two frames; give start values \
                        nearer to the planar motion";
            let apart = move |at: &Situation<'_>| {
                let [a, b] = [&at.poses[0], &at.poses[1]];
                let n_b = b.t * (a.t.transpose() * n_a);
                (n_b - constant(at.axes[0])).iter().copied().collect()
            };
            c.check_at_start(&[a, b], &[coordinate], "rad", apart, text);
        }
        c.joint(b, ib, &[coordinate]);
        let e = c.axis_of_shape(coordinate);
        c.shape("frame_b", |nominal| match coordinate_type {
            CoordinateType::Prismatic => {
                let slide = Shape::slide(ShapeType::Box, &e, "s", nominal);
                Shape { r_shape: scale(&e, offset), ..slide }
            }
            _ => Shape::turn(&e, nominal),
        });
        (coordinate, flanges(c, domain, coordinate, self.power.check_total_power))
    }
}

/// The diameter of a rod in m.
fn rod_width(nominal: Ex) -> Ex {
    joint_length(nominal) * 0.5
}

/// Publishes the power that flows into a dyad with the frames `a`, `b` and that of the spherical
/// joint.
fn publish_power(
    c: &mut Contribution<'_>,
    [a, b, im]: [FrameEnd; 3],
    (rod, force): (Option<UniversalRod>, RodForce),
    (attached, axis): (Attached, Option<DrivenAxis>),
) {
    c.after(move |e| {
        let mut ports = attached.ports(e);
        // The load of the parts that are fixed to the first rod is the last one, if the rod has a
        // universal joint.
        let on_rod: Vec<PowerPort> = rod.and_then(|_| ports.pop()).into_iter().collect();
        let mut far = PowerPort::free(e, im);
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
            None => PowerPort { f: force.loads(e).0[0], ..PowerPort::free(e, a) },
        };
        ports.push(PowerPort { f: -far.f, ..far });
        let base = balance(e, b, &ports);
        ports.extend([base, near, far]);
        ports.extend(on_rod);
        power_balance::publish(e, &ports, axis, stored);
        Ok(())
    });
}

/// A coordinate whose guess is the value of a parameter.
fn searched(c: &mut Contribution<'_>, words: [&'static Word; 3], near: Ex) -> [StartVariable; 2] {
    let position = guess(c.magnitude(near));
    let [position, speed] = c.start_variables(words, Starts { position, ..Starts::default() });
    [StartVariable { slot: near, ..position }, speed]
}

/// The position of frame `a` in frame `b`.
fn seen_from_b(at: &Situation<'_>) -> Vector {
    let [a, b] = [&at.poses[0], &at.poses[1]];
    b.t * (a.r - b.r)
}

/// A rotation about `e` by `angle` from `frame_b` to `frame_ib`. The first rod has its length where
/// `A cos(angle) + B sin(angle) + C = 0`.
fn turn(
    c: &mut Contribution<'_>,
    frames: [FrameEnd; 2],
    coordinate: CoordinateId,
    length: Ex,
    r_b: Vector,
) -> ConstraintId {
    let shift = c.offset_of(coordinate);
    let equation = move |at: &Situation<'_>| {
        let (e, r_a) = (constant(at.axes[0]), seen_from_b(at));
        let along = dot(&e, &r_b) * dot(&e, &r_a);
        AngleEquation {
            cosine: (dot(&r_b, &r_a) - along) * -2.0,
            sine: dot(&r_b, &cross(&e, &r_a)) * 2.0,
            rest: dot(&r_a, &r_a) + dot(&r_b, &r_b) - length.square() - along * 2.0,
            // For rods perpendicular to each other and to the axis.
            largest: (length * 2.0).square() * dot(&r_b, &r_b),
        }
    };
    let residual =
        move |at: &Situation<'_>| equation(at).residual(at.q[0] + shift) * (0.5 / length);
    let roots = move |at: &Situation<'_>| {
        let equation = equation(at);
        let value = |root: Ex| {
            let [sine, cosine] = equation.direction(root);
            sine.atan2(cosine).with_sin_cos(sine, cosine) - shift
        };
        let root = equation.root();
        Roots { values: [value(root), value(-root)], discriminant: equation.discriminant() }
    };
    c.closed_form_closure(&frames, coordinate, residual, roots)
}

/// A translation along `e` by `distance` from `frame_b` to `frame_ib`.
fn slide(
    c: &mut Contribution<'_>,
    frames: [FrameEnd; 2],
    coordinate: CoordinateId,
    length: Ex,
    r_b: Vector,
) -> ConstraintId {
    let shift = c.offset_of(coordinate);
    let equation = move |at: &Situation<'_>| {
        let (e, apart) = (constant(at.axes[0]), r_b - seen_from_b(at));
        let p = dot(&e, &apart);
        let across = apart - scale(&e, p);
        let largest = length.square();
        DistanceEquation { p, square: largest - dot(&across, &across), largest }
    };
    let residual =
        move |at: &Situation<'_>| equation(at).residual(at.q[0] + shift) * (0.5 / length);
    let roots = move |at: &Situation<'_>| {
        let equation = equation(at);
        let root = equation.root();
        let values = [root, -root].map(|root| equation.distance(root) - shift);
        Roots { values, discriminant: equation.discriminant() }
    };
    c.closed_form_closure(&frames, coordinate, residual, roots)
}
