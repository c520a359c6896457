//! Ten thousand random systems with known solutions: no crossing of a threshold is lost.

use super::*;
use random::Random;

/// The end of each simulation in s, and the number of points at which the solution is known.
const END: f64 = 2.0;
const POINTS: usize = 600;

/// A damped oscillator, and a state whose derivative is a sum of a polynomial and a sinusoid of
/// time; two indicators that are linear functions of the three states.
struct RandomSystem {
    /// Rate of decay, angular frequency, initial position and velocity divided by the frequency.
    oscillator: [f64; 4],
    /// Coefficients of powers of time, from the first power on.
    polynomial: [f64; 4],
    /// Amplitude, angular frequency, phase.
    sinusoid: [f64; 3],
    /// Weights of the states in each indicator.
    weights: [[f64; 3]; 2],
    thresholds: [f64; 2],
    /// Whether the integrator knows that the indicators are affine.
    affine: bool,
}

impl RandomSystem {
    fn new(random: &mut Random, affine: bool) -> RandomSystem {
        // Without oscillations the solution is a polynomial, and few steps lead to its end.
        let amplitude = if random.chance(0.3) { 0.0 } else { 1.0 };
        let mut system = RandomSystem {
            oscillator: [
                random.between(0.0, 2.0),
                random.size(0.5, 20.0),
                amplitude * random.number(),
                amplitude * random.number(),
            ],
            polynomial: std::array::from_fn(|_| random.number()),
            sinusoid: [
                amplitude * random.number(),
                random.size(0.5, 20.0),
                random.between(0.0, 6.0),
            ],
            weights: std::array::from_fn(|_| {
                let shown = random.below(4);
                std::array::from_fn(
                    |k| if k == shown || shown == 3 { random.number() } else { 0.0 },
                )
            }),
            thresholds: [0.0; 2],
            affine,
        };
        for k in 0..2 {
            // A value that is reached, or one that a turning point passes by a little.
            let points = system.points(k);
            let turning = (1..POINTS)
                .find(|&i| (points[i] - points[i - 1]) * (points[i + 1] - points[i]) < 0.0);
            system.thresholds[k] = match turning {
                Some(i) if random.chance(0.5) => {
                    points[i] + range(&points) * random.sign() * random.size(2e-3, 0.1)
                }
                _ => points[random.below(POINTS)],
            };
        }
        system
    }

    /// The states at a time.
    fn solution(&self, t: f64) -> [f64; 3] {
        let [decay, frequency, position, speed] = self.oscillator;
        let (sin, cos) = (frequency * t).sin_cos();
        let shrunk = (-decay * t).exp();
        let x = shrunk * (position * cos + speed * sin);
        let v = shrunk * frequency * (speed * cos - position * sin) - decay * x;
        let [amplitude, angular, phase] = self.sinusoid;
        let power = |(sum, power): (f64, f64), c: &f64| (sum + c * power, power * t);
        let polynomial = self.polynomial.iter().fold((0.0, t), power).0;
        [x, v, polynomial + amplitude * (angular * t + phase).sin()]
    }

    /// An indicator at equidistant times, and one point after the end.
    fn points(&self, k: usize) -> Vec<f64> {
        let point = |i| self.indicator(k, &self.solution(END * i as f64 / POINTS as f64));
        (0..=POINTS + 1).map(point).collect()
    }

    fn indicator(&self, k: usize, x: &[f64]) -> f64 {
        let weighted = self.weights[k].iter().zip(x).map(|(weight, x)| weight * x);
        weighted.sum::<f64>() - self.thresholds[k]
    }

    /// The times at which the indicators change their sides of zero, or `None` if one of them
    /// begins, ends or turns too near to zero.
    fn crossings(&self) -> Option<Vec<f64>> {
        let mut times = Vec::new();
        for k in 0..2 {
            let points = self.points(k);
            let near = 1e-3 * range(&points);
            if points[0].abs() <= near || points[POINTS].abs() <= near {
                return None;
            }
            for i in 1..=POINTS {
                let [a, b, c] = [points[i - 1], points[i], points[i + 1]];
                if (b - a) * (c - b) <= 0.0 && b.abs() <= near {
                    return None;
                }
                if (a > 0.0) != (b > 0.0) {
                    times.push(END * (i as f64 - b / (b - a)) / POINTS as f64);
                }
            }
        }
        times.sort_by(f64::total_cmp);
        Some(times)
    }
}

/// The difference between the largest and the smallest value, never zero.
fn range(points: &[f64]) -> f64 {
    let highest = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = points.iter().copied().fold(f64::INFINITY, f64::min);
    (highest - lowest).max(1e-6)
}

impl OdeSystem for RandomSystem {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        let [decay, frequency, ..] = self.oscillator;
        dx[0] = x[1];
        dx[1] = -2.0 * decay * x[1] - (decay * decay + frequency * frequency) * x[0];
        let [amplitude, angular, phase] = self.sinusoid;
        let slope =
            |(sum, i, power): (f64, f64, f64), c: &f64| (sum + i * c * power, i + 1.0, power * t);
        dx[2] = self.polynomial.iter().fold((0.0, 1.0, 1.0), slope).0
            + amplitude * angular * (angular * t + phase).cos();
        Ok(())
    }

    fn indicators(&mut self, _: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        z.iter_mut().enumerate().for_each(|(k, z)| *z = self.indicator(k, x));
        Ok(())
    }

    fn affine_indicator(&self, k: usize, f: &mut dyn FnMut(usize, f64)) -> bool {
        if self.affine {
            self.weights[k].iter().enumerate().for_each(|(state, weight)| f(state, *weight));
        }
        self.affine
    }

    fn jacobian(&mut self, _: f64, _: &[f64], j: &mut [f64], dfdt: &mut [f64]) -> Result<(), Stop> {
        j.fill(f64::NAN);
        dfdt.fill(f64::NAN);
        Ok(())
    }

    fn end_of_trial(&mut self) {}

    fn accept(&mut self, _: f64, _: &[f64]) -> Result<(), Stop> {
        Ok(())
    }
}

// FMI: B035
#[test]
fn no_crossing_is_lost_in_ten_thousand_random_systems() {
    check_systems(Method::Tsit5);
}

// FMI: B035
#[test]
fn no_crossing_is_lost_in_ten_thousand_random_systems_with_long_steps() {
    check_systems(Method::Dop853);
}

fn check_systems(method: Method) {
    let mut random = Random(7);
    let nominal = [1.0; 3];
    let settings = settings(&nominal, 2, method, 1e-7);
    let (mut systems, mut crossings) = (0, 0);
    let mut samples = [0; 2];
    while systems < 10_000 {
        let affine = systems % 2 == 0;
        let mut system = RandomSystem::new(&mut random, affine);
        let Some(expected) = system.crossings() else { continue };
        let mut state = fresh(&settings);
        settings.restart(&mut state, 0.0, &system.solution(0.0), &mut system).unwrap();
        let mut found = Vec::new();
        while let Some(t) = next_event(&settings, &mut state, &mut system, END) {
            let simultaneous = settings.crossed(&state).iter().filter(|c| **c != 0.0).count();
            found.extend(vec![t; simultaneous]);
            let x = settings.states(&state).to_vec();
            settings.restart(&mut state, t, &x, &mut system).unwrap();
        }
        assert_eq!(found.len(), expected.len(), "system {systems}: {found:?} {expected:?}");
        for (t, expected) in found.iter().zip(&expected) {
            assert!((t - expected).abs() < 2e-3, "system {systems}: {t} {expected}");
        }
        samples[usize::from(affine)] += Integrator::statistics(&state).indicators;
        systems += 1;
        crossings += expected.len();
    }
    assert!(crossings > 20_000, "{crossings} crossings");
    let [sampled, bounded] = samples;
    assert!(bounded * 10 < sampled * 9, "bounds save samples: {bounded} of {sampled}");
}
