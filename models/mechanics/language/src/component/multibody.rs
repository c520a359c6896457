//! Contributions to mechanisms: rigid parts, bodies, coordinates and joints.

use super::{Contribution, CoordinateId, FlangeConstraintId};
use crate::error::Error;
use crate::ids::{Id, Span};
use crate::port::PortId;
use crate::scene::{Shape, TurningFrame};
use crate::start::{Start, StateSelect};
use crate::statements::contributions::initial_conditions::{Condition, FlangeOrCoordinate};
use crate::statements::contributions::multibody::{
    Coordinate, CoordinateType, Derived, Joint, QuaternionOrientation, RigidBody, RigidConnection,
    Transported, WorldGravity,
};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::laws::acceleration_view::{AccelerationSignal, AccelerationView};
use crate::statements::laws::signal_view::{Signal, SignalView};
use crate::statements::motion::ends::{FlangeEnd, FrameEnd};
use crate::statements::motion::rates_along::End;
use crate::statements::spatial::gravity_field::Gravity;
use crate::statements::spatial::pose::{Acceleration, Pose, Twist};
use crate::vector::{Matrix, Vector};
use equations::Ex;
use std::rc::Rc;

/// Priorities of joints that are used only if nothing else connects a frame to the world; joints
/// with low numbers come first.
pub mod joint_priority {
    /// The joint of a body, which has an orientation.
    pub const BODY: usize = 0;
    /// The joint of a point mass, which has no orientation, so that bodies come first.
    pub const POINT_MASS: usize = 1;
    /// The joint of a massless frame, which is used only if no part is connected to the frame.
    pub const NODE: usize = 2;
    /// A joint that comes after all others.
    pub const LAST: usize = usize::MAX;
}

impl Contribution<'_> {
    /// An initial condition on the acceleration of a coordinate.
    ///
    /// It determines the first of the start values of position and speed that is not fixed. If both
    /// are fixed, it determines a parameter given as [`crate::declaration::Real::Unknown`].
    pub fn initial_acceleration(&mut self, coordinate: CoordinateId, acceleration: f64) {
        self.initial_acceleration_law(coordinate, move |_| Ok(acceleration.into()));
    }

    /// [`Contribution::initial_acceleration`] for an acceleration that depends on the motion.
    pub fn initial_acceleration_law(
        &mut self,
        coordinate: CoordinateId,
        acceleration: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let (component, subject) = (self.component, FlangeOrCoordinate::Coordinate(coordinate));
        let value: Signal = Box::new(acceleration);
        let measured = None;
        self.laws.conditions.push(Condition { component, subject, order: 2, value, measured });
    }

    /// Initial conditions on an angular acceleration in rad/s2, of a frame that three coordinates
    /// turn; `measured` is this acceleration.
    ///
    /// They determine the start values of the three positions or, if these are fixed, those of the
    /// speeds, like [`Contribution::initial_acceleration`].
    pub fn initial_angular_acceleration(
        &mut self,
        turns: [CoordinateId; 3],
        z: [Ex; 3],
        measured: impl Fn(&AccelerationView<'_>) -> Vector + Copy + 'static,
    ) {
        for (k, (turn, z)) in turns.into_iter().zip(z).enumerate() {
            let value: Signal = Box::new(move |_| Ok(z));
            let measured: AccelerationSignal = Box::new(move |e| Ok(measured(e)[k]));
            self.laws.conditions.push(Condition {
                component: self.component,
                subject: FlangeOrCoordinate::Coordinate(turn),
                order: 2,
                value,
                measured: Some(measured),
            });
        }
    }

    /// Joins two frames rigidly: `frame_b` is at `r` (in `frame_a`), rotated by `t_ba`.
    pub fn rigid(&mut self, a: FrameEnd, b: FrameEnd, r: Vector, t_ba: Matrix) {
        let component = self.component;
        self.structure.multibody.rigid_connections.push(RigidConnection {
            component,
            a,
            b,
            pose: Pose { r, t: t_ba },
        });
    }

    /// A rigid body fixed to a frame: mass, centre of mass and inertia tensor about it, all in the
    /// frame's axes.
    pub fn body(&mut self, frame: FrameEnd, mass: Ex, r_cm: Vector, inertia: Matrix) {
        self.structure.multibody.bodies.push(RigidBody {
            component: self.component,
            frame,
            mass,
            r_cm,
            inertia,
        });
    }

    /// A coordinate; a joint or a constraint states the motion that it describes.
    pub fn coordinate(
        &mut self,
        coordinate_type: CoordinateType,
        axis: [f64; 3],
        [position, speed]: [StartVariable; 2],
        select: StateSelect,
    ) -> CoordinateId {
        let component = self.component;
        let (offset, locked) = (Ex::zero(), false);
        let coordinate = Coordinate {
            component,
            coordinate_type,
            axis,
            offset,
            position,
            speed,
            select,
            locked,
        };
        self.structure.multibody.coordinates.push(coordinate)
    }

    /// Excludes the speeds of coordinates that are states from impulses. The impulses are computed
    /// as if these speeds changed.
    pub fn leave_speeds(&mut self, coordinates: &[CoordinateId]) {
        self.structure.multibody.unmoved.extend(coordinates);
    }

    /// A joint from frame `a` to frame `b` with the given coordinates: translations along axes of
    /// `a`, then rotations. They must have been added one directly after the other.
    pub fn joint(&mut self, a: FrameEnd, b: FrameEnd, coordinates: &[CoordinateId]) {
        self.add_joint(a, b, coordinates, None, None);
    }

    /// A joint that, with a priority of `joint_priority`, is used only if nothing else
    /// connects frame `b` to the world. Without a priority it is a joint like any other.
    pub fn optional_joint(
        &mut self,
        a: FrameEnd,
        b: FrameEnd,
        coordinates: &[CoordinateId],
        optional: Option<usize>,
    ) {
        self.add_joint(a, b, coordinates, None, optional);
    }

    /// A joint with these coordinates, followed by a free orientation.
    ///
    /// `orientation` contains the quaternion, and the three successive rotations that replace it if
    /// the joint is part of a loop. `w` is the relative angular velocity in frame `b`; its
    /// coordinates are returned.
    pub fn spherical_joint(
        &mut self,
        a: FrameEnd,
        b: FrameEnd,
        coordinates: &[CoordinateId],
        (orientation, w, select): (QuaternionOrientation, [StartVariable; 3], StateSelect),
        optional: Option<usize>,
    ) -> [CoordinateId; 3] {
        let axes = [crate::vector::X, crate::vector::Y, crate::vector::Z];
        let mut all = coordinates.to_vec();
        let mut angular_velocity = [CoordinateId::FIRST; 3];
        let first = &orientation.quaternion[0];
        let name = first.name.strip_suffix("[1]").unwrap_or(&first.name);
        // A turn from where the quaternion starts.
        let turn = |axis: &str| StartVariable {
            name: format!("{name} (turn about {axis})"),
            slot: Ex::zero(),
            start: Start { value: 0.0, ..first.start },
            unit: "rad",
            ..first.clone()
        };
        let about = axes.into_iter().zip(["x", "y", "z"]);
        for (k, (speed, (axis, letter))) in w.into_iter().zip(about).enumerate() {
            angular_velocity[k] = self.coordinate(
                CoordinateType::AngularVelocity,
                axis,
                [turn(letter), speed],
                select,
            );
        }
        all.extend(angular_velocity);
        self.add_joint(a, b, &all, Some(orientation), optional);
        angular_velocity
    }

    fn add_joint(
        &mut self,
        a: FrameEnd,
        b: FrameEnd,
        coordinates: &[CoordinateId],
        orientation: Option<QuaternionOrientation>,
        optional: Option<usize>,
    ) {
        let (component, name) = (self.component, self.name.clone());
        let next = self.structure.multibody.coordinates.next();
        let first = coordinates.first().copied().unwrap_or(next);
        let coordinates = Span::new(first, coordinates.len());
        self.structure.multibody.joints.push(Joint {
            component,
            name,
            a,
            b,
            coordinates,
            orientation,
            optional,
        });
    }

    /// Relates a flange to a coordinate: its position is the coordinate plus `offset`.
    pub fn axis_flange(
        &mut self,
        end: FlangeEnd,
        coordinate: CoordinateId,
        offset: Ex,
    ) -> FlangeConstraintId {
        self.tie(&[(end, Ex::one())], coordinate, offset)
    }

    /// Relates a weighted sum of flange positions to a coordinate: the sum is the coordinate plus
    /// `offset`.
    pub fn tie(
        &mut self,
        terms: &[(FlangeEnd, Ex)],
        coordinate: CoordinateId,
        offset: Ex,
    ) -> FlangeConstraintId {
        let constraint = self.linear(terms, offset);
        self.structure.flanges.constraints[constraint].coordinate = Some(coordinate);
        constraint
    }

    /// Relates two flanges: the position of `b` relative to `a` is a coordinate.
    pub fn coordinate_between(
        &mut self,
        a: FlangeEnd,
        b: FlangeEnd,
        coordinate: CoordinateId,
    ) -> FlangeConstraintId {
        let constraint = self.linear(&[(b, Ex::one()), (a, -Ex::one())], Ex::zero());
        self.structure.flanges.constraints[constraint].coordinate = Some(coordinate);
        constraint
    }

    /// States that the motion of `frame` is computed from the motions of two other frames.
    pub fn derived(
        &mut self,
        [a, b]: [FrameEnd; 2],
        frame: FrameEnd,
        pose: impl Fn(&Pose, &Pose) -> Pose + 'static,
        velocity: impl Fn([&Pose; 2], [&Twist; 2]) -> Twist + 'static,
    ) {
        let (pose, velocity) = (Rc::new(pose), Rc::new(velocity));
        let (component, acceleration) = (self.component, None);
        let derived = Derived { component, a, b, frame, pose, velocity, acceleration };
        self.structure.multibody.derived.push(derived);
    }

    /// Gives the acceleration of the frame that was derived last, which takes fewer operations than
    /// the derivative of its velocity.
    pub fn derived_acceleration(
        &mut self,
        acceleration: impl Fn([&End; 2]) -> Acceleration + 'static,
    ) {
        if let Some(derived) = self.structure.multibody.derived.last_mut() {
            derived.acceleration = Some(Rc::new(acceleration));
        }
    }

    /// Adds `offset` in rad or m to the rotation (or translation) of a joint by its coordinate.
    pub fn offset(&mut self, coordinate: CoordinateId, offset: Ex) {
        self.structure.multibody.coordinates[coordinate].offset = offset;
    }

    /// The rotation (or translation) of a joint in addition to its coordinate, in rad or m.
    pub fn offset_of(&self, coordinate: CoordinateId) -> Ex {
        self.structure.multibody.coordinates[coordinate].offset
    }

    /// States that the axis of a coordinate is given in frame `from`. Its direction in frame `to`
    /// follows from the initial configuration.
    pub fn transported_axis(&mut self, coordinate: CoordinateId, from: FrameEnd, to: FrameEnd) {
        self.structure.multibody.transported.push(Transported { coordinate, from, to });
    }

    /// The acceleration of gravity, in world axes.
    pub fn gravity(&mut self, gravity: Gravity) {
        let gravity = WorldGravity { component: self.component, field: gravity };
        self.structure.multibody.gravity.push(gravity);
    }

    /// A solid that represents the component in pictures, at rest in a frame of the component. The
    /// solid has no other effect. `shape` receives the nominal length of the world in m.
    pub fn shape(&mut self, frame: &'static str, shape: impl FnOnce(Ex) -> Shape) {
        let frame = PortId { component: self.component, port: frame };
        if let Some(shapes) = &mut self.structure.scene {
            shapes.add(self.component, Some(frame), shape);
        }
    }

    /// As [`Contribution::shape`], for a solid at rest in the world.
    pub fn shape_at_rest(&mut self, shape: impl FnOnce(Ex) -> Shape) {
        if let Some(shapes) = &mut self.structure.scene {
            shapes.add(self.component, None, shape);
        }
    }

    /// As [`Contribution::shape`], for a solid that turns about an axis of the frame with a flange;
    /// `name` is that of the solid.
    pub fn turning_shape(
        &mut self,
        (frame, name): (&'static str, &'static str),
        (axis, flange): ([f64; 3], FlangeEnd),
        shape: impl FnOnce(Ex) -> Shape,
    ) {
        let [base, name] = [frame, name].map(|port| PortId { component: self.component, port });
        if let Some(shapes) = &mut self.structure.scene {
            shapes.turning.push(TurningFrame { name, base, axis, flange });
            shapes.add(self.component, Some(name), shape);
        }
    }

    /// The axis of a coordinate, for its shape: as given, or turned by [`Self::transported_axis`].
    pub fn axis_of_shape(&mut self, coordinate: CoordinateId) -> Vector {
        let axis = Vector::from_fn(|_, _| Ex::symbol());
        if let Some(shapes) = &mut self.structure.scene {
            shapes.axes.push((axis, coordinate));
        }
        axis
    }

    /// Whether somebody wants shapes, so that variables that only they need are published.
    pub fn has_scene(&self) -> bool {
        self.structure.scene.is_some()
    }

    /// The frame of the world, the upward direction in this frame, the length in m on which the
    /// default sizes of shapes depend, and the force in N and the torque in N.m of an arrow of 1 m.
    pub fn world_of_shapes(
        &mut self,
        frame: &'static str,
        up: [f64; 3],
        nominal_length: Option<f64>,
        per_metre: [f64; 2],
    ) {
        let world = Some(PortId { component: self.component, port: frame });
        if let Some(shapes) = &mut self.structure.scene {
            (shapes.world, shapes.up) = (world, up);
            (shapes.nominal_length, shapes.per_metre) = (nominal_length, per_metre);
        }
    }
}
