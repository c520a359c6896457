//! Rosenbrock method of order 5(4) with eight stages, L-stable and stiffly accurate.
//!
//! G. Steinebach, "Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks within
//! the Julia Differential Equations package", BIT Numerical Mathematics 63 (2023). Every stage is a
//! linear solve with `W = E / (h gamma) - J`; the order depends on an exact Jacobian and an exact
//! derivative with respect to time. The interpolant has order 4.

use super::dense_output::LOW;
use super::error_norm::{TrialStep, scale};
use super::ode::{OdeSystem, Stop, check_finite};
use super::settings::Integrator;
use super::workspace::{Workspace, rows, weighted};

pub(super) const GAMMA: f64 = 0.21193756319429014;
pub(super) const TIMES: [f64; 8] = [
    0.0,
    0.6358126895828704,
    0.4095798393397535,
    0.9769306725060716,
    0.4288403609558664,
    1.0,
    1.0,
    1.0,
];
/// Weights of the derivative with respect to time; zero from the sixth stage on.
pub(super) const D: [f64; 5] = [
    0.21193756319429014,
    -0.42387512638858027,
    -0.3384627126235924,
    1.8046452872882734,
    2.325825639765069,
];
pub(super) const A2: [f64; 1] = [3.0];
pub(super) const A3: [f64; 2] = [2.849394379747939, 0.45842242204463923];
pub(super) const A4: [f64; 3] = [-6.954028509809101, 2.489845061869568, -10.358996098473584];
pub(super) const A5: [f64; 4] =
    [2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641];
pub(super) const A6: [f64; 5] = [
    -7.502846399306121,
    2.561846144803919,
    -11.627539656261098,
    -0.18268767659942256,
    0.030198172008377946,
];
pub(super) const A7: [f64; 6] = [
    -7.502846399306121,
    2.561846144803919,
    -11.627539656261098,
    -0.18268767659942256,
    0.030198172008377946,
    1.0,
];
pub(super) const A8: [f64; 7] = [
    -7.502846399306121,
    2.561846144803919,
    -11.627539656261098,
    -0.18268767659942256,
    0.030198172008377946,
    1.0,
    1.0,
];
pub(super) const C2: [f64; 1] = [-14.155112264123755];
pub(super) const C3: [f64; 2] = [-17.97296035885952, -2.859693295451294];
pub(super) const C4: [f64; 3] = [147.12150275711716, -1.41221402718213, 71.68940251302358];
pub(super) const C5: [f64; 4] =
    [165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306];
pub(super) const C6: [f64; 5] = [
    24.854864614690072,
    -3.0009227002832186,
    47.4931110020768,
    5.5814197821558125,
    -0.6610691825249471,
];
pub(super) const C7: [f64; 6] = [
    30.91273214028599,
    -3.1208243349937974,
    77.79954646070892,
    34.28646028294783,
    -19.097331116725623,
    -28.087943162872662,
];
pub(super) const C8: [f64; 7] = [
    37.80277123390563,
    -3.2571969029072276,
    112.26918849496327,
    66.9347231244047,
    -40.06618937091002,
    -54.66780262877968,
    -9.48861652309627,
];
/// Weights of the interpolant.
pub(super) const H: [[f64; 8]; 3] = [
    [
        25.948786856663858,
        -2.5579724845846235,
        10.433815404888879,
        -2.3679251022685204,
        0.524948541321073,
        1.1241088310450404,
        0.4272876194431874,
        -0.17202221070155493,
    ],
    [
        -9.91568850695171,
        -0.9689944594115154,
        3.0438037242978453,
        -24.495224566215796,
        20.176138334709044,
        15.98066361424651,
        -6.789040303419874,
        -6.710236069923372,
    ],
    [
        11.419903575922262,
        2.8879645146136994,
        72.92137995996029,
        80.12511834622643,
        -52.072871366152654,
        -59.78993625266729,
        -0.15582684282751913,
        4.883087185713722,
    ],
];

/// Evaluates the Jacobian and the time derivative at the time reached, unless they are known.
pub(super) fn update_jacobian<F: OdeSystem + ?Sized>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
) -> Result<(), Stop> {
    if !ws.jacobian_known {
        ws.work.jacobians += 1;
        ode.jacobian(ws.t(), ws.x, ws.jacobian, ws.dfdt)?;
        check_finite(ws.jacobian)?;
        check_finite(ws.dfdt)?;
        ws.stage_matrix.set_jacobian(ws.jacobian);
        ws.jacobian_known = true;
    }
    Ok(())
}

/// A trial step to `t_new`, after [`update_jacobian`]: fills `x_new` and the stages, but not
/// `dx_new`.
pub(super) fn attempt<F: OdeSystem + ?Sized>(
    settings: &Integrator<'_>,
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t_new: f64,
) -> Result<TrialStep, Stop> {
    let n = ws.x.len();
    let t = ws.t();
    let h = t_new - t;
    ws.work.factorizations += 1;
    ws.stage_matrix.factor(ws.jacobian, h * GAMMA, settings.nominal);

    for (k, (dx, dfdt)) in ws.stages.iter_mut().zip(ws.dx.iter().zip(ws.dfdt.iter())) {
        *k = dx + h * D[0] * dfdt;
    }
    ws.stage_matrix.solve(&mut ws.stages[..n]);
    check_finite(&ws.stages[..n])?;
    stage(ws, ode, t + TIMES[1] * h, h, &A2, &C2)?;
    stage(ws, ode, t + TIMES[2] * h, h, &A3, &C3)?;
    stage(ws, ode, t + TIMES[3] * h, h, &A4, &C4)?;
    stage(ws, ode, t + TIMES[4] * h, h, &A5, &C5)?;
    stage(ws, ode, t_new, h, &A6, &C6)?;
    stage(ws, ode, t_new, h, &A7, &C7)?;
    stage(ws, ode, t_new, h, &A8, &C8)?;
    // The method is stiffly accurate: the last stage is both the correction of its own argument and
    // the estimate of the error.
    let last = &ws.stages[7 * n..8 * n];
    let mut error = 0.0;
    for (i, nominal) in settings.nominal.iter().enumerate() {
        ws.x_new[i] = ws.point[i] + last[i];
        let part = last[i] / scale(*nominal, ws.x[i], ws.x_new[i]);
        error += part * part;
    }
    Ok(TrialStep::new(settings, ws.x_new, error, 0.0))
}

/// Computes the next stage; its argument is in `point` afterwards.
#[inline]
fn stage<F: OdeSystem + ?Sized, const N: usize>(
    ws: &mut Workspace<'_>,
    ode: &mut F,
    t: f64,
    h: f64,
    a: &[f64; N],
    c: &[f64; N],
) -> Result<(), Stop> {
    let n = ws.x.len();
    let (known, next) = ws.stages.split_at_mut(N * n);
    let next = &mut next[..n];
    // Both sums in one pass, because the stages of a large system leave the fastest cache.
    combine_twice(ws.point, ws.x, a, next, 1.0 / h, c, known);
    ws.work.evaluations += 1;
    ode.derivatives(t, ws.point, ws.x_new)?;
    match D.get(N) {
        Some(d) => {
            for ((k, dx), dfdt) in next.iter_mut().zip(ws.x_new.iter()).zip(ws.dfdt.iter()) {
                *k = dx + *k + h * d * dfdt;
            }
        }
        None => {
            for (k, dx) in next.iter_mut().zip(ws.x_new.iter()) {
                *k += dx;
            }
        }
    }
    ws.stage_matrix.solve(next);
    Ok(())
}

/// `point = x + a[0] k[0] + a[1] k[1] + ..` and `sum = factor (c[0] k[0] + c[1] k[1] + ..)`, where
/// `stages` holds the vectors `k` one after the other.
#[inline]
fn combine_twice<const N: usize>(
    point: &mut [f64],
    x: &[f64],
    a: &[f64; N],
    sum: &mut [f64],
    factor: f64,
    c: &[f64; N],
    stages: &[f64],
) {
    let n = x.len();
    let k = rows::<N>(stages, n);
    let (point, sum) = (&mut point[..n], &mut sum[..n]);
    for i in 0..n {
        point[i] = x[i] + weighted(a, &k, i);
        sum[i] = factor * weighted(c, &k, i);
    }
}

/// Coefficients of the interpolant of the trial step.
pub(super) fn interpolant(ws: &mut Workspace<'_>) {
    let n = ws.x.len();
    let k = rows::<8>(ws.stages, n);
    for (i, c) in ws.dense[..LOW * n].chunks_exact_mut(LOW).enumerate() {
        let [k1, k2, k3] = H.map(|h| weighted(&h, &k, i));
        c[0] = ws.x[i];
        c[1] = ws.x_new[i] - ws.x[i] + k1;
        c[2] = k2 - k1;
        c[3] = k3 - k2;
        c[4] = -k3;
    }
}
