//! Rigid parts with two frames: a translation, and bodies whose mass follows from a shape.

use super::body::{MassProperties, motion};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::vector::{
    Matrix, Vector, constant, from_nxy, identity, norm, normalize, resolve_dyade1, scale,
};
use crate::{ports, setters};
use equations::Ex;

ports! {
    /// Ports of a rigid part with two frames.
    pub struct RodPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

/// Declares the vector `r` and joins the frames.
fn rod(c: &mut Contribution<'_>, r: [f64; 3]) -> Result<Vector, Error> {
    let text = "Vector from frame_a to frame_b resolved in frame_a";
    let r = c.vector("r", r, "m", text)?;
    let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
    c.rigid(a, b, r, identity());
    Ok(r)
}

/// Fixed translation of `frame_b` with respect to `frame_a`.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' r`, same orientation.
///
/// # Variables
/// `r` in m, resolved in `frame_a`; its zeros are structure.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.FixedTranslation.
#[derive(Clone, Debug)]
pub struct FixedTranslation {
    r: [f64; 3],
}

impl FixedTranslation {
    /// By `r` in m, resolved in `frame_a`.
    pub fn r(r: [f64; 3]) -> Self {
        FixedTranslation { r }
    }
}

impl Component for FixedTranslation {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        rod(c, self.r).map(|_| ())
    }
}

/// Rigid body with mass, inertia tensor and two frames.
///
/// # Equations
/// Those of [`FixedTranslation`] with `r` and of a `Body` named `body` at `frame_a`.
///
/// # Variables
/// `r` and `r_CM` in m, `m` in kg, `I_ij` in kg.m2 about the centre of mass, in the axes of
/// `frame_a`;
/// `r_0`, `v_0`, `a_0` of `frame_a` in world axes, `body.w_a`, `body.z_a` in its own.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BodyShape.
#[derive(Clone, Debug)]
pub struct BodyShape {
    r: [f64; 3],
    mass: MassProperties,
}

impl BodyShape {
    /// From `frame_a` to `frame_b` by `r` in m, with centre of mass `r_CM` in m and mass `m` in kg.
    pub fn r_cm_m(r: [f64; 3], r_cm: [f64; 3], m: f64) -> Self {
        BodyShape { r, mass: MassProperties::new(m, r_cm) }
    }

    /// Inertia tensor: `I_11, I_22, I_33` in kg.m2.
    pub fn inertia(mut self, diagonal: [f64; 3]) -> Self {
        self.mass.diagonal = diagonal;
        self
    }

    /// Products of inertia: `I_21, I_31, I_32` in kg.m2.
    pub fn products(mut self, products: [f64; 3]) -> Self {
        self.mass.products = products;
        self
    }
}

impl Component for BodyShape {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        rod(c, self.r)?;
        let frame = c.frame("frame_a");
        self.mass.declare(c, frame)?;
        motion(c, frame, "", "body.");
        Ok(())
    }
}

/// A shape between two frames: where it begins and where its axis points.
#[derive(Clone, Debug)]
struct Shape {
    r: [f64; 3],
    r_shape: [f64; 3],
    density: f64,
}

/// A shape as expressions.
struct Solid {
    length: Ex,
    r_cm: Vector,
    density: Ex,
    r: Vector,
}

impl Shape {
    fn new(r: [f64; 3]) -> Self {
        Shape { r, r_shape: [0.0; 3], density: 7700.0 }
    }

    fn numeric_length(&self) -> f64 {
        (0..3).map(|i| (self.r[i] - self.r_shape[i]).powi(2)).sum::<f64>().sqrt()
    }

    fn declare(&self, c: &mut Contribution<'_>) -> Result<Solid, Error> {
        let length = self.numeric_length();
        c.check("length", length, "m", length > 0.0)?;
        c.check("density", self.density, "kg/m3", self.density >= 0.0)?;
        let r = rod(c, self.r)?;
        let text = "Vector from frame_a to the beginning of the shape, resolved in frame_a";
        let r_shape = c.vector("r_shape", self.r_shape, "m", text)?;
        let text = "Density of the shape";
        let density =
            c.parameter("density", self.density).unit("kg/m3").describe(text).min(0.0).tunable();
        let density = density.into();
        let along = r - r_shape;
        let length = norm(&along);
        let r_cm = r_shape + scale(&normalize(&along), length * 0.5);
        Ok(Solid { length, r_cm, density, r })
    }
}

/// A size that, unless given, is a fraction of the length.
fn size(c: &mut Contribution<'_>, local: &str, value: f64, text: &str) -> Result<Ex, Error> {
    c.check(local, value, "m", value >= 0.0)?;
    Ok(if value == 0.0 {
        c.constant(local, 0.0, "m", text);
        Ex::zero()
    } else {
        c.parameter(local, value).unit("m").describe(text).min(0.0).into()
    })
}

/// Adds a solid's body with its mass and its inertia along the axes of the shape.
fn solid_body(
    c: &mut Contribution<'_>,
    solid: &Solid,
    width: [f64; 3],
    mass: Ex,
    diagonal: [Ex; 3],
) {
    let t = from_nxy(&solid.r, &constant(width));
    let inertia = resolve_dyade1(&t, &Matrix::from_diagonal(&Vector::from(diagonal)));
    let frame = c.frame("frame_a");
    c.body(frame, mass, solid.r_cm, inertia);
    let (r_cm, length) = (solid.r_cm, solid.length);
    c.law(move |e| {
        e.variable("m", mass).unit("kg").describe("Mass of the body");
        e.variable("length", length).unit("m").describe("Length of the shape");
        let text = "Position vector from frame_a to centre of mass, resolved in frame_a";
        e.vector("r_CM", &r_cm, "m", text);
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let name = e.full(&format!("I[{},{}]", i + 1, j + 1));
            let text = "Inertia tensor about the centre of mass, resolved in frame_a";
            e.model().local(&name, inertia[(i, j)]).unit("kg.m2").describe(text);
        }
        Ok(())
    });
    motion(c, frame, "body.", "body.body.");
}

/// Rigid body with cylinder shape; mass and inertia follow from it.
///
/// # Equations
/// Length `|r - r_shape|`, diameter (default length / 20) and density (default 7700 kg/m3) give
/// mass, centre of mass and inertia.
///
/// # Variables
/// `r`, `r_shape`, `diameter`, `innerDiameter` in m, `density` in kg/m3; `m`, `r_CM`, `I[i,j]`
/// follow.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BodyCylinder.
#[derive(Clone, Debug)]
pub struct BodyCylinder {
    shape: Shape,
    diameter: Option<f64>,
    inner_diameter: f64,
}

impl BodyCylinder {
    /// From `frame_a` to `frame_b` by `r` in m, resolved in `frame_a`.
    pub fn r(r: [f64; 3]) -> Self {
        BodyCylinder { shape: Shape::new(r), diameter: None, inner_diameter: 0.0 }
    }

    /// Where the cylinder begins, from `frame_a`, in m.
    pub fn r_shape(mut self, r_shape: [f64; 3]) -> Self {
        self.shape.r_shape = r_shape;
        self
    }

    /// Density in kg/m3.
    pub fn density(mut self, density: f64) -> Self {
        self.shape.density = density;
        self
    }
}

setters! {
    impl BodyCylinder {
        /// Diameter in m.
        diameter: Option<f64>,
        /// Diameter of the bore in m.
        inner_diameter: f64,
    }
}

impl Component for BodyCylinder {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let solid = self.shape.declare(c)?;
        let diameter = self.diameter.unwrap_or(self.shape.numeric_length() / 20.0);
        if self.inner_diameter > diameter {
            let why = format!("{} m exceeds the diameter {diameter} m", self.inner_diameter);
            return Err(c.refuse("innerDiameter", why));
        }
        let outer = size(c, "diameter", diameter, "Diameter of the cylinder")? * 0.5;
        let inner = size(c, "innerDiameter", self.inner_diameter, "Inner diameter")? * 0.5;
        let (l2, o2, i2) = (solid.length.square(), outer.square(), inner.square());
        let cylinder = |r2: Ex| solid.density * std::f64::consts::PI * solid.length * r2;
        let (mo, mi) = (cylinder(o2), cylinder(i2));
        let across = (mo * (l2 + o2 * 3.0) - mi * (l2 + i2 * 3.0)) / 12.0;
        let axial = (mo * o2 - mi * i2) * 0.5;
        solid_body(c, &solid, crate::vector::Y, mo - mi, [axial, across, across]);
        Ok(())
    }
}

/// Rigid body with box shape; mass and inertia follow from it.
///
/// # Equations
/// Length `|r - r_shape|`, width (default length / 20), height (default width) and density (default
/// 7700 kg/m3) give mass, centre of mass and inertia.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BodyBox.
#[derive(Clone, Debug)]
pub struct BodyBox {
    shape: Shape,
    width_direction: [f64; 3],
    width: Option<f64>,
    height: Option<f64>,
    inner_width: f64,
    inner_height: Option<f64>,
}

impl BodyBox {
    /// From `frame_a` to `frame_b` by `r` in m, resolved in `frame_a`.
    pub fn r(r: [f64; 3]) -> Self {
        BodyBox {
            shape: Shape::new(r),
            width_direction: crate::vector::Y,
            width: None,
            height: None,
            inner_width: 0.0,
            inner_height: None,
        }
    }

    /// Where the box begins, from `frame_a`, in m.
    pub fn r_shape(mut self, r_shape: [f64; 3]) -> Self {
        self.shape.r_shape = r_shape;
        self
    }

    /// Density in kg/m3.
    pub fn density(mut self, density: f64) -> Self {
        self.shape.density = density;
        self
    }
}

setters! {
    impl BodyBox {
        /// Direction of the width, resolved in `frame_a`.
        width_direction: [f64; 3],
        /// Width in m.
        width: Option<f64>,
        /// Height in m.
        height: Option<f64>,
        /// Width of the hollow in m.
        inner_width: f64,
        /// Height of the hollow in m; by default its width.
        inner_height: Option<f64>,
    }
}

impl Component for BodyBox {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let solid = self.shape.declare(c)?;
        c.axis("widthDirection", self.width_direction, "Direction of the width of the box")?;
        let width = self.width.unwrap_or(self.shape.numeric_length() / 20.0);
        let height = self.height.unwrap_or(width);
        let inner_height = self.inner_height.unwrap_or(self.inner_width);
        if self.inner_width > width || inner_height > height {
            let why = format!(
                "the hollow of {} m by {inner_height} m does not fit into the box of {width} m by \
                 {height} m",
                self.inner_width
            );
            return Err(c.refuse("innerWidth", why));
        }
        let w = size(c, "width", width, "Width of the box")?;
        let h = size(c, "height", height, "Height of the box")?;
        let wi = size(c, "innerWidth", self.inner_width, "Width of the hollow")?;
        let hi = size(c, "innerHeight", inner_height, "Height of the hollow")?;
        let brick = |w: Ex, h: Ex| solid.density * solid.length * w * h;
        let (mo, mi) = (brick(w, h), brick(wi, hi));
        let (l2, w2, h2) = (solid.length.square(), w.square(), h.square());
        let (wi2, hi2) = (wi.square(), hi.square());
        let moment = |a: Ex, b: Ex, ai: Ex, bi: Ex| (mo * (a + b) - mi * (ai + bi)) / 12.0;
        let diagonal = [moment(w2, h2, wi2, hi2), moment(l2, h2, l2, hi2), moment(l2, w2, l2, wi2)];
        solid_body(c, &solid, self.width_direction, mo - mi, diagonal);
        Ok(())
    }
}
