//! Transformations of measured vectors into other axes.

use crate::multibody::resolve::{Axes, ResolveInFrameA, ResolveInFrameAB};
use mechanics::declaration::{group, prelude::*};

group! {
    /// A vector in two systems of axes.
    pub struct Transformed(transformed) {}
    ports {
        /// Frame in which a vector is resolved; used only with FrameResolve
        frame_resolve: Frame,
        /// Vector in the axes of frame_r_in
        r_in: [Input; 3],
    }
    variables {
        /// Vector in the axes of frame_r_out
        r_out: Vector,
    }
}

component! {
    /// Transformation of a vector of the absolute motion of a frame into other axes.
    ///
    /// # Equations
    /// `r_in` and `r_out` are the coordinates of the same vector, in the axes of `frame_r_in` and
    /// in those of `frame_r_out`.
    pub struct TransformAbsoluteVector =
        "Modelica.Mechanics.MultiBody.Sensors.TransformAbsoluteVector" {
        /// Axes in which the input is resolved
        frame_r_in: ResolveInFrameA = ResolveInFrameA::FrameA,
        /// Axes in which the output is resolved
        frame_r_out: ResolveInFrameA = frame_r_in,
        ..transformed,
    }
    ports {
        /// Frame in whose axes a vector can be resolved
        frame_a: Frame,
    }
}

impl Component for TransformAbsoluteVector {
    fn contribute(
        p: TransformAbsoluteVectorParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        c.frame("frame_a");
        transform(c, [p.frame_r_in.into(), p.frame_r_out.into()])
    }
}

component! {
    /// Transformation of a vector of the relative motion of two frames into other axes.
    ///
    /// # Equations
    /// `r_in` and `r_out` are the coordinates of the same vector, in the axes of `frame_r_in` and
    /// in those of `frame_r_out`.
    pub struct TransformRelativeVector =
        "Modelica.Mechanics.MultiBody.Sensors.TransformRelativeVector" {
        /// Axes in which the input is resolved
        frame_r_in: ResolveInFrameAB = ResolveInFrameAB::FrameA,
        /// Axes in which the output is resolved
        frame_r_out: ResolveInFrameAB = frame_r_in,
        ..transformed,
    }
    ports {
        /// Frame in whose axes a vector can be resolved
        frame_a: Frame,
        /// Other frame in whose axes a vector can be resolved
        frame_b: Frame,
    }
}

impl Component for TransformRelativeVector {
    fn contribute(
        p: TransformRelativeVectorParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        c.frame("frame_a");
        c.frame("frame_b");
        transform(c, [p.frame_r_in, p.frame_r_out])
    }
}

fn transform(c: &mut Contribution<'_>, axes: [ResolveInFrameAB; 2]) -> Result<(), Error> {
    let [from, to] = Axes::several(c, axes)?;
    let r_in = c.inputs("r_in")?;
    c.law(move |e| {
        let r_in = e.read_vector(r_in)?;
        let r_out = from.resolve_in(to, e, &r_in);
        e.publish("r_out", &r_out);
        Ok(())
    });
    Ok(())
}
