//! Linkages that move freely pass the dead points of all their joints.

use super::{FIVE_BARS, assert_follows, five_bar, four_bar, guessed, is_free, pivot, rod, started};
use crate::common::start;
use libraries::multibody::*;
use libraries::prelude::*;

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

const SLIDER_CRANK: [[f64; 7]; 5] = [
    [0.2, -2.47227157964, 0.208321411688, 0.0, -20.0246892687, -5.35042039258, 0.0],
    [0.4, -4.87778011228, -0.335016421563, 0.0, -6.54928822463, 0.380579208153, 0.0],
    [0.6, -7.30577222716, 0.288470605518, 0.0, -14.0680575865, 2.54923657102, 0.0],
    [0.8, -10.4861274901, -0.295276935717, 0.0, -8.98301226706, -1.52638083241, 0.0],
    [1.0, -12.0124505375, -0.176252856814, 0.0, -11.8274175166, 3.40571321767, 0.0],
];
