//! A chain of inertias joined by spring-dampers.
//!
//! At the start the first inertia turns and all others rest; waves run along the chain and back.

use libraries::prelude::*;
use libraries::rotational::*;

/// The model with `n` inertias.
pub fn chain_of_components(m: &mut Assembly, n: usize) {
    chain(m, n, 1e4, 1.0);
}

/// The same with springs so stiff, and so well damped, that explicit methods need tiny steps.
pub fn stiff_chain(m: &mut Assembly, n: usize) {
    chain(m, n, 1e6, 1e6);
}

/// A chain of springs with stiffness `c` in N.m/rad and damping `d` in N.m.s/rad.
fn chain(m: &mut Assembly, n: usize, c: f64, d: f64) {
    let mut last = m.add("inertia1", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(1.0)));
    m.output("w", last.w);
    for i in 2..=n {
        let spring = SpringDamper::new().c(c).d(d).phi_rel(fixed(0.0));
        let spring = m.add(format!("spring{}", i - 1), spring);
        let inertia = m.add(format!("inertia{i}"), Inertia::new().J(1.0).w(fixed(0.0)));
        m.connect(last.flange_b, spring.flange_a);
        m.connect(spring.flange_b, inertia.flange_a);
        last = inertia;
    }
    m.stop_time(1.0);
}
