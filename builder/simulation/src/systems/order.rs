//! The order in which the FMUs of a system make their steps one after the other.

use super::wiring::Wiring;

/// The parts in an order in which as few inputs as possible come from later parts: where the
/// connections contain no circle, each part follows its sources. The order of the description
/// decides among parts that are equal.
pub fn sequence(wiring: &Wiring) -> Vec<usize> {
    let n = wiring.parts.len();
    let mut order = Vec::with_capacity(n);
    let mut placed = vec![false; n];
    while order.len() < n {
        let waiting = |part: usize| {
            let inputs = wiring.links.iter().filter(|link| link.to.part == part);
            inputs.filter(|link| link.from.part != part && !placed[link.from.part]).count()
        };
        let next = (0..n).filter(|part| !placed[*part]).min_by_key(|part| waiting(*part));
        let Some(next) = next else { break };
        placed[next] = true;
        order.push(next);
    }
    order
}
