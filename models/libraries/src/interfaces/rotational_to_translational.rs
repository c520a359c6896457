//! Ideal transmissions from rotation to translation, each with a housing of its own.

use equations::Ex;
use mechanics::component::Contribution;
use mechanics::declaration::group;
use mechanics::domain::{ROTATIONAL, TRANSLATIONAL};

group! {
    /// The rotating and the sliding flange, and their housings; a support that is not connected is
    /// fixed at zero.
    pub struct RotationalToTranslational(pub rotational_to_translational) {}
    ports {
        /// Rotating shaft
        flange_r "flangeR": Flange,
        /// Sliding rod
        flange_t "flangeT": TranslationalFlange,
        /// Housing that takes the torque
        support_r "supportR": Flange,
        /// Housing that takes the force
        support_t "supportT": TranslationalFlange,
    }
}

/// Relates the motions of `flangeR` and `flangeT`, measured from `supportR` and `supportT` (which
/// are fixed if they are not connected): `r phi = t s`, in m if `r` is in m/rad and `t` has no
/// unit.
///
/// No power is lost: `t flangeR.tau + r flangeT.f = 0`, and each housing takes the reaction of its
/// flange.
pub fn contribute(c: &mut Contribution<'_>, r: Ex, t: Ex) {
    let (flange_r, support_r) =
        (c.flange(&ROTATIONAL, "flangeR"), c.support(&ROTATIONAL, "supportR"));
    let (flange_t, support_t) =
        (c.flange(&TRANSLATIONAL, "flangeT"), c.support(&TRANSLATIONAL, "supportT"));
    c.linear(&[(flange_r, r), (support_r, -r), (flange_t, -t), (support_t, t)], Ex::zero());
}
