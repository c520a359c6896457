//! Free linkages with friction, and one that bounces on a floor.

use super::{FIVE_BARS, assert_follows, five_bar, four_bar, guessed, is_free, started};
use crate::common::{start, value};
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;

/// The angle and the speed of the rocker at the start, 5 ms before it turns back.
const ROCKER: [f64; 2] = [1.4837065005968695, -0.6312471237799725];

#[test]
fn friction_of_a_rocker_changes_its_direction_at_each_dead_point() {
    for (state, forced) in [("a", false), ("a", true), ("d", false), ("d", true)] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let joints = [
                if state == "a" { started(0.5, 12.0) } else { guessed(0.5) },
                guessed(0.1),
                if state == "d" { started(ROCKER[0], ROCKER[1]) } else { guessed(1.6) },
            ];
            let (_, _, axis) = four_bar(m, [[0.2, 0.8], [0.55, 1.1], [0.4, 0.9]], 0.6, joints);
            let bearing = m.add("bearing", rotational::BearingFriction::new().tau_pos(0.3));
            m.connect(bearing.flange_a, axis);
        });
        assert!(is_free(&mut model) || !forced);
        assert_follows(&mut model, &["a", "a+b", "d"], &ROUGH_ROCKER);
    }
}

#[test]
fn friction_holds_one_crank_of_a_five_bar_while_the_other_swings() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let [axis, _] = five_bar(m, [started(2.0, 6.0), started(1.0, 1.0)]);
            let bearing = m.add("bearing", rotational::BearingFriction::new().tau_pos(2.0));
            m.connect(bearing.flange_a, axis);
        });
        assert!(is_free(&mut model) || !forced);
        assert_follows(&mut model, &FIVE_BARS, &HELD_FIVE_BAR);
    }
}

#[test]
fn a_free_linkage_bounces_on_a_floor_as_free_bodies() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let joints = [started(1.2, -6.0), guessed(-1.0), guessed(1.3)];
            let bars = [[0.4, 1.0], [1.0, 2.0], [0.7, 1.5]];
            let (world, coupler, _) = four_bar(m, bars, 0.9, joints);
            add! { m,
                middle: FixedTranslation::new().r([0.5, 0.2, 0.0]),
                floor: FixedTranslation::new().r([0.0, 0.15, 0.0]),
                mark: Body::new().m(0.0).r_cm([0.0; 3]).inertia([0.0; 3]),
                contact: CollisionSpherePlane::new().ra(0.05).elasticity(0.7),
            }
            m.chain((coupler, middle, mark.frame_a));
            m.chain((world, floor.frame_a));
            m.chain((middle.frame_b, contact, floor.frame_b));
        });
        assert!(is_free(&mut model) || !forced);
        assert_follows(&mut model, &["a", "a+b", "d"], &BOUNCING);
        assert_eq!(value(&mut model, "contact.impacts"), 2.0);
    }
}

const ROUGH_ROCKER: [[f64; 7]; 5] = [
    [
        0.3,
        2.44584519829,
        0.358443459518,
        2.2095270612,
        8.20656479375,
        0.727048493785,
        3.71269170305,
    ],
    [
        0.6,
        6.30964754283,
        0.799514664248,
        1.61253316482,
        8.96361486148,
        -4.4868840411,
        -4.30878457574,
    ],
    [
        0.9,
        7.78903092872,
        0.360158030543,
        1.75256145699,
        2.18813174085,
        -0.197456060112,
        1.01275968092,
    ],
    [
        1.2,
        9.00119943949,
        0.390653706789,
        2.32458227481,
        8.91652109573,
        1.32970836463,
        3.46820757799,
    ],
    [
        1.5,
        12.6142039007,
        0.788818955591,
        1.60243329878,
        7.44529579024,
        -3.72471118917,
        -3.45753028108,
    ],
];

const HELD_FIVE_BAR: [[f64; 9]; 5] = [
    [
        0.12,
        2.68468840509,
        1.02450981487,
        0.483813628536,
        2.9188282696,
        5.62961691268,
        -0.309004164068,
        -2.00739361221,
        6.44796547892,
    ],
    [
        0.24,
        3.02719337696,
        1.65127812711,
        -0.181712503445,
        4.20676771352,
        0.0,
        14.1942588694,
        -6.07330065233,
        11.3623315891,
    ],
    [
        0.36,
        3.11238580577,
        3.23992217017,
        -1.20486071822,
        4.2551624515,
        2.82015269571,
        15.5297248923,
        -10.2790229867,
        -12.8783107435,
    ],
    [
        0.48,
        3.58262549609,
        5.39821253938,
        -0.300575657544,
        3.23200848875,
        10.6785779946,
        13.4900135866,
        13.4708253051,
        1.55516466308,
    ],
    [
        0.6,
        4.73818496816,
        6.7853718592,
        0.322151001064,
        4.34020649765,
        7.98347711347,
        5.48098936838,
        -5.0307764197e-06,
        9.87469777426,
    ],
];

const BOUNCING: [[f64; 7]; 5] = [
    [
        0.32,
        -0.824308366786,
        1.21209937999,
        1.97813910705,
        5.20709345147,
        -0.999471984674,
        -3.83497013695,
    ],
    [
        0.64,
        0.507734178824,
        0.414771926278,
        1.02269454206,
        4.37772168507,
        -1.50992104389,
        0.406565555866,
    ],
    [
        0.96,
        0.447400832187,
        0.437029505515,
        1.0195194437,
        -5.04711844621,
        1.98695392018,
        -0.0543733889979,
    ],
    [
        1.28,
        -0.893624393862,
        1.22293565499,
        2.0271523943,
        -5.62496777146,
        0.684178321781,
        3.81421881477,
    ],
    [
        1.6,
        -0.382201351144,
        1.01444034734,
        1.57189117429,
        0.687646033876,
        -0.482206884972,
        -0.731528686202,
    ],
];
