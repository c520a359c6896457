//! Fixed start speeds of bodies that other parts hold.

use crate::common::{notes, refusal};
use libraries::multibody::*;
use libraries::prelude::*;

/// A body at a hinge about z, or welded to the world.
fn held(m: &mut Assembly, hinge: Option<Revolute>, body: Body) {
    let world = m.add("world", World::new().g(0));
    let frame = match hinge {
        Some(hinge) => {
            let hinge = m.add("hinge", hinge.n(Z));
            m.connect(world.frame_b, hinge.frame_a);
            hinge.frame_b
        }
        None => world.frame_b,
    };
    let body = m.add("body", body.m(1).r_cm([1, 0, 0]));
    m.connect(frame, body.frame_a);
}

#[test]
fn speeds_that_a_held_body_cannot_have_are_refused() {
    let hinge = Some(Revolute::new());
    for (sentence, hinge, body) in [
        (
            "body.v_0[1]: its fixed start value is wrong by 2 m/s: other parts hold it at rest",
            None,
            Body::new().v_0([fixed(2), free(), free()]),
        ),
        (
            "body.w_a[1]: its fixed start value is wrong by 1 rad/s: other parts hold it at rest",
            None,
            Body::new().w_0_start(fixed_vector([1, 0, 0])),
        ),
        (
            "body.v_0[3]: its fixed start value is wrong by 2 m/s: other parts hold it at rest",
            hinge,
            Body::new().v_0([free(), free(), fixed(2)]),
        ),
    ] {
        assert_eq!(refusal(|m| held(m, hinge, body)), sentence);
    }
}

#[test]
fn speeds_that_a_held_body_has_are_accepted_without_a_note() {
    let rest = fixed_vector([0, 0, 0]);
    let notes = notes(|m| held(m, None, Body::new().w_0_start(rest).v_0(rest)));
    assert!(notes.is_empty(), "{notes:?}");
}
