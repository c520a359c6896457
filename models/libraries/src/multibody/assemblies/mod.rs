//! Assemblies of joints: loops whose last coordinate has a solution in closed form.
//!
//! All of them except [`JointUPS`] consist of two rods with three joints ([`dyad`]). Forces of rods
//! are computed only for variables and for the power balance ([`power_balance`]), because virtual
//! power does not require them.

mod dyad;
mod planar_rod;
mod power_balance;
mod rrr;
mod ssr;
mod ups;
mod usr;

pub use rrr::*;
pub use ssr::*;
pub use ups::*;
pub use usr::*;

use crate::multibody::joints;
use mechanics::component::{Contribution, CoordinateId};
use mechanics::domain::{Domain, Word, word};
use power_balance::DrivenAxis;

static PHI: Word = word("phi", "rad");
static W: Word = word("w", "rad/s");
static Z: Word = word("a", "rad/s2");
static S: Word = word("s", "m");
static V: Word = word("v", "m/s");
static A: Word = word("a", "m/s2");

/// The connected flanges `axis` and `bearing` (see [`joints::flanges`]). If `asked`, returns `axis`
/// with its torque (or force).
fn flanges(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    coordinate: CoordinateId,
    asked: bool,
) -> Option<DrivenAxis> {
    let (end, constraint) = joints::flanges(c, domain, "bearing", coordinate)?;
    asked.then(|| DrivenAxis { end, reaction: c.reaction(constraint) })
}
