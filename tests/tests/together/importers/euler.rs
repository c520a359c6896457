//! Short runs by Euler's method: how many steps they need, and whether that is possible.

use coupler_tests::runs::events;
use coupler_tests::{Fmu, FmuType, Harness};

/// The largest number of steps of a run that is stable. Twice as many take some seconds.
const MOST_STEPS: usize = 50_000;

/// The number of places of a run at which eigenvalues are looked for.
const PLACES: usize = 200;

/// The end of a short run in s.
pub fn end(fmu: &Fmu) -> f64 {
    (fmu.stop_time() * 0.1).min(0.3)
}

/// The steps of two short runs, unless the model is stiff: no step exceeds the inverse of the
/// largest eigenvalue, so that the method is stable. Steps end at time events; there are twice as
/// many steps as events, so that those of the second run are half as long.
pub fn steps(fmu: &Fmu) -> Option<[usize; 2]> {
    let least = match fmu.name() {
        // The clutch hardly turns in the short run: it sticks late, and keeps the speed of this
        // instant.
        "RotationalFriction" => 50_000,
        _ => 2000,
    };
    let (eigenvalue, events) = look(fmu);
    let steps = least.max((end(fmu) * eigenvalue).max(2.0 * events).ceil() as usize);
    (steps <= MOST_STEPS).then_some([steps, 2 * steps])
}

/// The largest magnitude of the eigenvalues of the Jacobian in a short run, in 1/s, and the number
/// of events.
fn look(fmu: &Fmu) -> (f64, f64) {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.start(None, fmu.starts());
    let description = &fmu.description;
    let rates = description.derivatives.iter();
    let rates: Vec<u32> = rates.map(|of| description.variables[of.index].value_reference).collect();
    let states = fmu.reals(fmu.states());
    let h = end(fmu) / PLACES as f64;
    let at = |place: usize| {
        instance.step(place as f64 * h, h);
        let column = |state: &u32| instance.directional(&rates, &[*state], &[1.0]);
        spectral_radius(states.iter().map(column).collect())
    };
    let largest = (0..PLACES).map(at).fold(0.0, f64::max);
    (largest, events(&instance))
}

/// The largest magnitude of the eigenvalues of a matrix, from the norm of a high power of it.
fn spectral_radius(mut matrix: Vec<Vec<f64>>) -> f64 {
    let n = matrix.len();
    let norm = |matrix: &[Vec<f64>]| {
        matrix.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
    };
    // The power of 2 to the number of squarings, divided by `size` to that power.
    let (mut size, mut exponent) = (1.0, 1.0);
    for _ in 0..10 {
        let scale = norm(&matrix);
        if scale == 0.0 {
            return 0.0;
        }
        size *= f64::powf(scale, 1.0 / exponent);
        matrix.iter_mut().flatten().for_each(|x| *x /= scale);
        let product = |i: usize, j: usize| (0..n).map(|k| matrix[i][k] * matrix[k][j]).sum();
        matrix = (0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect();
        exponent *= 2.0;
    }
    size * f64::powf(norm(&matrix), 1.0 / exponent)
}

#[test]
fn the_largest_eigenvalue_is_found_whatever_the_norm_of_the_matrix_is() {
    // The eigenvalues of the first are 2 and -3 and those of the second 1 ± 2i; the third has none
    // but zero, although it is large.
    let matrices: [([[f64; 2]; 2], f64); 3] = [
        ([[2.0, 1e4], [0.0, -3.0]], 3.0),
        ([[1.0, 4.0], [-1.0, 1.0]], f64::sqrt(5.0)),
        ([[0.0, 1e6], [0.0, 0.0]], 0.0),
    ];
    for (matrix, radius) in matrices {
        let found = spectral_radius(matrix.iter().map(|row| row.to_vec()).collect());
        assert!((found - radius).abs() <= 0.01 * radius, "{found} instead of {radius}");
    }
}
