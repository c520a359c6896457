//! Tests of conserved quantities in long flights of a free body.

use coupler_tests::curves::{Columns, TimeSeries};
use coupler_tests::runs::Run;
use coupler_tests::simulations::{self, value};
use coupler_tests::{Fmu, FmuType};
use fmu_runtime::Simulation;

const MODEL: &str = "TumblingBody";
const ENERGY: &str = "energy.kinetic";

/// An element of the matrix that transforms world coordinates to body coordinates.
fn t(i: usize, j: usize) -> String {
    format!("frame.R.T[{},{}]", i + 1, j + 1)
}

/// A vector of the body.
fn of_body(name: &str) -> [String; 3] {
    std::array::from_fn(|k| format!("body.{name}[{}]", k + 1))
}

/// The motion of the body, with all variables that its momentum needs.
struct Flight(TimeSeries);

impl Flight {
    /// The variables that must be recorded.
    fn record() -> Vec<String> {
        let matrix = (0..9).map(|k| t(k / 3, k % 3));
        let vectors = ["r_0", "v_0", "w_a"].into_iter().flat_map(of_body);
        let quaternion = (1..=4).map(|k| format!("body.Q[{k}]"));
        matrix.chain(vectors).chain(quaternion).chain([ENERGY.to_owned()]).collect()
    }

    fn columns(&self, names: [String; 3]) -> impl Iterator<Item = [f64; 3]> {
        let [x, y, z] = names.map(|name| self.0.column(&name));
        (0..x.len()).map(move |i| [x[i], y[i], z[i]])
    }

    /// The orientation at each time.
    fn orientations(&self) -> Vec<[[f64; 3]; 3]> {
        let rows: [Vec<[f64; 3]>; 3] =
            std::array::from_fn(|i| self.columns(std::array::from_fn(|j| t(i, j))).collect());
        (0..rows[0].len()).map(|n| [rows[0][n], rows[1][n], rows[2][n]]).collect()
    }

    /// The largest element of `T T' - I`.
    fn error_of_orientation(&self) -> f64 {
        let error = |t: &[[f64; 3]; 3], i: usize, j: usize| {
            let product: f64 = (0..3).map(|k| t[i][k] * t[j][k]).sum();
            (product - f64::from(u8::from(i == j))).abs()
        };
        let all = self.orientations();
        let errors = all.iter().flat_map(|t| (0..9).map(move |k| error(t, k / 3, k % 3)));
        errors.fold(0.0, f64::max)
    }

    /// The largest relative change of the energy from its first value.
    fn drift_of_energy(&self) -> f64 {
        let energy = self.0.column(ENERGY);
        energy.iter().map(|e| (e / energy[0] - 1.0).abs()).fold(0.0, f64::max)
    }

    /// The largest relative change of the angular momentum about the centre of mass, in world axes,
    /// from its first value.
    fn drift_of_momentum(&self, inertia: [f64; 3]) -> f64 {
        let moment = |(t, w): (&[[f64; 3]; 3], [f64; 3])| -> [f64; 3] {
            std::array::from_fn(|j| (0..3).map(|i| t[i][j] * inertia[i] * w[i]).sum())
        };
        let all = self.orientations();
        let moments: Vec<[f64; 3]> =
            all.iter().zip(self.columns(of_body("w_a"))).map(moment).collect();
        let size = moments[0].iter().map(|l| l * l).sum::<f64>().sqrt();
        let apart = moments.iter().flat_map(|l| (0..3).map(|k| (l[k] - moments[0][k]).abs()));
        apart.fold(0.0, f64::max) / size
    }

    /// The largest change of the velocity from its first value in m/s.
    fn drift_of_velocity(&self) -> f64 {
        let v: Vec<[f64; 3]> = self.columns(of_body("v_0")).collect();
        v.iter().flat_map(|at| (0..3).map(|k| (at[k] - v[0][k]).abs())).fold(0.0, f64::max)
    }

    /// The largest distance of the quaternion's length from one.
    fn error_of_quaternion(&self) -> f64 {
        let q: [Vec<f64>; 4] =
            std::array::from_fn(|k| self.0.column(&format!("body.Q[{}]", k + 1)));
        let length = |n: usize| q.iter().map(|q| q[n] * q[n]).sum::<f64>().sqrt();
        (0..q[0].len()).map(|n| (length(n) - 1.0).abs()).fold(0.0, f64::max)
    }

    /// How often the body turned over: the number of sign changes of its main spin in body axes.
    fn turns(&self) -> usize {
        let w = self.0.column("body.w_a[2]");
        w.windows(2).filter(|pair| (pair[0] > 0.0) != (pair[1] > 0.0)).count()
    }
}

/// The principal moments of inertia of the body in kg.m2; it has no products of inertia, and its
/// centre of mass is the origin of its frame.
fn inertia(body: &mut Simulation) -> [f64; 3] {
    for zero in ["body.I_21", "body.I_31", "body.I_32", "body.r_CM[1]", "body.r_CM[2]"] {
        assert_eq!(value(body, zero), 0.0, "{zero}");
    }
    ["body.I_11", "body.I_22", "body.I_33"].map(|name| value(body, name))
}

/// Checks a flight of a thousand seconds with the tolerance 1e-12.
fn check(simulate: impl FnOnce(&mut Simulation, &[&str]) -> TimeSeries, limit: f64) {
    let mut body = simulations::named(MODEL);
    simulations::start(&mut body, Some(1e-12), &[]);
    let inertia = inertia(&mut body);
    let record = Flight::record();
    let record: Vec<&str> = record.iter().map(String::as_str).collect();
    let flight = Flight(simulate(&mut body, &record));
    assert_eq!(flight.0.rows.len(), 1001);
    let turns = flight.turns();
    assert!(turns > 50, "the body turns over {turns} times");
    let orientation = flight.error_of_orientation();
    assert!(orientation <= 1e-12, "T T' - I: {orientation:e}");
    let energy = flight.drift_of_energy();
    assert!(energy <= limit, "energy drifts by {energy:e}");
    let momentum = flight.drift_of_momentum(inertia);
    assert!(momentum <= limit, "angular momentum drifts by {momentum:e}");
    let velocity = flight.drift_of_velocity();
    assert!(velocity <= 1e-12, "the velocity drifts by {velocity:e} m/s");
}

#[test]
fn a_tumbling_body_keeps_energy_and_momentum_for_a_thousand_seconds_in_co_simulation() {
    check(|body, record| simulations::table(body, 1.0, 1000.0, record), 1e-10);
}

#[test]
fn a_tumbling_body_keeps_energy_and_momentum_for_a_thousand_seconds_with_cvode() {
    let cvode = |_: &mut Simulation, record: &[&str]| {
        let fmu = Fmu::named(MODEL);
        let (tolerance, stop) = (Some(1e-12), 1000.0);
        let run = Run { tolerance, stop, record, ..Run::of(&fmu, 1.0) };
        run.fmpy(&fmu, FmuType::ModelExchange)
    };
    check(cvode, 1e-7);
}

#[test]
fn a_quaternion_keeps_its_length_for_an_hour_at_a_coarse_tolerance() {
    let mut body = simulations::named(MODEL);
    simulations::start(&mut body, Some(1e-4), &[]);
    let record = Flight::record();
    let record: Vec<&str> = record.iter().map(String::as_str).collect();
    let flight = Flight(simulations::table(&mut body, 1.0, 3600.0, &record));
    let length = flight.error_of_quaternion();
    assert!(length <= 1e-3, "the length of the quaternion is off by {length:e}");
    let orientation = flight.error_of_orientation();
    assert!(orientation <= 1e-12, "T T' - I: {orientation:e}");
}
