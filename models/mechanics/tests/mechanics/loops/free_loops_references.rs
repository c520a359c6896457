//! Free loops against motions that were integrated in maximal coordinates.
//!
//! `tests/python/maximal_coordinates.py` calculates the constants: free bodies with all reactions
//! of their joints, projected after every step. A row is a time, the angles of the bars from the x
//! axis, and their angular velocities.

use crate::common::linkages::assert_closed;
use crate::common::{energy, run_to, start, value};
use fmu_runtime::Simulation;
use libraries::impulses::CollisionSpherePlane;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;
use std::f64::consts::TAU;

/// The largest error of an angle or a speed, relative to one plus its value.
const ERROR: f64 = 1e-7;

/// Simulates to the times of all rows, and asserts that the bars move as these say. The angle of a
/// bar is a sum of those of joints, such as `a+b`.
fn assert_follows<const N: usize>(model: &mut Simulation, bars: &[&str], rows: &[[f64; N]]) {
    assert_eq!(N, 1 + 2 * bars.len());
    for row in rows {
        run_to(model, row[0]);
        for (k, bar) in bars.iter().enumerate() {
            for (what, wanted) in [("phi", row[1 + k]), ("w", row[1 + bars.len() + k])] {
                let found = sum(model, bar, what);
                let error = (found - wanted).abs() / (1.0 + wanted.abs());
                assert!(error < ERROR, "t={} {bar}.{what}: {found} {wanted}", row[0]);
            }
        }
        assert_closed(model);
    }
}

/// The sum of a variable of joints.
fn sum(model: &mut Simulation, joints: &str, what: &str) -> f64 {
    joints.split('+').map(|joint| value(model, &format!("{joint}.{what}"))).sum()
}

/// Whether all coordinates of some loop are states.
fn is_free(model: &mut Simulation) -> bool {
    model.continuous_states().len() > 4
}

/// A slender bar of `l` m and `m` kg along x.
fn rod([l, m]: [f64; 2]) -> BodyShape {
    let i = m * l * l / 12.0;
    BodyShape::new().r([l, 0.0, 0.0]).r_cm([l / 2.0, 0.0, 0.0]).m(m).inertia([i; 3])
}

/// A frame of the world on the x axis.
fn pivot(m: &mut Assembly, world: Frame, name: &str, x: f64) -> Frame {
    let pivot = m.add(name, FixedTranslation::new().r([x, 0.0, 0.0]));
    m.connect(world, pivot.frame_a);
    pivot.frame_b
}

/// A four-bar linkage of the joints `a` (crank), `b` (coupler), `c` (which closes it) and `d`
/// (rocker). Returns the frame of the world, that of the coupler, and the axis of the rocker.
fn four_bar(
    m: &mut Assembly,
    bars: [[f64; 2]; 3],
    ground: f64,
    [a, b, d]: [Revolute; 3],
) -> (Frame, Frame, Flange) {
    let [crank, coupler, rocker] = bars.map(rod);
    add! { m,
        world: World::new().g(9.81),
        a: a,
        b: b,
        d: d,
        c: Revolute::new().n(Z),
        crank: crank,
        coupler: coupler,
        rocker: rocker,
    }
    let across = pivot(m, world.frame_b, "across", ground);
    m.chain((world.frame_b, a, crank.frame_a));
    m.chain((crank.frame_b, b, coupler.frame_a));
    m.chain((across, d, rocker.frame_a));
    m.chain((coupler.frame_b, c, rocker.frame_b));
    (world.frame_b, coupler.frame_a, d.axis)
}

/// A joint that is guessed.
fn guessed(phi: f64) -> Revolute {
    Revolute::new().n(Z).phi(guess(phi))
}

/// A joint with its initial values.
fn started(phi: f64, w: f64) -> Revolute {
    Revolute::new().n(Z).phi(fixed(phi)).w(fixed(w))
}

#[test]
fn a_triple_rocker_passes_the_dead_points_of_all_its_joints() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let joints = [started(1.0, 8.0), guessed(-1.3), guessed(2.2)];
            four_bar(m, [[0.3, 0.5], [0.32, 0.6], [0.35, 0.7]], 0.6, joints);
        });
        assert!(is_free(&mut model));
        assert_follows(&mut model, &["a", "a+b", "d"], &TRIPLE_ROCKER);
    }
}

/// The bars of a five-bar linkage by joints.
const FIVE_BARS: [&str; 4] = ["a", "b", "a+c", "b+d"];

/// A five-bar linkage with given joints of its cranks; returns their axes.
fn five_bar(m: &mut Assembly, [a, b]: [Revolute; 2]) -> [Flange; 2] {
    add! { m,
        world: World::new().g(9.81),
        a: a,
        b: b,
        c: guessed(-1.29),
        d: guessed(1.35),
        e: Revolute::new().n(Z),
        left: rod([0.25, 0.5]),
        right: rod([0.22, 0.4]),
        left_rod: rod([0.3, 0.6]),
        right_rod: rod([0.28, 0.7]),
        across: FixedTranslation::new().r([0.2, 0.0, 0.0]),
    }
    m.chain((world.frame_b, a, left, c, left_rod, e, right_rod.frame_b));
    m.chain((world.frame_b, across, b, right, d, right_rod.frame_a));
    [a.axis, b.axis]
}

#[test]
fn a_five_bar_with_two_degrees_of_freedom_passes_its_dead_points() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            five_bar(m, [started(2.0, 0.0), started(1.0, 0.0)]);
        });
        assert!(is_free(&mut model));
        assert_follows(&mut model, &FIVE_BARS, &FIVE_BAR);
    }
}

/// Six bars on the ground, four couplers between them, and two rods between the last two: twelve
/// coordinates with two degrees of freedom.
fn ladder(m: &mut Assembly, forced: bool) {
    m.free_loops(forced);
    let world = m.add("world", World::new().g(9.81));
    let bar = |l: f64| rod([l, 0.5 + l]);
    let on = |m: &mut Assembly, name: String, from: Frame, joint: Revolute, l: f64| {
        let joint = m.add(&name, joint);
        let part = m.add(format!("{name}_bar"), bar(l));
        m.chain((from, joint, part.frame_a));
        part.frame_b
    };
    let ends: Vec<Frame> = [0.5, 0.56, 0.53, 0.5, 0.56, 0.53]
        .into_iter()
        .enumerate()
        .map(|(k, l)| {
            let joint = match k {
                0 => started(1.2, 3.0),
                5 => started(1.0, -1.0),
                _ => guessed(1.2),
            };
            let foot = pivot(m, world.frame_b, &format!("foot{k}"), 0.5 * k as f64);
            on(m, format!("g{k}"), foot, joint, l)
        })
        .collect();
    for (k, l) in [0.52, 0.49, 0.51, 0.5].into_iter().enumerate() {
        let end = on(m, format!("c{k}"), ends[k], guessed(-1.2), l);
        let pin = m.add(format!("p{k}"), Revolute::new().n(Z));
        m.chain((end, pin, ends[k + 1]));
    }
    let near = on(m, "r4".to_owned(), ends[4], guessed(-0.3), 0.35);
    let far = on(m, "r5".to_owned(), ends[5], guessed(1.3), 0.4);
    let pin = m.add("p4", Revolute::new().n(Z));
    m.chain((near, pin, far));
}

#[test]
fn a_ladder_of_five_loops_moves_as_free_bodies() {
    for forced in [false, true] {
        let mut model = start(|m| ladder(m, forced));
        assert_eq!(model.continuous_states().len(), 24);
        let bars = [
            "g0", "g1", "g2", "g3", "g4", "g5", "g0+c0", "g1+c1", "g2+c2", "g3+c3", "g4+r4",
            "g5+r5",
        ];
        assert_follows(&mut model, &bars, &LADDER);
    }
}

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

/// A crank of 0.1 m and a rod of 0.3 m with a slider, whose initial values belong to the crank or
/// to the slider.
fn slider_crank(m: &mut Assembly, of_slider: bool) {
    let (phi, w) = (0.7_f64, -10.0);
    let rest = (0.09 - (0.1 * phi.sin()).powi(2)).sqrt();
    let s = 0.1 * phi.cos() + rest;
    let v = -0.1 * phi.sin() * w * (1.0 + 0.1 * phi.cos() / rest);
    let slide = Prismatic::new().n(X);
    let (a, slide) = if of_slider {
        (guessed(phi), slide.s(fixed(s)).v(fixed(v)))
    } else {
        (started(phi, w), slide.s(guess(s)))
    };
    add! { m,
        world: World::new().g(9.81),
        a: a,
        b: guessed(-0.9),
        c: Revolute::new().n(Z),
        slide: slide,
        crank: rod([0.1, 0.5]),
        bar: rod([0.3, 0.8]),
        slider: Body::new().m(0.6).r_cm([0.0; 3]),
    }
    m.chain((world.frame_b, a, crank, b, bar, c, slider.frame_a));
    m.chain((world.frame_b, slide, slider.frame_a));
}

#[test]
fn a_slider_whose_motion_is_given_at_the_start_passes_its_dead_centres() {
    for of_slider in [false, true] {
        for forced in [false, true] {
            let mut model = start(|m| {
                m.free_loops(forced);
                slider_crank(m, of_slider);
            });
            assert!(is_free(&mut model) || !forced);
            assert_follows(
                &mut model,
                &["a", "a+b"],
                &SLIDER_CRANK.map(|[t, a, b, _, v, w, _]| [t, a, b, v, w]),
            );
        }
    }
}

const TRIPLE_ROCKER: [[f64; 7]; 5] = [
    [
        0.6,
        0.862277118697,
        0.339865115185,
        1.8697767088,
        9.1447523578,
        -7.25470185355,
        3.91439187354,
    ],
    [
        1.2,
        0.702269408946,
        0.471989625902,
        1.81897497958,
        10.7576549676,
        -9.29509112765,
        2.15849334382,
    ],
    [
        1.8,
        0.516531640192,
        0.642913857943,
        1.81029683441,
        12.003626755,
        -11.7690723668,
        -1.41005569271,
    ],
    [
        2.4,
        0.328935351634,
        0.838113639532,
        1.866655837,
        10.9016065058,
        -11.9253925617,
        -5.31778961237,
    ],
    [
        3.0,
        0.166952027564,
        1.01885234697,
        1.97105968688,
        9.28833960607,
        -10.3988168666,
        -7.35394869719,
    ],
];

const FIVE_BAR: [[f64; 9]; 5] = [
    [
        0.24,
        2.00288990871,
        0.626218459278,
        -0.734763862167,
        3.51844800887,
        -12.9339351898,
        8.55856028106,
        -13.7332684331,
        12.4005116515,
    ],
    [
        0.48,
        0.0850367836443,
        1.40822673933,
        0.508482410849,
        6.1043406682,
        -11.9782368934,
        4.92985161286,
        9.80074342128,
        -2.14507771102,
    ],
    [
        0.72,
        -3.20084096022,
        1.68970454202,
        -0.153606040785,
        4.24163880475,
        -17.8680567764,
        2.0682591055,
        -15.2510283803,
        0.0652296262026,
    ],
    [
        0.96,
        -7.1316868852,
        1.5008128998,
        -4.08335684466,
        3.7693597393,
        -18.9745202925,
        -4.7707993193,
        -18.4224527589,
        -0.834295127828,
    ],
    [
        1.2,
        -8.98192019095,
        4.60901148425,
        -7.2859672077,
        3.67013309076,
        -0.486493628722,
        21.4300115773,
        12.6558123505,
        -10.9139129133,
    ],
];

const LADDER: [[f64; 25]; 5] = [
    [
        0.24,
        1.50512907811,
        1.48235112423,
        1.49791508798,
        1.47533586309,
        1.49218268817,
        1.84161135106,
        0.113491113443,
        -0.0596641339269,
        -0.0605654021421,
        0.121391732274,
        -1.43159399406,
        3.98598541372,
        -0.108327471602,
        -0.097146862296,
        -0.10261219356,
        -0.108826926916,
        -0.0968212902119,
        6.04543528264,
        -0.00242157628799,
        0.00172807002485,
        -0.00240902472844,
        0.00187059075003,
        -10.2207130739,
        -1.34199235867,
    ],
    [
        0.48,
        1.42526780953,
        1.4107413199,
        1.42230999413,
        1.39506881681,
        1.42090467933,
        3.47073237407,
        0.112018101613,
        -0.0585526626753,
        -0.0625273046201,
        0.123153191688,
        -1.93535422308,
        1.66998975569,
        -0.210949751732,
        -0.189091423685,
        -0.199572915612,
        -0.212123872341,
        -0.187962968814,
        5.27602839346,
        -0.00305891533885,
        0.00251013082245,
        -0.00568549136078,
        0.00569060616298,
        17.2252957457,
        -12.1418886111,
    ],
    [
        0.72,
        1.00221209703,
        1.03537943951,
        1.02552843581,
        0.968605675917,
        1.05197568621,
        2.09503522864,
        0.116221662197,
        -0.0581706028276,
        -0.0806668511477,
        0.149067890171,
        0.355715906724,
        0.382710140818,
        -3.59440142831,
        -3.12634242853,
        -3.32038042244,
        -3.62895644624,
        -3.01604739934,
        -2.1494672248,
        0.144147592014,
        -0.0398290032861,
        -0.226409821422,
        0.384898492227,
        8.46450725151,
        3.6904241284,
    ],
    [
        0.96,
        0.0942367305772,
        1.0842811269,
        1.07741176546,
        1.02514105973,
        1.09932870344,
        2.12440404588,
        1.03819058171,
        -0.0576488616651,
        -0.0773237331024,
        0.143515729085,
        0.387365118572,
        0.467556017784,
        -0.245288267355,
        3.84966864782,
        4.08048745843,
        4.43372762014,
        3.74053823723,
        2.79430091328,
        4.27974401366,
        0.0333374063726,
        0.248288379308,
        -0.402342043526,
        -8.50379775496,
        -2.87273733242,
    ],
    [
        1.2,
        0.0802902071963,
        1.68979504502,
        1.71757003845,
        1.70789715559,
        1.69964350229,
        3.4153445655,
        1.69587480874,
        -0.0648172323987,
        -0.0568802268923,
        0.120390176008,
        -1.87100897381,
        1.99652422878,
        0.0135556769512,
        1.98876478313,
        2.11306135715,
        2.23548405359,
        1.99576059735,
        -6.69488340593,
        2.14229069526,
        -0.0645607775452,
        0.0216465993313,
        0.0184513606728,
        -13.6885189249,
        12.9724306326,
    ],
];

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

const SLIDER_CRANK: [[f64; 7]; 5] = [
    [0.2, -2.47227157964, 0.208321411688, 0.0, -20.0246892687, -5.35042039258, 0.0],
    [0.4, -4.87778011228, -0.335016421563, 0.0, -6.54928822463, 0.380579208153, 0.0],
    [0.6, -7.30577222716, 0.288470605518, 0.0, -14.0680575865, 2.54923657102, 0.0],
    [0.8, -10.4861274901, -0.295276935717, 0.0, -8.98301226706, -1.52638083241, 0.0],
    [1.0, -12.0124505375, -0.176252856814, 0.0, -11.8274175166, 3.40571321767, 0.0],
];
