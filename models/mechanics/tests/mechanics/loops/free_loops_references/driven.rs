//! A five-bar linkage moves freely while a source or a gear moves one of its cranks.

use super::{FIVE_BARS, assert_follows, five_bar, guessed, is_free, started};
use crate::common::{energy, start};
use libraries::prelude::*;
use libraries::rotational;
use std::f64::consts::TAU;

#[test]
fn a_five_bar_moves_freely_while_one_crank_follows_a_signal() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let [_, axis] = five_bar(m, [started(2.0, 0.0), guessed(1.0)]);
            add! { m,
                swing: Sine::new().amplitude(0.8).f(6.0 / TAU).offset(1.0),
                drive: rotational::Position::new().exact(true),
            }
            m.connect(swing.y, drive.phi_ref);
            m.connect(drive.flange, axis);
        });
        assert!(is_free(&mut model) || !forced);
        assert_follows(&mut model, &FIVE_BARS, &SWUNG_FIVE_BAR);
    }
}

#[test]
fn a_five_bar_moves_freely_while_one_crank_turns_at_a_given_speed() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let [_, axis] = five_bar(m, [started(2.0, 0.0), guessed(1.0)]);
            add! { m,
                speed: Constant::new().k(4.0),
                drive: rotational::Speed::new().exact(true).phi(fixed(1.0)),
            }
            m.connect(speed.y, drive.w_ref);
            m.connect(drive.flange, axis);
        });
        assert!(is_free(&mut model) || !forced);
        assert_follows(&mut model, &FIVE_BARS, &TURNED_FIVE_BAR);
    }
}

#[test]
fn a_gear_between_the_cranks_of_a_five_bar_leaves_it_one_degree_of_freedom() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let [one, other] = five_bar(m, [started(2.0, 3.0), guessed(1.0)]);
            let gear = m.add("gear", rotational::IdealGear::new().ratio(2.0));
            m.chain((one, gear, other));
        });
        assert!(is_free(&mut model) || !forced);
        let first = energy(&mut model);
        assert_follows(&mut model, &FIVE_BARS, &GEARED_FIVE_BAR);
        let drift = energy(&mut model) - first;
        assert!(drift.abs() < 1e-8, "{drift:e}");
    }
}

const SWUNG_FIVE_BAR: [[f64; 9]; 5] = [
    [
        0.2,
        2.44629551859,
        1.74563126877,
        1.02035076834,
        2.35009058908,
        5.14649712952,
        1.73931722149,
        1.1707000619,
        3.74882431201,
    ],
    [
        0.4,
        4.59786191589,
        1.54037054444,
        1.53202982369,
        3.78726433011,
        20.4573165631,
        -3.5394898346,
        13.3327291413,
        1.81430074553,
    ],
    [
        0.6,
        6.88235130175,
        0.645983645364,
        1.11260326027,
        1.70160375301,
        11.1183369081,
        -4.3044403984,
        -19.8268063576,
        -11.5158739124,
    ],
    [
        0.8,
        8.37438663177,
        0.203068312931,
        -0.516617273098,
        3.05450641279,
        -11.7081237631,
        0.419995120509,
        -19.4485277216,
        13.2939775324,
    ],
    [
        1.0,
        5.42050885375,
        0.776467601441,
        0.271814462193,
        5.05718288899,
        -15.7354261003,
        4.60881737592,
        7.75050241167,
        -11.011760302,
    ],
];

const TURNED_FIVE_BAR: [[f64; 9]; 5] = [
    [
        0.2,
        2.43468877234,
        1.8,
        1.04111861992,
        2.30950315071,
        4.71343036876,
        4.0,
        2.01246633861,
        2.07398475344,
    ],
    [
        0.4,
        4.16685814958,
        2.6,
        2.02902906302,
        3.35051124258,
        13.2388816404,
        4.0,
        10.3596159391,
        8.5358732924,
    ],
    [
        0.6,
        6.4145554438,
        3.4,
        4.48393189008,
        5.47091648653,
        5.97591566621,
        4.0,
        7.91775308871,
        9.31436219918,
    ],
    [
        0.8,
        6.60562533176,
        4.2,
        5.17919015408,
        6.29412619045,
        -3.95472841318,
        4.0,
        1.70476420223,
        -0.98627816251,
    ],
    [
        1.0,
        4.9653134065,
        5.0,
        7.56082246508,
        8.26999650008,
        -21.4762806315,
        4.0,
        -5.03911585424,
        17.94044152,
    ],
];

const GEARED_FIVE_BAR: [[f64; 9]; 5] = [
    [
        0.16,
        2.69480249473,
        1.34740124737,
        0.776137944656,
        2.76241591283,
        6.39940488428,
        3.19970244214,
        2.13978626328,
        4.38526289865,
    ],
    [
        0.32,
        4.38304432832,
        2.19152216416,
        1.89177485644,
        3.62783472124,
        15.1084173291,
        7.55420866455,
        14.3147147093,
        6.50322180027,
    ],
    [
        0.48,
        6.69876312932,
        3.34938156466,
        4.67961790211,
        5.70285544773,
        12.9117557731,
        6.45587788656,
        14.5080552929,
        17.9379081637,
    ],
    [
        0.64,
        8.93495377156,
        4.46747688578,
        6.07886037662,
        8.11959678866,
        16.7906056217,
        8.39530281086,
        8.05024738169,
        12.1277683173,
    ],
    [
        0.8,
        11.866993648,
        5.93349682398,
        7.74321576043,
        8.56256649552,
        12.5284471088,
        6.2642235544,
        0.766562104401,
        -6.18795460462,
    ],
];
