//! A slider-crank with each of the assemblies that can drive its slider, and with single joints.

use crate::common::linkages::{Closing, assert_same, move_freely};
use crate::common::{start, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::{rotational, translational};

/// The connection between the crank and the slider.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rod {
    Joints,
    Planar,
    Rrp,
    Ssp,
    Usp,
}

const CRANK: f64 = 0.1;
const ROD: f64 = 0.3;
const SLIDER: [f64; 3] = [0.04, 0.0, 0.0];

/// A crank with a flywheel behind a gear; the rod is massless, the piston works against a spring.
fn engine(m: &mut Assembly, rod: Rod) {
    let world = m.add("world", World::new());
    let crank = m.add("crank", Revolute::new().n(Z).phi(fixed(0.7)).w(fixed(20.0)).states(Always));
    let arm =
        BodyShape::new().r([CRANK, 0.0, 0.0]).r_cm([0.03, 0.0, 0.0]).m(0.8).inertia([0.001; 3]);
    let arm = m.add("arm", arm);
    let piston = m.add("piston", Body::new().m(0.5).r_cm([0.02, 0.0, 0.0]));
    let spring = m.add("spring", translational::Spring::new().c(300.0).s_rel0(0.35));
    let gear = m.add("gear", rotational::IdealGear::new().ratio(-3.0));
    let flywheel = m.add("flywheel", rotational::Inertia::new().J(1e-3));
    m.connect(world.frame_b, crank.frame_a);
    m.connect(crank.frame_b, arm.frame_a);
    m.connect(crank.axis, gear.flange_b);
    m.connect(gear.flange_a, flywheel.flange_b);
    let (pin, base) = (arm.frame_b, world.frame_b);
    let (axis, support, on_slider) = match rod {
        Rod::Joints | Rod::Planar => {
            let pin_ = m.add("pin", Revolute::new().n(Z).phi(guess(-0.7)));
            let bar = m.add("bar", FixedTranslation::new().r([ROD, 0.0, 0.0]));
            let slide = m.add("slide", Prismatic::new().n(X).s(guess(0.3)));
            let end = m.add("end", FixedTranslation::new().r(SLIDER));
            m.connect(pin, pin_.frame_a);
            m.connect(pin_.frame_b, bar.frame_a);
            m.connect(base, slide.frame_a);
            m.connect(slide.frame_b, end.frame_a);
            let wrist = if rod == Rod::Joints { Closing::Revolute } else { Closing::Planar };
            wrist.close(m, "wrist", Z, [bar.frame_b, end.frame_b]);
            (slide.axis, slide.support, slide.frame_b)
        }
        Rod::Rrp => {
            let joint =
                JointRRP::new().r_rod1_ia([ROD, 0.0, 0.0]).r_rod2_ib(SLIDER).n_b(X).s_guess(0.3);
            let joint = m.add("slide", joint);
            m.connect(pin, joint.frame_a);
            m.connect(base, joint.frame_b);
            (joint.axis, joint.bearing, joint.frame_ib)
        }
        Rod::Ssp => {
            let joint = JointSSP::new().rod1_length(ROD).n_b(X).r_rod2_ib(SLIDER).s_guess(0.3);
            let joint = m.add("slide", joint);
            m.connect(pin, joint.frame_a);
            m.connect(base, joint.frame_b);
            (joint.axis, joint.bearing, joint.frame_ib)
        }
        Rod::Usp => {
            let joint = JointUSP::new()
                .r_rod1_ia([0.0, ROD, 0.0])
                .r_rod2_ib(SLIDER)
                .n1_a(Z)
                .n_b(X)
                .s_guess(0.3);
            let joint = m.add("slide", joint);
            m.connect(pin, joint.frame_a);
            m.connect(base, joint.frame_b);
            (joint.axis, joint.bearing, joint.frame_ib)
        }
    };
    m.connect(on_slider, piston.frame_a);
    m.connect(axis, spring.flange_b);
    m.connect(support, spring.flange_a);
}

#[test]
fn a_slider_crank_moves_alike_and_as_geometry_says_with_every_assembly() {
    let mut models = [Rod::Joints, Rod::Planar, Rod::Rrp, Rod::Ssp, Rod::Usp]
        .map(|rod| start(|m| engine(m, rod)));
    for model in &mut models {
        assert_eq!(model.continuous_states().len(), 2);
        move_freely(model, 1.0, 5e-4, |model| {
            let (phi, w) = (value(model, "crank.phi"), value(model, "crank.w"));
            let (x, y) = (CRANK * phi.cos(), CRANK * phi.sin());
            let along = (ROD * ROD - y * y).sqrt();
            let (s, v) = (value(model, "slide.s"), value(model, "slide.v"));
            assert!((s + SLIDER[0] - x - along).abs() < 1e-12, "{s}");
            assert!((v + y * w + y * x * w / along).abs() < 1e-10, "{v}");
        });
    }
    let [one, others @ ..] = &mut models;
    let names = ["crank.phi", "crank.w", "slide.a", "spring.f", "flywheel.w", "piston.a_0[1]"];
    for other in others {
        assert_same(one, other, &names, 1e-9);
    }
}
