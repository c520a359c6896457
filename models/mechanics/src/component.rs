//! What a component is, and how it says what it contributes to the equations.

use crate::assembly::{At, PortId};
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{
    Body, Candidate, Constraint, FlangeEnd, FrameEnd, FromStart, Inertial, Joint, LinearRelation,
    Pose, Primitive, Relative, RigidLink, Rod, Structure,
};
use crate::compile::wiring::Wiring;
use crate::error::Error;
use crate::start::{Start, StateSelect};
use crate::vector::{Matrix, Vector};
use equations::{Declared, Ex, Model};
use std::fmt::Debug;
use std::rc::Rc;

/// A kind of component: its parameters are the fields of the type that implements this.
pub trait Component: Debug + 'static {
    /// The typed ports and variables that the model text sees.
    type Ports;

    /// The ports of an instance.
    fn ports(at: At) -> Self::Ports;

    /// Says what the component contributes: parameters, structure, laws, variables.
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error>;
}

/// A component of any kind.
pub trait AnyComponent: Debug {
    /// See [`Component::contribute`].
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error>;
}

impl<C: Component> AnyComponent for C {
    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        Component::contribute(self, c)
    }
}

/// An angle that a component stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Angle(usize);

/// Where one component instance states its contribution.
///
/// Names given here are local (`phi`); the instance's name is put in front (`j1.phi`).
pub struct Contribution<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) wiring: &'a mut Wiring,
    pub(crate) structure: &'a mut Structure,
    pub(crate) component: usize,
    pub(crate) name: String,
}

impl Contribution<'_> {
    /// The instance's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The full name of one of its variables.
    pub fn full(&self, local: &str) -> String {
        format!("{}.{local}", self.name)
    }

    /// A parameter error that names the instance's parameter.
    pub fn refuse(&self, parameter: &str, why: impl std::fmt::Display) -> Error {
        Error::Parameter(format!("{}: {why}", self.full(parameter)))
    }

    /// A scalar parameter; finish with `.into()`.
    pub fn parameter(&mut self, local: &str, value: f64) -> Declared<'_, Ex> {
        let name = self.full(local);
        self.model.parameter(&name, value)
    }

    /// A scalar that is fixed when the FMU is generated, visible as a constant.
    pub fn constant(&mut self, local: &str, value: f64, unit: &str, describe: &str) {
        let name = self.full(local);
        self.model.constant(&name, value).unit(unit).describe(describe);
    }

    /// A vector whose zeros are structure: they become constants, the other elements parameters.
    pub fn vector(
        &mut self,
        local: &str,
        value: [f64; 3],
        unit: &str,
        describe: &str,
    ) -> Result<Vector, Error> {
        let mut v = crate::vector::zero();
        for (i, &value) in value.iter().enumerate() {
            let element = format!("{local}[{}]", i + 1);
            self.check(&element, value, unit, true)?;
            if value == 0.0 {
                self.constant(&element, 0.0, unit, describe);
            } else {
                v[i] = self.parameter(&element, value).unit(unit).describe(describe).into();
            }
        }
        Ok(v)
    }

    /// An axis: of unit length and fixed when the FMU is generated.
    pub fn axis(&mut self, local: &str, n: [f64; 3], describe: &str) -> Result<[f64; 3], Error> {
        let e = crate::vector::unit_axis(n)
            .ok_or_else(|| self.refuse(local, format!("{n:?} has no direction")))?;
        for (i, &element) in n.iter().enumerate() {
            self.constant(&format!("{local}[{}]", i + 1), element, "1", describe);
        }
        Ok(e)
    }

    /// A flange of this component.
    pub fn flange(&mut self, port: &'static str) -> FlangeEnd {
        let node = self.wiring.flange_node(PortId { component: self.component, port });
        self.structure.flange_end(node, self.component, port)
    }

    /// A support flange: held at angle zero if nothing is connected to it.
    pub fn support(&mut self, port: &'static str) -> FlangeEnd {
        let connected = self.wiring.is_connected(PortId { component: self.component, port });
        let end = self.flange(port);
        if !connected {
            let housing = self.structure.hidden_end(end.node, self.component);
            self.linear(&[(housing, Ex::one())], Ex::zero());
        }
        end
    }

    /// A frame of this component.
    pub fn frame(&mut self, port: &'static str) -> FrameEnd {
        let node = self.wiring.frame_node(PortId { component: self.component, port });
        self.structure.frame_end(node, self.component, port)
    }

    /// The variable connected to an input of this component.
    pub fn input(&mut self, port: &'static str) -> Result<PortId, Error> {
        self.wiring.source(PortId { component: self.component, port }).ok_or_else(|| {
            Error::Connection(format!("{}: the input is not connected", self.full(port)))
        })
    }

    /// Refuses a parameter value that is not finite or not `allowed`.
    pub fn check(&self, local: &str, value: f64, unit: &str, allowed: bool) -> Result<(), Error> {
        if value.is_finite() && allowed {
            return Ok(());
        }
        Err(self.refuse(local, format!("{value} {unit} is not a possible value")))
    }

    /// Two flanges at the same angle.
    pub fn rigid_flanges(&mut self, a: FlangeEnd, b: FlangeEnd) {
        self.linear(&[(a, Ex::one()), (b, -Ex::one())], Ex::zero());
    }

    /// The angle between two flanges, `phi_rel`, with its speed `w_rel`.
    pub fn relative_angle(
        &mut self,
        a: FlangeEnd,
        b: FlangeEnd,
        phi_rel: Start,
        w_rel: Start,
        select: StateSelect,
    ) -> Angle {
        let mut phi_rel = self.candidate("phi_rel", "rad", "Relative rotation angle", phi_rel);
        phi_rel.nominal = 1e-4;
        let w_rel = self.candidate("w_rel", "rad/s", "Relative angular velocity", w_rel);
        self.angle(Some(a), b, phi_rel, w_rel, select)
    }

    /// Ties flange angles: the sum of coefficient times angle equals `rhs`.
    ///
    /// The constraint torque into the component at each flange is the coefficient times one common
    /// multiplier. Coefficients and `rhs` depend on parameters only.
    pub fn linear(&mut self, terms: &[(FlangeEnd, Ex)], rhs: Ex) {
        self.structure.relations.push(LinearRelation {
            component: self.component,
            ends: terms.to_vec(),
            rhs,
        });
    }

    /// A moment of inertia that turns with a flange.
    pub fn inertia(&mut self, end: FlangeEnd, inertia: Ex) {
        self.structure.inertias.push(Inertial { end, inertia });
    }

    /// A variable with a start value, which may become a state.
    pub fn candidate(
        &mut self,
        local: &'static str,
        unit: &'static str,
        describe: &'static str,
        start: Start,
    ) -> Candidate {
        let slot = self.model.start_slot(start.value);
        Candidate { local, name: self.full(local), unit, describe, start, slot, nominal: 1.0 }
    }

    /// The angle and speed of flange `b` relative to flange `a` (absent: relative to zero).
    pub fn angle(
        &mut self,
        a: Option<FlangeEnd>,
        b: FlangeEnd,
        position: Candidate,
        speed: Candidate,
        select: StateSelect,
    ) -> Angle {
        let (component, damped) = (self.component, false);
        self.structure.relatives.push(Relative {
            component,
            a,
            b,
            position,
            speed,
            select,
            damped,
        });
        Angle(self.structure.relatives.len() - 1)
    }

    /// Says that the torque along an angle depends on its speed, by a law that can be solved for
    /// the speed: flanges without inertia may rely on it.
    pub fn damped(&mut self, angle: Angle) {
        self.structure.relatives[angle.0].damped = true;
    }

    /// Holds a frame at rest in the world.
    pub fn ground_frame(&mut self, end: FrameEnd, pose: Pose) {
        self.structure.ground_frames.push((end.node, pose, self.component));
    }

    /// Joins two frames rigidly: `frame_b` at `r` (in `frame_a`), turned by `t_ba`.
    pub fn rigid(&mut self, a: FrameEnd, b: FrameEnd, r: Vector, t_ba: Matrix) {
        let component = self.component;
        self.structure.rigid_links.push(RigidLink { component, a, b, pose: Pose { r, t: t_ba } });
    }

    /// A rigid body fixed to a frame: mass, centre of mass and inertia tensor about it, all in the
    /// frame's axes.
    pub fn body(&mut self, frame: FrameEnd, mass: Ex, r_cm: Vector, inertia: Matrix) {
        self.structure.bodies.push(Body { component: self.component, frame, mass, r_cm, inertia });
    }

    /// A joint with one freedom from `frame_a` to `frame_b`.
    pub fn joint(&mut self, a: FrameEnd, b: FrameEnd, primitive: Primitive, select: StateSelect) {
        let (component, name) = (self.component, self.name.clone());
        let primitive = Some(primitive);
        self.structure.joints.push(Joint { component, name, a, b, primitive, select });
    }

    /// A joint that ties two origins and leaves the orientation free.
    pub fn spherical_joint(&mut self, a: FrameEnd, b: FrameEnd) {
        let (component, name, select) = (self.component, self.name.clone(), StateSelect::Default);
        self.structure.joints.push(Joint { component, name, a, b, primitive: None, select });
    }

    /// A frame that turns with the line between two others.
    pub fn rod(&mut self, rod: Rod) {
        self.structure.rods.push(rod);
    }

    /// Bilateral constraints on frames: the residuals, scaled to m or rad, vanish.
    ///
    /// With `from_start` they hold in the initial configuration by the choice of a parameter.
    pub fn constraint(
        &mut self,
        frames: &[FrameEnd],
        from_start: Option<FromStart>,
        residual: impl Fn(&[Pose]) -> Vec<Ex> + 'static,
    ) {
        self.structure.constraints.push(Constraint {
            component: self.component,
            name: self.name.clone(),
            frames: frames.to_vec(),
            from_start,
            residual: Rc::new(residual),
        });
    }

    /// The acceleration of gravity, in world axes.
    pub fn gravity(&mut self, g: Vector) {
        self.structure.gravity.push((self.component, g));
    }

    /// A signal computed on demand, from time, parameters and other signals.
    pub fn signal(
        &mut self,
        port: &'static str,
        law: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
    ) {
        self.structure.signals.push((PortId { component: self.component, port }, Box::new(law)));
    }

    /// What is computed when positions and speeds are known: forces, torques, variables.
    pub fn law(&mut self, law: impl FnOnce(&mut Evaluation<'_>) -> Result<(), Error> + 'static) {
        self.structure.laws.push((self.component, Box::new(law)));
    }

    /// What is computed when accelerations are known.
    pub fn after(&mut self, law: impl FnOnce(&mut Evaluation<'_>) -> Result<(), Error> + 'static) {
        self.structure.afters.push((self.component, Box::new(law)));
    }
}
