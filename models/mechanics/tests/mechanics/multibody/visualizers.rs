//! Solids that exist only in pictures.

use super::scene::{assert_numbers, assert_size, names_are_variables, scene, shapes};
use crate::common::{start, step};
use libraries::multibody::*;
use libraries::prelude::*;
use mechanics::Assembly;

/// A pendulum with solids at its end.
fn pendulum(m: &mut Assembly) -> Frame {
    add! { m,
        world: World::new().nominal_length(2.0),
        joint: Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(1)),
        arm: BodyCylinder::new().r([0.5, 0.0, 0.0]),
    }
    m.chain((world.frame_b, joint, arm.frame_a));
    arm.frame_b
}

fn drawn(m: &mut Assembly) {
    let end = pendulum(m);
    let motor = FixedShape::new().length(0.2).width(0.1).height(0.05).r_shape([0.0, 0.1, 0.0]);
    add! { m,
        axes: FixedFrame::new().length(0.4).color_y([0, 255, 0]),
        tail: FixedArrow::new().n([0.0, 0.0, 2.0]).length(0.3).color([255, 0, 0]),
        head: FixedArrow::new().n(Z).length(0.3).r_tail([0.0, 0.1, 0.0]).head_at_origin(true),
        motor: motor.length_direction(Y).width_direction([1.0, 1.0, 0.0]),
        pipe: FixedShape::new().shape_type("pipe").length(0.2).width(0.1).height(0.1).extra(0.8),
        file: FixedShape::new().shape_type("modelica://engine.obj").length(1).width(1).height(1),
        ring: Torus::new().r_major(0.4).r_minor(0.1),
        wheel: VoluminousWheel::new(),
        wall: Rectangle::new().direction_v([1.0, 0.0, 1.0]).length_u(2).length_v(1),
        sine: Sine::new().amplitude(0.3).f(1),
        still: Constant::new().k(0),
        signal: SignalArrow::new().r_tail([0.0, 0.1, 0.0]),
        hidden: FixedFrame::new().animation(false),
    }
    for frame in [axes.frame_a, tail.frame_a, head.frame_a, motor.frame_a, pipe.frame_a] {
        m.connect(end, frame);
    }
    for frame in [file.frame_a, ring.frame_a, wheel.frame_a, wall.frame_a, hidden.frame_a] {
        m.connect(end, frame);
    }
    m.connect(end, signal.frame_a);
    for (value, input) in [sine.y, still.y, still.y].into_iter().zip(signal.r_head) {
        m.connect(value, input);
    }
}

#[test]
fn visualizers_have_the_given_place_size_and_color() {
    let scene = scene(drawn);
    let [x, y, z] = shapes(&scene, "axes")[..] else { panic!("three arrows") };
    for (arrow, direction) in [(x, [1.0, 0.0, 0.0]), (y, [0.0, 1.0, 0.0]), (z, [0.0, 0.0, 1.0])] {
        assert_eq!(
            (&arrow["shapeType"], &arrow["frame"]),
            (&"arrow".into(), &"axes.frame_a".into())
        );
        assert_numbers(&arrow["lengthDirection"], &direction);
        assert_size(arrow, [0.4, 0.01, 0.01]);
    }
    assert_numbers(&y["color"], &[0.0, 255.0, 0.0]);
    assert_numbers(&z["color"], &[0.0; 3]);
    let one = |name| {
        let [shape] = shapes(&scene, name)[..] else { panic!("one shape") };
        shape
    };
    let [tail, head, motor, pipe] = ["tail", "head", "motor", "pipe"].map(one);
    assert_numbers(&tail["lengthDirection"], &[0.0, 0.0, 1.0]);
    assert_numbers(&tail["r_shape"], &[0.0; 3]);
    assert_numbers(&tail["color"], &[255.0, 0.0, 0.0]);
    assert_size(tail, [0.3, 0.05, 0.05]);
    assert_numbers(&head["r_shape"], &[0.0, 0.1, -0.3]);
    assert_eq!(motor["shapeType"], "box");
    assert_size(motor, [0.2, 0.1, 0.05]);
    assert_numbers(&motor["widthDirection"], &[1.0, 0.0, 0.0]);
    assert_numbers(&motor["color"], &[0.0, 128.0, 255.0]);
    assert_eq!((&pipe["shapeType"], &pipe["extra"]), (&"cylinder".into(), &0.8.into()));
    let [ring, wheel, wall] = ["ring", "wheel", "wall"].map(one);
    assert_size(ring, [0.2, 1.0, 1.0]);
    assert!((ring["extra"].as_f64().unwrap() - 0.6).abs() < 1e-15);
    assert_size(wheel, [0.25, 0.5, 0.5]);
    assert_numbers(&wheel["r_shape"], &[0.0, -0.125, 0.0]);
    assert_numbers(&wheel["lengthDirection"], &[0.0, 1.0, 0.0]);
    assert_size(wall, [2.0, 1.0, 0.0]);
    assert_numbers(&wall["widthDirection"], &[0.0, 0.0, 1.0]);
    let signal = one("signal");
    assert_eq!((&signal["vector"][0], &signal["scale"]), (&"signal.r_head[1]".into(), &1.0.into()));
    assert_eq!(signal["resolved"], "frame");
    assert!(shapes(&scene, "file").is_empty() && shapes(&scene, "hidden").is_empty());
    names_are_variables(drawn);
}

#[test]
fn a_shape_with_two_frames_is_a_rigid_part() {
    let text = |m: &mut Assembly, shape: bool| {
        add! { m,
            world: World::new().nominal_length(1.0),
            joint: Revolute::new().n(Z).phi(fixed(0.3)).w(fixed(1)),
            end: Body::new().m(1).r_cm([0; 3]),
        }
        let r = [0.3, 0.4, 0.0];
        let [a, b] = if shape {
            let part = FixedShape2::new().r(r).shape_type("cylinder").r_shape([0.0, 0.1, 0.0]);
            let part = m.add("part", part.width(0.05));
            [part.frame_a, part.frame_b]
        } else {
            let part = m.add("part", FixedTranslation::new().r(r));
            [part.frame_a, part.frame_b]
        };
        m.chain((world.frame_b, joint, a));
        m.connect(b, end.frame_a);
    };
    let states = [true, false].map(|shape| {
        let mut model = start(|m| text(m, shape));
        step(&mut model, 0.5);
        model.continuous_states().to_vec()
    });
    assert_eq!(states[0], states[1]);
    let drawn = scene(|m| {
        add! { m,
            world: World::new(),
            part: FixedShape2::new().r([0.3, 0.5, 0.0]).r_shape([0.0, 0.1, 0.0]).width(0.05),
            pipe: PipeWithScalarField::new().r_outer(0.2).length(1.5),
        }
        m.chain((world.frame_b, part, pipe.frame_a));
    });
    let [part] = shapes(&drawn, "part")[..] else { panic!("one shape") };
    assert_size(part, [0.5, 0.05, 0.05]);
    assert_numbers(&part["lengthDirection"], &[0.6, 0.8, 0.0]);
    let [pipe] = shapes(&drawn, "pipe")[..] else { panic!("one shape") };
    assert_size(pipe, [1.5, 0.4, 0.4]);
}

#[test]
fn visualizers_change_no_bit_of_the_motion() {
    let run = |text: fn(&mut Assembly)| {
        let mut model = start(text);
        step(&mut model, 0.5);
        model.continuous_states().to_vec()
    };
    let plain = run(|m| {
        pendulum(m);
    });
    assert_eq!(plain, run(drawn));
}
