//! Shared parts of sensors: the publication of signals and accelerations, and a rigid connection
//! with its cut torque.

use equations::Ex;
use mechanics::component::Contribution;
use mechanics::domain::Domain;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::coordinates::Motion;
use mechanics::statements::motion::ends::FlangeEnd;

/// Publishes a signal that a law computes.
pub fn publish(
    c: &mut Contribution<'_>,
    local: &'static str,
    law: impl FnOnce(&mut SignalView<'_>) -> Ex + 'static,
) {
    c.signal(local, move |e| {
        let value = law(e);
        e.variable(local, value);
        Ok(value)
    });
}

/// Publishes the second derivative of a position.
pub fn publish_acceleration(
    c: &mut Contribution<'_>,
    local: &'static str,
    motion: impl FnOnce(&mut SignalView<'_>) -> Motion + 'static,
) {
    c.after(move |e| {
        let motion = motion(e);
        let a = e.second_derivative(&motion);
        e.variable(local, a);
        Ok(())
    });
}

/// Joins `flange_a` and `flange_b` rigidly; `show` receives `flange_a` and its cut torque (or
/// force).
pub fn rigid(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    show: impl FnOnce(&mut SignalView<'_>, FlangeEnd, Ex) + 'static,
) {
    let (a, b) = super::two_flanges(c, domain);
    let constraint = c.rigid_flanges(a, b);
    let reaction = c.reaction(constraint);
    c.after(move |e| {
        let flow = e.reaction(reaction);
        show(e, a, flow);
        Ok(())
    });
}
