//! Whole numbers that follow a continuous signal by events.

use super::signal_view::SignalView;
use equations::{Ex, Leaf, differentiate, leaves_of, select, substitute};

impl SignalView<'_> {
    /// The largest whole number that is not larger than `x`, as a discrete variable of this local
    /// name. There is an event where `x` reaches the next whole number, and where `x` falls below
    /// the present one. If `x` grows with time alone, the events are time events.
    pub fn whole(&mut self, local: &str, x: Ex) -> Ex {
        let name = self.full(local);
        let model = self.model();
        let kept = model.memory(&name, 0.0);
        let next = kept.pre() + 1.0;
        let up = match rate_by_time(x) {
            Some(rate) => {
                let begin = substitute(&[x], &[(Ex::leaf(Leaf::Time), Ex::zero())])[0];
                model.time_relation(&format!("{name} up"), (next - begin) / rate)
            }
            None => !model.relation(&format!("{name} up"), next - x).done(),
        };
        let down = model.relation(&format!("{name} down"), kept.pre() - x).done();
        let changed = select(down, x.floor().min(kept.pre() - 1.0), kept.pre());
        let changed = select(up, x.floor().max(next), changed);
        let value = select(model.initial(), x.floor(), changed);
        model.update(kept, value);
        value
    }
}

/// The positive constant rate at which an expression grows, if it depends on time and parameters
/// only.
fn rate_by_time(x: Ex) -> Option<f64> {
    let time = Ex::leaf(Leaf::Time);
    let is_known = |leaf: &Leaf| matches!(leaf, Leaf::Time | Leaf::Parameter(_));
    let rate = differentiate(&[x], &[(time, Ex::one())])[0].constant_value();
    rate.filter(|rate| *rate > 0.0 && leaves_of(&[x]).iter().all(is_known))
}
