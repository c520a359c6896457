//! Assemblies of joints: loops whose last coordinate has a solution in closed form.
//!
//! All of them but [`JointUPS`] are two rods with three joints ([`dyad`]); virtual power does the
//! rest, so that no forces of rods appear in them.

mod dyad;
mod rrr;
mod ssr;
mod ups;
mod usr;

pub use rrr::{JointRRP, JointRRPPorts, JointRRR, JointRRRPorts};
pub use ssr::{JointSSP, JointSSPPorts, JointSSR, JointSSRPorts};
pub use ups::{JointUPS, JointUPSPorts};
pub use usr::{JointUSP, JointUSPPorts, JointUSR, JointUSRPorts};

use crate::component::{Contribution, CoordinateId};
use crate::domain::{Domain, Word, word};
use equations::Ex;

static PHI: Word = word("phi", "rad", "Angle from frame_b to frame_ib, without its offset");
static W: Word = word("w", "rad/s", "First derivative of angle phi");
static Z: Word = word("a", "rad/s2", "Second derivative of angle phi");
static S: Word = word("s", "m", "Distance along the joint, without its offset");
static V: Word = word("v", "m/s", "First derivative of s");
static A: Word = word("a", "m/s2", "Second derivative of s");

/// The flanges that are in use: `axis` moves with a coordinate, `bearing` rests.
fn flanges(c: &mut Contribution<'_>, domain: &'static Domain, coordinate: CoordinateId) {
    if c.is_connected("axis") {
        let axis = c.flange(domain, "axis");
        c.axis_flange(axis, coordinate, Ex::zero());
    }
    if c.is_connected("bearing") {
        let bearing = c.flange(domain, "bearing");
        c.linear(&[(bearing, Ex::one())], Ex::zero());
    }
}

/// A parameter that is a constant where it is zero.
fn offset(
    c: &mut Contribution<'_>,
    local: &'static str,
    value: f64,
    unit: &str,
    text: &str,
) -> Result<Ex, crate::error::Error> {
    c.check(local, value, unit, true)?;
    if value == 0.0 {
        c.constant(local, 0.0, unit, text);
        return Ok(Ex::zero());
    }
    Ok(c.parameter(local, value).unit(unit).describe(text).into())
}
