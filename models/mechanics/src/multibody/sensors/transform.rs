//! Transformations of measured vectors into other axes.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::multibody::resolve::{Axes, ResolveInFrameA, ResolveInFrameAB};
use crate::{ports, setters};

/// Transformation of a vector of the absolute motion of a frame into other axes.
///
/// # Equations
/// `r_out` is, in the axes of `frame_r_out`, the vector that `r_in` is in those of `frame_r_in`.
///
/// # Variables
/// Input `r_in[3]` and output `r_out[3]`, of any unit. `frame_r_in` is `frame_a`, and `frame_r_out`
/// the same, unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.TransformAbsoluteVector.
#[derive(Clone, Debug)]
pub struct TransformAbsoluteVector {
    frame_r_in: ResolveInFrameA,
    frame_r_out: Option<ResolveInFrameA>,
}

ports! {
    /// Ports and variables of a [`TransformAbsoluteVector`].
    pub struct TransformAbsoluteVectorPorts {
        /// A frame in whose axes a vector can be resolved.
        frame_a: frame,
        /// A frame in which a vector is resolved, with that choice only.
        frame_resolve: frame,
        /// The vector.
        r_in: inputs,
        /// The same vector in other axes.
        r_out: vector,
    }
}

impl Default for TransformAbsoluteVector {
    fn default() -> Self {
        TransformAbsoluteVector { frame_r_in: ResolveInFrameA::FrameA, frame_r_out: None }
    }
}

setters! {
    impl TransformAbsoluteVector {
        /// Axes in which the input is resolved.
        frame_r_in: ResolveInFrameA,
        /// Axes in which the output is resolved.
        frame_r_out: Option<ResolveInFrameA>,
    }
}

impl OldComponent for TransformAbsoluteVector {
    type Ports = TransformAbsoluteVectorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        transform(c, self.frame_r_in, self.frame_r_out.unwrap_or(self.frame_r_in))
    }
}

/// Transformation of a vector of the relative motion of two frames into other axes.
///
/// # Equations
/// `r_out` is, in the axes of `frame_r_out`, the vector that `r_in` is in those of `frame_r_in`.
///
/// # Variables
/// Input `r_in[3]` and output `r_out[3]`, of any unit. `frame_r_in` is `frame_a`, and `frame_r_out`
/// the same, unless given.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Sensors.TransformRelativeVector.
#[derive(Clone, Debug)]
pub struct TransformRelativeVector {
    frame_r_in: ResolveInFrameAB,
    frame_r_out: Option<ResolveInFrameAB>,
}

ports! {
    /// Ports and variables of a [`TransformRelativeVector`].
    pub struct TransformRelativeVectorPorts {
        /// A frame in whose axes a vector can be resolved.
        frame_a: frame,
        /// Another one.
        frame_b: frame,
        /// A frame in which a vector is resolved, with that choice only.
        frame_resolve: frame,
        /// The vector.
        r_in: inputs,
        /// The same vector in other axes.
        r_out: vector,
    }
}

impl Default for TransformRelativeVector {
    fn default() -> Self {
        TransformRelativeVector { frame_r_in: ResolveInFrameAB::FrameA, frame_r_out: None }
    }
}

setters! {
    impl TransformRelativeVector {
        /// Axes in which the input is resolved.
        frame_r_in: ResolveInFrameAB,
        /// Axes in which the output is resolved.
        frame_r_out: Option<ResolveInFrameAB>,
    }
}

impl OldComponent for TransformRelativeVector {
    type Ports = TransformRelativeVectorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.frame("frame_a");
        c.frame("frame_b");
        transform(c, self.frame_r_in, self.frame_r_out.unwrap_or(self.frame_r_in))
    }
}

fn transform(
    c: &mut Contribution<'_>,
    from: impl Into<ResolveInFrameAB>,
    to: impl Into<ResolveInFrameAB>,
) -> Result<(), Error> {
    let [from, to] = Axes::several(c, [from.into(), to.into()])?;
    let r_in = c.inputs("r_in")?;
    c.law(move |e| {
        let r_in = e.read_vector(r_in)?;
        let r_out = from.resolve_in(to, e, &r_in);
        for (i, local) in ["r_out[1]", "r_out[2]", "r_out[3]"].into_iter().enumerate() {
            e.variable(local, r_out[i]).describe("Vector in the axes of frame_r_out");
        }
        Ok(())
    });
    Ok(())
}
