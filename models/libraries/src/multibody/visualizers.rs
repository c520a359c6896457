//! Solids at rest in a frame that exist only in pictures.

use super::parts::rod;
use mechanics::declaration::{group, prelude::*};
use mechanics::scene::{BODY_COLOR, Length, Shape, ShapeType};
use mechanics::vector::{Vector, constant, norm};

group! {
    /// A solid that exists only in pictures.
    pub struct Picture(picture) {
        /// Whether the solid is drawn
        animation: bool = true,
    }
    ports {
        /// Frame in which the solid rests
        frame_a: Frame,
    }
}

impl Picture {
    /// Adds a solid at rest in `frame_a`; `shape` receives the nominal length of the world in m.
    fn draw(&self, c: &mut Contribution<'_>, shape: impl FnOnce(Ex) -> Shape) {
        if self.animation {
            c.shape("frame_a", shape);
        }
    }
}

/// A solid of a color from a point along a unit vector, with its sizes in m.
fn solid(
    form: ShapeType,
    (r_shape, along): ([f64; 3], [f64; 3]),
    [length, width, height]: [Ex; 3],
    color: [f64; 3],
) -> Shape {
    Shape {
        r_shape: constant(r_shape),
        length: Length::Fixed(length),
        color: color.map(|part| part.round() as u8),
        ..Shape::along(form, constant(along), [width, height])
    }
}

component! {
    /// Picture of the axes of a frame.
    ///
    /// It shows how a part is turned.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct FixedFrame = "Modelica.Mechanics.MultiBody.Visualizers.FixedFrame" {
        /// Length of the arrows along the axes
        length: Real["m", >= 0, structural] = 0.5,
        /// Diameter of the arrows
        diameter: Real["m", >= 0, structural] = length / 40.0,
        /// Color of the arrow along the x-axis: red, green and blue
        color_x: [Real; 3]["1", 0..=255, structural] = [0; 3],
        /// Color of the arrow along the y-axis
        color_y: [Real; 3]["1", 0..=255, structural] = color_x,
        /// Color of the arrow along the z-axis
        color_z: [Real; 3]["1", 0..=255, structural] = color_x,
        ..picture: picture,
    }
}

impl Component for FixedFrame {
    fn contribute(p: FixedFrameParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let size = [p.length, p.diameter, p.diameter].map(Ex::from);
        for (axis, color) in [(X, p.color_x), (Y, p.color_y), (Z, p.color_z)] {
            p.picture.draw(c, |_| solid(ShapeType::Arrow, ([0.0; 3], axis), size, color));
        }
        Ok(())
    }
}

component! {
    /// Picture of an arrow in a frame.
    ///
    /// It shows a direction, for example that of the axis of a joint.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct FixedArrow = "Modelica.Mechanics.MultiBody.Visualizers.FixedArrow" {
        /// Vector from frame_a to the tail of the arrow, resolved in frame_a
        r_tail: [Real; 3]["m", structural] = [0; 3],
        /// Direction of the arrow resolved in frame_a
        n: Axis["1"] = X,
        /// Length of the arrow
        length: Real["m", >= 0, structural] = 0.1,
        /// Color: red, green and blue
        color: [Real; 3]["1", 0..=255, structural] = [0, 0, 255],
        /// Whether the head of the arrow is at r_tail, and not its tail
        head_at_origin "headAtOrigin": bool = false,
        ..picture: picture,
    }
}

impl Component for FixedArrow {
    fn contribute(p: FixedArrowParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let back = if p.head_at_origin { p.length } else { 0.0 };
        let tail = [0, 1, 2].map(|i| p.r_tail[i] - back * p.n[i]);
        p.picture.draw(c, |nominal| {
            let diameter = nominal / 40.0;
            let size = [p.length.into(), diameter, diameter];
            solid(ShapeType::Arrow, (tail, p.n), size, p.color)
        });
        Ok(())
    }
}

component! {
    /// Picture of an arrow whose vector is a signal.
    ///
    /// It shows a quantity that is measured or controlled, such as a wanted direction.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct SignalArrow = "Modelica.Mechanics.MultiBody.Visualizers.SignalArrow" {
        /// Vector from frame_a to the tail of the arrow, resolved in frame_a
        r_tail: [Real; 3]["m", structural] = [0; 3],
        /// Color: red, green and blue
        color: [Real; 3]["1", 0..=255, structural] = [0, 0, 255],
        ..picture: picture,
    }
    ports {
        /// Vector from the tail to the head of the arrow, resolved in frame_a
        r_head: [Input; 3],
    }
}

impl Component for SignalArrow {
    fn contribute(p: SignalArrowParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let r_head = c.inputs("r_head")?;
        c.law(move |e| {
            let vector = e.read_vector(r_head)?;
            let name = e.full("r_head");
            e.model().announce(&name, "m", "Vector of the arrow, resolved in frame_a");
            e.publish("r_head", &vector);
            Ok(())
        });
        p.picture.draw(c, |nominal| {
            let size = [nominal, nominal / 40.0, nominal / 40.0];
            let arrow = solid(ShapeType::Arrow, (p.r_tail, X), size, p.color);
            Shape { length: Length::Vector("r_head"), ..arrow }
        });
        Ok(())
    }
}

group! {
    /// The kind, the place and the color of a solid.
    ///
    /// The kind of the solid is "box", "sphere", "cylinder", "pipe" or "spring". A "beam" is drawn
    /// as a box, and a "cone", a "pipecylinder" or a "gearwheel" as a cylinder. A file with a shape
    /// is not drawn.
    pub struct Appearance(appearance) {
        /// Kind of the solid
        shape_type "shapeType": String = "box",
        /// Vector from frame_a to the beginning of the solid, resolved in frame_a
        r_shape: [Real; 3]["m", structural] = [0; 3],
        /// Direction of the width of the solid resolved in frame_a
        width_direction "widthDirection": Axis["1"] = Y,
        /// Inner diameter of a "pipe" divided by the outer one, or number of windings of a "spring"
        extra: Real["1", structural] = 0,
        /// Color: red, green and blue
        color: [Real; 3]["1", 0..=255, structural] = [0, 128, 255],
    }
}

impl Appearance {
    /// The solid with its axis in a direction and with its sizes in m; `None` if it is not drawn.
    fn solid(&self, along: Vector, size: [Ex; 3]) -> Option<Shape> {
        let (form, hollow) = match self.shape_type.as_str() {
            "box" | "beam" => (ShapeType::Box, false),
            "sphere" => (ShapeType::Sphere, false),
            "cylinder" | "cone" | "pipecylinder" | "gearwheel" => (ShapeType::Cylinder, false),
            "pipe" => (ShapeType::Cylinder, true),
            "spring" => (ShapeType::Spring, true),
            _ => return None,
        };
        Some(Shape {
            length_direction: along,
            width_direction: constant(self.width_direction),
            extra: if hollow { self.extra.into() } else { Ex::zero() },
            ..solid(form, (self.r_shape, X), size, self.color)
        })
    }
}

component! {
    /// Picture of a solid in a frame.
    ///
    /// It shows a part whose mass and inertia are elsewhere, such as the housing of a motor.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct FixedShape = "Modelica.Mechanics.MultiBody.Visualizers.FixedShape" {
        /// Direction of the solid's axis resolved in frame_a
        length_direction "lengthDirection": Axis["1"] = X,
        /// Length of the solid
        length: Real["m", structural],
        /// Width of the solid
        width: Real["m", structural],
        /// Height of the solid
        height: Real["m", structural],
        ..appearance: appearance,
        ..picture: picture,
    }
}

impl Component for FixedShape {
    fn contribute(p: FixedShapeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let size = [p.length, p.width, p.height].map(Ex::from);
        if let Some(shape) = p.appearance.solid(constant(p.length_direction), size) {
            p.picture.draw(c, |_| shape);
        }
        Ok(())
    }
}

component! {
    /// Rigid translation with the picture of a solid.
    ///
    /// It is a massless part of any shape between two joints.
    ///
    /// # Equations
    /// Those of a [`FixedTranslation`](super::FixedTranslation).
    pub struct FixedShape2 = "Modelica.Mechanics.MultiBody.Visualizers.FixedShape2" {
        /// Vector from frame_a to frame_b resolved in frame_a
        r: [Real; 3]["m", fixed] = X,
        /// Direction of the solid's axis resolved in frame_a; the default is along r - r_shape
        length_direction "lengthDirection"?: Axis["1"],
        /// Length of the solid; the default is that of r - r_shape
        length?: Real["m", structural],
        /// Width of the solid
        width: Real["m", structural] = 0.1,
        /// Height of the solid
        height: Real["m", structural] = width,
        ..appearance: appearance,
        ..picture: picture,
    }
    ports {
        /// Frame at the end of the part
        frame_b: Frame,
    }
}

impl Component for FixedShape2 {
    fn contribute(p: FixedShape2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rod(c, p.r);
        let along = p.r - constant(p.appearance.r_shape);
        let length = p.length.map_or_else(|| norm(&along), Ex::from);
        let along = p.length_direction.map_or(along, constant);
        let size = [length, p.width.into(), p.height.into()];
        if let Some(shape) = p.appearance.solid(along, size) {
            p.picture.draw(c, |_| shape);
        }
        Ok(())
    }
}

component! {
    /// Picture of a pipe along the x-axis of a frame.
    ///
    /// It shows a pipe or a rod in which a quantity varies. The colors of this quantity, as the
    /// Modelica Standard Library has them, are not drawn.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct PipeWithScalarField =
        "Modelica.Mechanics.MultiBody.Visualizers.PipeWithScalarField" {
        /// Outer radius of the pipe
        r_outer "rOuter": Real["m", > 0, structural],
        /// Length of the pipe
        length: Real["m", > 0, structural],
        ..picture: picture,
    }
}

impl Component for PipeWithScalarField {
    fn contribute(p: PipeWithScalarFieldParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let size = [p.length, 2.0 * p.r_outer, 2.0 * p.r_outer].map(Ex::from);
        let color = BODY_COLOR.map(f64::from);
        p.picture.draw(c, |_| solid(ShapeType::Cylinder, ([0.0; 3], X), size, color));
        Ok(())
    }
}

component! {
    /// Picture of a ring in a frame.
    ///
    /// It shows a rail, or the rim of a wheel; the axis of the ring is the y-axis.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    ///
    /// The ring is drawn as a whole pipe.
    pub struct Torus = "Modelica.Mechanics.MultiBody.Visualizers.Torus" {
        /// Distance from the centre of the ring to that of its tube
        r_major "R": Real["m", > 0, structural] = 0.5,
        /// Radius of the tube
        r_minor "r": Real["m", > 0, structural] = 0.1,
        /// Color: red, green and blue
        color: [Real; 3]["1", 0..=255, structural] = [0, 128, 255],
        ..picture: picture,
    }
}

impl Component for Torus {
    fn contribute(p: TorusParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let (outer, inner) = (p.r_major + p.r_minor, (p.r_major - p.r_minor).max(0.0));
        let place = ([0.0, -p.r_minor, 0.0], Y);
        let size = [2.0 * p.r_minor, 2.0 * outer, 2.0 * outer].map(Ex::from);
        p.picture.draw(c, |_| Shape {
            extra: (inner / outer).into(),
            ..solid(ShapeType::Cylinder, place, size, p.color)
        });
        Ok(())
    }
}

component! {
    /// Picture of a wheel in a frame.
    ///
    /// It shows a wheel whose mass and contact are elsewhere; its axle is the y-axis.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct VoluminousWheel = "Modelica.Mechanics.MultiBody.Visualizers.VoluminousWheel" {
        /// Radius of the tyre
        r_tire "rTire": Real["m", > 0, structural] = 0.25,
        /// Width of the tyre
        width: Real["m", > 0, structural] = 0.25,
        /// Color: red, green and blue
        color: [Real; 3]["1", 0..=255, structural] = [64, 64, 64],
        ..picture: picture,
    }
}

impl Component for VoluminousWheel {
    fn contribute(p: VoluminousWheelParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let place = ([0.0, -0.5 * p.width, 0.0], Y);
        let size = [p.width, 2.0 * p.r_tire, 2.0 * p.r_tire].map(Ex::from);
        p.picture.draw(c, |_| solid(ShapeType::Wheel, place, size, p.color));
        Ok(())
    }
}

component! {
    /// Picture of a rectangle in a frame.
    ///
    /// It shows a plane, such as a table or a wall.
    ///
    /// # Equations
    /// `frame_a.f = 0`, `frame_a.t = 0`.
    pub struct Rectangle = "Modelica.Mechanics.MultiBody.Visualizers.Rectangle" {
        /// Direction of the first side resolved in frame_a
        direction_u: Axis["1"] = X,
        /// Direction that is not along the first side, in the plane, resolved in frame_a
        direction_v: Axis["1"] = Y,
        /// Length of the first side
        length_u: Real["m", > 0, structural] = 3,
        /// Length of the second side
        length_v: Real["m", > 0, structural] = 1,
        /// Color: red, green and blue
        color: [Real; 3]["1", 0..=255, structural] = [0, 128, 255],
        ..picture: picture,
    }
}

impl Component for Rectangle {
    fn contribute(p: RectangleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        let size = [p.length_u, p.length_v, 0.0].map(Ex::from);
        p.picture.draw(c, |_| Shape {
            width_direction: constant(p.direction_v),
            ..solid(ShapeType::Plane, ([0.0; 3], p.direction_u), size, p.color)
        });
        Ok(())
    }
}
