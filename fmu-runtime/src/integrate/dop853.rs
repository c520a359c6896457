//! Explicit Runge-Kutta pair of order 8 with twelve stages, and three more for its dense output.
//!
//! E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I", section II.5
//! (the method of J. R. Dormand and P. J. Prince with estimates of orders 5 and 3) and section II.6
//! (the interpolant of order 7, which has continuous derivatives).

use super::dense_output::HIGH;
use super::error_norm::{TrialStep, scale};
use super::ode::{OdeSystem, Stop, check_finite};
use super::settings::Integrator;
use super::workspace::Workspace;

/// Weights of some of the stages: the index of each stage, from zero on, and its weight.
type Weights<const N: usize> = [(usize, f64); N];

/// Stages of a step: the thirteenth is the first of the next step.
pub(super) const STAGES: usize = 13;
/// Times of the stages, and of three more for the interpolant.
pub(super) const C: [f64; 16] = [
    0.0,
    0.05260015195876773,
    0.0789002279381516,
    0.1183503419072274,
    0.2816496580927726,
    0.3333333333333333,
    0.25,
    0.3076923076923077,
    0.6512820512820513,
    0.6,
    0.8571428571428571,
    1.0,
    1.0,
    0.1,
    0.2,
    0.7777777777777778,
];
pub(super) const A2: Weights<1> = [(0, 0.05260015195876773)];
pub(super) const A3: Weights<2> = [(0, 0.0197250569845379), (1, 0.0591751709536137)];
pub(super) const A4: Weights<2> = [(0, 0.02958758547680685), (2, 0.08876275643042054)];
pub(super) const A5: Weights<3> =
    [(0, 0.2413651341592667), (2, -0.8845494793282861), (3, 0.924834003261792)];
pub(super) const A6: Weights<3> =
    [(0, 0.037037037037037035), (3, 0.17082860872947386), (4, 0.12546768756682242)];
pub(super) const A7: Weights<4> =
    [(0, 0.037109375), (3, 0.17025221101954405), (4, 0.06021653898045596), (5, -0.017578125)];
pub(super) const A8: Weights<5> = [
    (0, 0.03709200011850479),
    (3, 0.17038392571223998),
    (4, 0.10726203044637328),
    (5, -0.015319437748624402),
    (6, 0.008273789163814023),
];
pub(super) const A9: Weights<6> = [
    (0, 0.6241109587160757),
    (3, -3.3608926294469414),
    (4, -0.868219346841726),
    (5, 27.59209969944671),
    (6, 20.154067550477894),
    (7, -43.48988418106996),
];
pub(super) const A10: Weights<7> = [
    (0, 0.47766253643826434),
    (3, -2.4881146199716677),
    (4, -0.590290826836843),
    (5, 21.230051448181193),
    (6, 15.279233632882423),
    (7, -33.28821096898486),
    (8, -0.020331201708508627),
];
pub(super) const A11: Weights<8> = [
    (0, -0.9371424300859873),
    (3, 5.186372428844064),
    (4, 1.0914373489967295),
    (5, -8.149787010746927),
    (6, -18.52006565999696),
    (7, 22.739487099350505),
    (8, 2.4936055526796523),
    (9, -3.0467644718982196),
];
pub(super) const A12: Weights<9> = [
    (0, 2.273310147516538),
    (3, -10.53449546673725),
    (4, -2.0008720582248625),
    (5, -17.9589318631188),
    (6, 27.94888452941996),
    (7, -2.8589982771350235),
    (8, -8.87285693353063),
    (9, 12.360567175794303),
    (10, 0.6433927460157636),
];
/// Weights of the states at the end of the step.
pub(super) const B: Weights<8> = [
    (0, 0.054293734116568765),
    (5, 4.450312892752409),
    (6, 1.8915178993145003),
    (7, -5.801203960010585),
    (8, 0.3111643669578199),
    (9, -0.1521609496625161),
    (10, 0.20136540080403034),
    (11, 0.04471061572777259),
];
// The stages of the dense output.
pub(super) const A14: Weights<8> = [
    (0, 0.056167502283047954),
    (6, 0.25350021021662483),
    (7, -0.2462390374708025),
    (8, -0.12419142326381637),
    (9, 0.15329179827876568),
    (10, 0.00820105229563469),
    (11, 0.007567897660545699),
    (12, -0.008298),
];
pub(super) const A15: Weights<8> = [
    (0, 0.03183464816350214),
    (5, 0.028300909672366776),
    (6, 0.053541988307438566),
    (7, -0.05492374857139099),
    (10, -0.00010834732869724932),
    (11, 0.0003825710908356584),
    (12, -0.00034046500868740456),
    (13, 0.1413124436746325),
];
pub(super) const A16: Weights<8> = [
    (0, -0.42889630158379194),
    (5, -4.697621415361164),
    (6, 7.683421196062599),
    (7, 4.06898981839711),
    (8, 0.3567271874552811),
    (12, -0.0013990241651590145),
    (13, 2.9475147891527724),
    (14, -9.15095847217987),
];
/// Weights of the estimate of order 5.
pub(super) const E5: Weights<8> = [
    (0, 0.01312004499419488),
    (5, -1.2251564463762044),
    (6, -0.4957589496572502),
    (7, 1.6643771824549864),
    (8, -0.35032884874997366),
    (9, 0.3341791187130175),
    (10, 0.08192320648511571),
    (11, -0.022355307863886294),
];
/// Weights of the estimate of order 3.
pub(super) const E3: Weights<8> = [
    (0, -0.18980075407240762),
    (5, 4.450312892752409),
    (6, 1.8915178993145003),
    (7, -5.801203960010585),
    (8, -0.4226823213237919),
    (9, -0.1521609496625161),
    (10, 0.20136540080403034),
    (11, 0.02265179219836082),
];
/// Weights of the upper four coefficients of the interpolant, in the form of the source.
pub(super) const D: [Weights<12>; 4] = [
    [
        (0, -8.428938276109013),
        (5, 0.5667149535193777),
        (6, -3.0689499459498917),
        (7, 2.38466765651207),
        (8, 2.117034582445028),
        (9, -0.871391583777973),
        (10, 2.2404374302607883),
        (11, 0.6315787787694688),
        (12, -0.08899033645133331),
        (13, 18.148505520854727),
        (14, -9.194632392478356),
        (15, -4.436036387594894),
    ],
    [
        (0, 10.427508642579134),
        (5, 242.28349177525817),
        (6, 165.20045171727028),
        (7, -374.5467547226902),
        (8, -22.113666853125306),
        (9, 7.733432668472264),
        (10, -30.674084731089398),
        (11, -9.332130526430229),
        (12, 15.697238121770845),
        (13, -31.139403219565178),
        (14, -9.35292435884448),
        (15, 35.81684148639408),
    ],
    [
        (0, 19.985053242002433),
        (5, -387.0373087493518),
        (6, -189.17813819516758),
        (7, 527.8081592054236),
        (8, -11.57390253995963),
        (9, 6.8812326946963),
        (10, -1.0006050966910838),
        (11, 0.7777137798053443),
        (12, -2.778205752353508),
        (13, -60.19669523126412),
        (14, 84.32040550667716),
        (15, 11.99229113618279),
    ],
    [
        (0, -25.69393346270375),
        (5, -154.18974869023643),
        (6, -231.5293791760455),
        (7, 357.6391179106141),
        (8, 93.40532418362432),
        (9, -37.45832313645163),
        (10, 104.0996495089623),
        (11, 29.8402934266605),
        (12, -43.53345659001114),
        (13, 96.32455395918828),
        (14, -39.17726167561544),
        (15, -149.72683625798564),
    ],
];

/// A trial step to `t_new`: fills `x_new` and the first twelve stages, but not `dx_new`.
pub(super) fn attempt<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<TrialStep, Stop> {
    let n = ws.x.len();
    let h = t_new - ws.t();
    ws.stages[..n].copy_from_slice(ws.dx);
    stage(ws, ode, 1, h, &A2)?;
    stage(ws, ode, 2, h, &A3)?;
    stage(ws, ode, 3, h, &A4)?;
    stage(ws, ode, 4, h, &A5)?;
    stage(ws, ode, 5, h, &A6)?;
    stage(ws, ode, 6, h, &A7)?;
    stage(ws, ode, 7, h, &A8)?;
    stage(ws, ode, 8, h, &A9)?;
    stage(ws, ode, 9, h, &A10)?;
    stage(ws, ode, 10, h, &A11)?;
    combine(ws.point, ws.x, h, &A12, ws.stages);
    ws.evaluate_stage(ode, 11, t_new)?;
    combine(ws.x_new, ws.x, h, &B, ws.stages);

    let (k5, k3) = (rows(&E5, ws.stages, n), rows(&E3, ws.stages, n));
    let (mut fifth, mut third) = (0.0, 0.0);
    for (i, nominal) in settings.nominal.iter().enumerate() {
        let per_scale = 1.0 / scale(*nominal, ws.x[i], ws.x_new[i]);
        let part = h * weighted(&E5, &k5, i) * per_scale;
        fifth += part * part;
        let part = h * weighted(&E3, &k3, i) * per_scale;
        third += part * part;
    }
    // The estimate of order 3 shows where that of order 5 is small by chance.
    let error = if fifth == 0.0 { 0.0 } else { fifth * (fifth / (fifth + 0.01 * third)) };
    Ok(TrialStep::new(settings, ws.x_new, error, 0.0))
}

/// Computes the derivatives at the end of the trial step. Returns an estimate of the step size
/// times the largest eigenvalue of the Jacobian: the argument of the twelfth stage, which is still
/// in `point`, belongs to the same time.
pub(super) fn finish<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<f64, Stop> {
    ws.derivatives_at_end(ode, t_new)?;
    let n = ws.x.len();
    ws.stages[12 * n..13 * n].copy_from_slice(ws.dx_new);
    let last = &ws.stages[11 * n..][..n];
    let (mut moved, mut answered) = (0.0, 0.0);
    for (i, nominal) in settings.nominal.iter().enumerate() {
        let per_scale = 1.0 / scale(*nominal, ws.x[i], ws.x_new[i]);
        let part = (ws.x_new[i] - ws.point[i]) * per_scale;
        moved += part * part;
        let part = (ws.dx_new[i] - last[i]) * per_scale;
        answered += part * part;
    }
    let h = t_new - ws.t();
    Ok(if moved > 0.0 { h * (answered / moved).sqrt() } else { 0.0 })
}

/// Computes a stage whose argument is a combination of those before it.
#[inline]
fn stage<F: OdeSystem + ?Sized, const N: usize>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    index: usize,
    h: f64,
    a: &Weights<N>,
) -> Result<(), Stop> {
    combine(ws.point, ws.x, h, a, ws.stages);
    ws.evaluate_stage(ode, index, ws.t() + C[index] * h)
}

/// Coefficients of the interpolant of the trial step of length `h`, after the derivatives at its
/// end; three more stages are computed.
pub(super) fn interpolant<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    h: f64,
) -> Result<(), Stop> {
    let n = ws.x.len();
    ws.stages[12 * n..13 * n].copy_from_slice(ws.dx_new);
    stage(ws, ode, 13, h, &A14)?;
    stage(ws, ode, 14, h, &A15)?;
    stage(ws, ode, 15, h, &A16)?;
    check_finite(&ws.stages[13 * n..])?;
    let k = rows(&D[0], ws.stages, n);
    for (i, c) in ws.dense.chunks_exact_mut(HIGH).enumerate().take(n) {
        // x + theta (f0 + (1 - theta) (f1 + theta (f2 + (1 - theta) (f3 + ..)))), in powers.
        let (slope, end_slope) = (h * ws.dx[i], h * ws.dx_new[i]);
        let f0 = ws.x_new[i] - ws.x[i];
        let f1 = slope - f0;
        let f2 = f0 - end_slope - f1;
        let [f3, f4, f5, f6] = D.map(|d| h * weighted(&d, &k, i));
        c[0] = ws.x[i];
        c[1] = slope;
        c[2] = f2 + f3 - f1;
        c[3] = f4 + f5 - f2 - 2.0 * f3;
        c[4] = f3 + f6 - 2.0 * f4 - 3.0 * f5;
        c[5] = f4 + 3.0 * (f5 - f6);
        c[6] = 3.0 * f6 - f5;
        c[7] = -f6;
    }
    Ok(())
}

/// `out = x + h (..)`, with a weighted sum of stages.
#[inline]
fn combine<const N: usize>(
    out: &mut [f64],
    x: &[f64],
    h: f64,
    weights: &Weights<N>,
    stages: &[f64],
) {
    let n = x.len();
    let k = rows(weights, stages, n);
    let out = &mut out[..n];
    for i in 0..n {
        out[i] = x[i] + h * weighted(weights, &k, i);
    }
}

/// The stages that have weights.
#[inline(always)]
fn rows<'s, const N: usize>(weights: &Weights<N>, stages: &'s [f64], n: usize) -> [&'s [f64]; N] {
    weights.map(|(stage, _)| &stages[stage * n..][..n])
}

/// The weighted sum of component `i` of the stages.
#[inline(always)]
fn weighted<const N: usize>(weights: &Weights<N>, k: &[&[f64]; N], i: usize) -> f64 {
    let mut sum = weights[0].1 * k[0][i];
    for j in 1..N {
        sum += weights[j].1 * k[j][i];
    }
    sum
}
