//! Explicit Runge-Kutta pair of order 5(4) with seven stages, the last of which is the first of the
//! next step.
//!
//! Ch. Tsitouras, "Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying
//! assumption", Computers and Mathematics with Applications 62 (2011) 770-775. The interpolant has
//! order 4 and continuous derivatives.

use super::dense_output::LOW;
use super::error_norm::{TrialStep, scale};
use super::ode::{OdeSystem, Stop};
use super::settings::Integrator;
use super::workspace::{Workspace, combine, rows, weighted};

pub(super) const C: [f64; 7] = [0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0];
pub(super) const A2: [f64; 1] = [0.161];
pub(super) const A3: [f64; 2] = [-0.008480655492356989, 0.335480655492357];
pub(super) const A4: [f64; 3] = [2.8971530571054935, -6.359448489975075, 4.3622954328695815];
pub(super) const A5: [f64; 4] =
    [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525];
pub(super) const A6: [f64; 5] = [
    5.86145544294642,
    -12.92096931784711,
    8.159367898576159,
    -0.071584973281401,
    -0.028269050394068383,
];
pub(super) const A7: [f64; 6] = [
    0.09646076681806523,
    0.01,
    0.4798896504144996,
    1.379008574103742,
    -3.290069515436081,
    2.324710524099774,
];
/// Weights of the error estimate.
pub(super) const E: [f64; 7] = [
    -0.001780011052225777,
    -0.0008164344596567469,
    0.007880878010261995,
    -0.1447110071732629,
    0.5823571654525552,
    -0.45808210592918697,
    0.015151515151515152,
];
/// Weights of the interpolant: those of theta², theta³ and theta⁴ (theta: first stage only).
pub(super) const B: [[f64; 7]; 3] = [
    [
        -2.763706197274826,
        0.13169999999999998,
        3.9302962368947516,
        -12.411077166933676,
        37.50931341651104,
        -27.896526289197286,
        1.5,
    ],
    [
        2.9132554618219126,
        -0.2234,
        -5.941033872131505,
        30.33818863028232,
        -88.1789048947664,
        65.09189467479366,
        -4.0,
    ],
    [
        -1.0530884977290216,
        0.1017,
        2.490627285651253,
        -16.548102889244902,
        47.37952196281928,
        -34.87065786149661,
        2.5,
    ],
];

/// A trial step to `t_new`: fills `x_new`, `dx_new` and the stages.
pub(super) fn attempt<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<TrialStep, Stop> {
    let n = ws.x.len();
    let t = ws.t();
    let h = t_new - t;
    ws.stages[..n].copy_from_slice(ws.dx);
    stage(ws, ode, t + C[1] * h, h, &A2)?;
    stage(ws, ode, t + C[2] * h, h, &A3)?;
    stage(ws, ode, t + C[3] * h, h, &A4)?;
    stage(ws, ode, t + C[4] * h, h, &A5)?;
    stage(ws, ode, t_new, h, &A6)?;
    combine(ws.x_new, ws.x, h, &A7, ws.stages);
    ws.derivatives_at_end(ode, t_new)?;
    ws.stages[6 * n..7 * n].copy_from_slice(ws.dx_new);

    // Stages 6 and 7 belong to the same time: the ratio of the difference of their derivatives to
    // that of their states is an estimate of the largest eigenvalue of the Jacobian.
    let k = rows::<7>(ws.stages, n);
    let (x, x_new, point) = (&ws.x[..n], &ws.x_new[..n], &ws.point[..n]);
    let (mut error, mut moved, mut answered) = (0.0, 0.0, 0.0);
    for (i, nominal) in settings.nominal[..n].iter().enumerate() {
        let per_scale = 1.0 / scale(*nominal, x[i], x_new[i]);
        let part = h * weighted(&E, &k, i) * per_scale;
        error += part * part;
        let part = (x_new[i] - point[i]) * per_scale;
        moved += part * part;
        let part = (k[6][i] - k[5][i]) * per_scale;
        answered += part * part;
    }
    let stiffness = if moved > 0.0 { h * (answered / moved).sqrt() } else { 0.0 };
    Ok(TrialStep::new(settings, ws.x_new, error, stiffness))
}

/// Computes the next stage; its argument is in `point` afterwards.
#[inline]
pub(super) fn stage<F: OdeSystem + ?Sized, const N: usize>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t: f64,
    h: f64,
    a: &[f64; N],
) -> Result<(), Stop> {
    combine(ws.point, ws.x, h, a, ws.stages);
    ws.evaluate_stage(ode, N, t)
}

/// Coefficients of the interpolant of the trial step of length `h`.
pub(super) fn interpolant(ws: &mut Workspace<'_>, h: f64) {
    let n = ws.x.len();
    let k = rows::<7>(ws.stages, n);
    let (dense, x) = (&mut ws.dense[..LOW * n], &ws.x[..n]);
    for (i, c) in dense.chunks_exact_mut(LOW).enumerate().take(n) {
        c[0] = x[i];
        c[1] = h * k[0][i];
        c[2] = h * weighted(&B[0], &k, i);
        c[3] = h * weighted(&B[1], &k, i);
        c[4] = h * weighted(&B[2], &k, i);
    }
}
