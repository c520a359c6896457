//! What the build says about linkages that are not as they should be.

use crate::common::{TOLERANCE, notes, program, refusal, simulation_of};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::{self, ConstantSpeed};
use mechanics::add;

/// A planar four-bar linkage whose crank starts at 1 rad.
struct FourBar {
    /// Lengths of crank, coupler and rocker, in m; the ground has 0.4 m.
    lengths: [f64; 3],
    /// The joint between ground and crank.
    near: Revolute,
    /// The joint between crank and coupler.
    elbow: Revolute,
    /// The joint between ground and rocker.
    far: Revolute,
}

impl Default for FourBar {
    fn default() -> FourBar {
        let pin = |start: f64| Revolute::new().n(Z).phi(guess(start));
        let near = Revolute::new().n(Z).phi(fixed(1)).w(fixed(10)).states(Always);
        FourBar { lengths: [0.1, 0.35, 0.25], near, elbow: pin(-0.51), far: pin(1.72) }
    }
}

impl FourBar {
    /// Adds the linkage; returns the axes of its crank and of its rocker, and the end of its
    /// coupler.
    fn add_to(self, m: &mut Assembly, name: &str) -> ([Flange; 2], Frame) {
        let [crank, coupler, rocker] = self.lengths.map(|length| {
            let body = BodyShape::new().r([length, 0.0, 0.0]).r_cm([0.5 * length, 0.0, 0.0]);
            body.m(0.2).I_33(1e-3)
        });
        let of = |part: &str| format!("{name}{part}");
        add! { m,
            ground [of("ground")]: Fixed::new(),
            far_ground [of("far_ground")]: Fixed::new().r([0.4, 0.0, 0.0]),
            crank [of("crank")]: crank,
            coupler [of("coupler")]: coupler,
            rocker [of("rocker")]: rocker,
            j1 [of("j1")]: self.near,
            j2 [of("j2")]: self.elbow,
            j3 [of("j3")]: Revolute::new().n(Z).phi(guess(1.23)),
            j4 [of("j4")]: self.far,
        }
        m.chain((ground.frame_b, j1, crank, j2, coupler, j3, rocker.frame_b));
        m.chain((far_ground.frame_b, j4, rocker.frame_a));
        ([j1.axis, j4.axis], coupler.frame_b)
    }
}

/// The sentence with which a linkage is refused.
fn refused(linkage: FourBar) -> String {
    refusal(|m| {
        m.add("world", World::new());
        linkage.add_to(m, "");
    })
}

#[test]
fn a_joint_that_hangs_in_the_air_is_named_by_its_open_frame() {
    let message = refusal(|m| {
        add! { m,
            world: World::new(),
            pin: Revolute::new().n(Z).phi(fixed(0)).w(fixed(0)),
            rod: BodyCylinder::new().r([1, 0, 0]).diameter(0.05),
        }
        m.connect(pin.frame_b, rod.frame_a);
    });
    let sentence = "pin.frame_a: this frame is connected to nothing, so pin moves nothing that has \
                    mass; connect it to a part, or to a World";
    assert_eq!(message, sentence);
}

#[test]
fn sources_that_prescribe_more_motions_than_a_loop_has_are_all_named() {
    let sentence = "mot1, mot2: they prescribe motions that depend on each other through loops with \
                    fewer degrees of freedom: leave one of them out";
    // With the first lengths the loop is open at the start, with the others it is closed there.
    for (lengths, start) in [([0.1, 0.35, 0.25], 1.72), ([0.1, 0.4, 0.1], 1.0)] {
        let message = refusal(|m| {
            m.add("world", World::new());
            let far = Revolute::new().n(Z).phi(fixed(start));
            let linkage = FourBar { lengths, far, ..FourBar::default() };
            let (axes, _) = linkage.add_to(m, "");
            for (k, axis) in axes.into_iter().enumerate() {
                let source = ConstantSpeed::new().w_fixed(10 - 7 * k as i32);
                let source = m.add(format!("mot{}", k + 1), source);
                m.connect(source.flange, axis);
            }
        });
        assert_eq!(message, sentence);
    }
    let accepted = notes(|m| {
        m.add("world", World::new());
        // A second motion in another loop is no contradiction.
        let crank = || FourBar { near: Revolute::new().n(Z).phi(fixed(1)), ..FourBar::default() };
        let [axes, others] = ["a.", "b."].map(|name| crank().add_to(m, name).0);
        for (name, axis) in [("mot1", axes[0]), ("mot2", others[0])] {
            let source = m.add(name, ConstantSpeed::new().w_fixed(3));
            m.connect(source.flange, axis);
        }
    });
    assert!(accepted.iter().all(|note| !note.contains("prescribe")), "{accepted:?}");
}

#[test]
fn a_state_that_cannot_be_one_says_what_determines_it() {
    let far = Revolute::new().n(Z).phi(guess(1.72)).states(Always);
    let message = refused(FourBar { far, ..FourBar::default() });
    let sentence = "j4.phi: it cannot be a state as wanted, because in the loop closed by j3 it \
                    follows from j1.phi";
    assert_eq!(message, sentence);

    let driven = refusal(|m| {
        m.add("world", World::new());
        let (axes, _) = FourBar::default().add_to(m, "");
        let motor = m.add("motor", ConstantSpeed::new().w_fixed(3));
        m.connect(motor.flange, axes[0]);
    });
    let sentence = "j1.phi: it cannot be a state as wanted, because motor prescribes its motion";
    assert_eq!(driven, sentence);
}

#[test]
fn a_start_value_at_a_dead_point_is_not_called_one_too_many() {
    let message = refusal(|m| {
        let rod = |l: f64| BodyShape::new().r([l, 0.0, 0.0]).r_cm([0.5 * l, 0.0, 0.0]).m(0.4);
        add! { m,
            world: World::new(),
            crank: rod(0.05).I_33(0.002),
            rod: rod(0.15).I_33(0.00075),
            piston: Body::new().m(0.3).r_cm([0.0; 3]),
            j1: Revolute::new().n(Z),
            j2: Revolute::new().n(Z),
            guide: Prismatic::new().n(X).s(fixed(0.2)).v(fixed(0)),
            j3: Revolute::new().n(Z),
        }
        m.chain((world.frame_b, j1, crank, j2, rod, j3, piston.frame_a));
        m.chain((world.frame_b, guide, piston.frame_a));
    });
    let sentence = "guide.s: its fixed start value is at a dead point of the loop closed by j3, \
                    where it does not determine the other coordinates: fix one of those instead";
    assert!(message.starts_with(sentence), "{message}");
}

#[test]
fn linkages_that_cannot_be_closed_say_the_least_gap() {
    let short = refused(FourBar { lengths: [0.1, 0.05, 0.25], ..FourBar::default() });
    // The crank pin is 0.3561 m away from the joint of the rocker, which is 0.3 m too far.
    let gap = "j4: the loop cannot be closed with the fixed start value j1.phi = 1 rad: a gap of \
               0.0561 m remains, along [-0.97, 0.24, 0.00] of the world; ";
    let advice = "without it the loop closes, as at j1.phi = 0.0000 rad, but cannot move: check the \
                  lengths and the axes of the joints";
    assert_eq!(short, format!("{gap}{advice}"));

    let askew = Revolute::new().n(X).phi(guess(-0.51));
    let askew = refused(FourBar { elbow: askew, ..FourBar::default() });
    assert!(askew.contains(" m remains, along ") && askew.contains("but cannot move"), "{askew}");

    let locked = refusal(|m| {
        m.add("world", World::new());
        let (_, coupler) = FourBar::default().add_to(m, "");
        add! { m,
            diagonal: BodyShape::new().r([0.3, 0.0, 0.0]).m(0.1).r_cm([0.15, 0.0, 0.0]),
            low: Revolute::new().n(Z),
            high: Revolute::new().n(Z),
            foot: Fixed::new(),
        }
        m.chain((foot.frame_b, low, diagonal, high, coupler));
    });
    assert!(locked.contains("but cannot move: check the lengths"), "{locked}");
}

#[test]
fn a_gap_is_a_distance_or_an_angle_with_its_unit() {
    let said = |r: [f64; 3], turned: f64, joint: &dyn Fn(&mut Assembly) -> [Frame; 2]| {
        refusal(|m| {
            let axis = FixedRotation::new().r(r).n(Z).angle(turned);
            add! { m, world: World::new(), there: axis }
            let [a, b] = joint(m);
            m.connect(world.frame_b, there.frame_a);
            m.connect(world.frame_b, a);
            m.connect(there.frame_b, b);
        })
    };
    let guide = |m: &mut Assembly| {
        let guide = m.add("guide", Prismatic::new().n(X));
        [guide.frame_a, guide.frame_b]
    };
    let pin = |m: &mut Assembly| {
        let pin = m.add("pin", Revolute::new().n(X));
        [pin.frame_a, pin.frame_b]
    };
    let rod = |m: &mut Assembly| {
        let rod = m.add("rod", FixedTranslation::new().r([1.0, 0.0, 0.0]));
        [rod.frame_a, rod.frame_b]
    };
    let stuck = "it joins parts that cannot move, and a gap of";
    let across = said([0.7, 0.3, 0.4], 0.0, &guide);
    let wanted = "0.5 m remains, along [0.00, 0.60, 0.80] of the world";
    assert_eq!(across, format!("guide: {stuck} {wanted}"));
    // 40 and 140 degrees have the same sine.
    for (degrees, radians) in [(40.0, "0.698"), (140.0, "2.44")] {
        let askew = said([0.0; 3], degrees, &pin);
        assert_eq!(askew, format!("pin: {stuck} {radians} rad remains"));
        let rigid = said([1.0, 0.3, 0.4], degrees, &rod);
        assert!(rigid.ends_with(&format!(": a gap of 0.5 m and {radians} rad")), "{rigid}");
    }
}

#[test]
fn equal_loops_have_one_note() {
    let message = notes(|m| {
        m.add("world", World::new());
        for name in ["a.", "b.", "c."] {
            FourBar::default().add_to(m, name);
        }
    });
    let sentence = "a.j4, b.j4, c.j4 close loops; 3 of the conditions of each are redundant (as in a \
                    planar loop) and are omitted";
    let about: Vec<&String> = message.iter().filter(|note| note.contains("redundant")).collect();
    assert_eq!(about, [sentence]);
}

/// The note about the states of a linkage that starts with `w` at its rocker, whose motion must be
/// a state, and the sentence with which a run ends after the importer has set `values`.
fn with_a_rocker_as_state(lengths: [f64; 3], w: f64, values: &[(&str, f64)]) -> (String, String) {
    let pin = |start: f64| Revolute::new().n(Z).phi(guess(start));
    let far = pin(1.72).w(fixed(w)).states(Always);
    let text = |m: &mut Assembly| {
        m.add("world", World::new().g(0));
        let near = Revolute::new().n(Z).phi(fixed(1));
        FourBar { lengths, near, elbow: pin(-0.51), far }.add_to(m, "");
    };
    let mut notes = notes(text.clone());
    let mut model = simulation_of(&program(text).expect("the text is sound"));
    values.iter().for_each(|(name, value)| model.set(name, *value).expect("a parameter"));
    model.start(Some(TOLERANCE)).expect("the loop is closed");
    notes.retain(|note| note.contains("dead point"));
    let ends = model.run_to(10.0).expect_err("the rocker comes to rest where the crank does not");
    (notes.concat(), ends.to_string())
}

#[test]
fn the_state_with_which_a_loop_stops_and_one_that_is_good_everywhere_are_named() {
    let (note, ends) = with_a_rocker_as_state([0.1, 0.35, 0.25], 2.0, &[]);
    let stops = "the loop stops where it comes near to a dead point or a change point with j4.phi \
                 as its state; without states(Always), ";
    assert!(note.contains(&format!("{stops}j1.phi would be good everywhere")), "{note}");
    assert!(
        ends.contains(
            " (follows j4.phi, as states(Always) demands): the loop reaches a dead point"
        ),
        "{ends}"
    );
    // A triple rocker: neither bar at the ground turns round.
    let (note, ends) = with_a_rocker_as_state([0.3, 0.2, 0.25], 2.0, &[]);
    assert!(note.contains(&format!("{stops}all its coordinates would be states")), "{note}");
    assert!(
        ends.contains(
            " (follows j4.phi, as states(Always) demands): the loop reaches a dead point"
        ),
        "{ends}"
    );
}

#[test]
fn a_loop_that_stops_names_the_parameters_that_the_importer_has_changed() {
    let advice = "; with free_loops(true) in the text, all its coordinates are states where that is \
                  possible";
    let lengths = [0.1, 0.35, 0.25];
    let (_, ends) = with_a_rocker_as_state(lengths, 2.0, &[]);
    assert!(ends.ends_with(advice), "{ends}");
    let values = [("crank.m", 0.3), ("coupler.r[1]", 0.36)];
    let (_, ends) = with_a_rocker_as_state(lengths, 2.0, &values);
    let changed = "; other values than in the text: coupler.r[1] = 0.36 m (text: 0.35 m), crank.m = \
                   0.3 kg (text: 0.2 kg)";
    assert!(ends.ends_with(&format!("{advice}{changed}")), "{ends}");
    let values = ["crank.m", "coupler.m", "rocker.m", "rocker.I_33"].map(|name| (name, 0.3));
    let (_, ends) = with_a_rocker_as_state(lengths, 2.0, &values);
    assert!(ends.ends_with("m = 0.3 kg (text: 0.2 kg) and more"), "{ends}");
}

#[test]
fn what_holds_a_joint_of_a_loop_that_cannot_be_closed_is_named() {
    let with_held = |near: Revolute, held: &dyn Fn(&mut Assembly, [Flange; 2])| {
        refusal(|m| {
            m.add("world", World::new());
            let far = Revolute::new().n(Z);
            let (axes, _) = FourBar { near, far, ..FourBar::default() }.add_to(m, "");
            held(m, axes);
        })
    };
    let crank = || Revolute::new().n(Z).phi(fixed(1));
    let rocker_at = |phi: f64| {
        move |m: &mut Assembly, axes: [Flange; 2]| {
            let hold = m.add("hold", rotational::Fixed::new().phi0(phi));
            m.connect(hold.flange, axes[1]);
        }
    };
    // The pin of the rocker is 0.643 m away, and crank and coupler reach 0.45 m.
    let far = with_held(crank(), &rocker_at(0.3));
    let sentence = "j4: the loop cannot be closed from the start values with j4.phi = 0.3 rad (held \
                    by hold), even without the fixed start value j1.phi = 1 rad: a gap of 0.193 m \
                    remains, along [-0.99, -0.12, 0.00] of the world; change or free what is held, \
                    or check the lengths";
    assert_eq!(far, sentence);
    let near = with_held(crank(), &rocker_at(1.7));
    let sentence = "j4: the loop cannot be closed with the fixed start value j1.phi = 1 rad and \
                    j4.phi = 1.7 rad (held by hold), which contradict each other: a gap of ";
    assert!(near.starts_with(sentence), "{near}");
    assert!(near.ends_with("; change or free one of them"), "{near}");
    let both = with_held(Revolute::new().n(Z), &|m, axes| {
        add! { m,
            hold: rotational::Fixed::new().phi0(1),
            gear: rotational::IdealGear::new().ratio(2),
            other: rotational::Fixed::new().phi0(1),
            inertia: rotational::Inertia::new().J(2),
        }
        m.connect(hold.flange, gear.flange_b);
        m.connect(gear.flange_b, inertia.flange_b);
        m.connect(gear.flange_a, axes[1]);
        m.connect(other.flange, axes[0]);
    });
    let held = " with j1.phi = 1 rad (held by other) and j4.phi = 2 rad (held by gear, hold): ";
    assert!(both.contains(held), "{both}");
}
