//! The equations of a model in generalised coordinates, as numbers.
//!
//! For `n` coordinates with speeds `v`, the velocity of a frame is `J v` plus the contribution of
//! prescribed motions. The equations of motion are `M a + k = Q` with the mass matrix `M`, the
//! inertia forces `k` at constant speeds and the applied forces `Q`. Forces of ideal joints do no
//! work and do not occur.
//!
//! These quantities are computed by projection on partial velocities. The accelerations of the
//! model come from a recursion along the tree, which these quantities therefore check
//! independently.

use crate::assembly::Assembly;
use crate::compile::inspect;
pub use crate::compile::publication::generalized::CoordinateLayout;
use crate::compile::publication::generalized::{self, FrameLayout, Layout};
use crate::error::Error;
use equations::compile_named;
use fmu_runtime::Simulation;
use nalgebra::{DMatrix, DVector, Matrix3, Matrix3xX, Vector3};
use std::ops::Range;
use std::sync::Arc;

/// A model whose equations can be evaluated in any configuration.
///
/// The generalised coordinates are the positions among the model's states: coordinates of joints,
/// positions of flanges, and relative positions. The orientation of a free body is a quaternion,
/// and its angular velocity in its own axes represents its speeds. Coordinates that loops determine
/// are solved for. Drive trains whose housings are moving parts are not supported.
///
/// # Example
/// A pendulum of length `l` with its mass at the end: `M = m l^2 + I`, `Q = -m g l cos(phi)`.
///
/// ```
/// use libraries::multibody::*;
/// use libraries::prelude::*;
/// use mechanics::Mechanism;
///
/// # fn main() -> Result<(), mechanics::Error> {
/// let mut pendulum = Mechanism::new(|m| {
///     let world = m.add("world", World::new());
///     let rev = m.add("rev", Revolute::new().n(Z));
///     let body = m.add("body", Body::new().m(2.0).r_cm([0.5, 0.0, 0.0]));
///     m.connect(world.frame_b, rev.frame_a);
///     m.connect(rev.frame_b, body.frame_a);
/// })?;
/// let here = pendulum.at(0.0, &[("rev.phi", 0.3), ("rev.w", 1.0)])?;
/// assert!((here.mass[(0, 0)] - (2.0 * 0.25 + 0.001)).abs() < 1e-12);
/// assert!((here.forces[0] + 2.0 * 9.80665 * 0.5 * 0.3_f64.cos()).abs() < 1e-12);
/// assert!((here.mass[(0, 0)] * here.accelerations[0] - here.forces[0]).abs() < 1e-12);
/// let frame = here.frame("body.frame_a")?;
/// assert_eq!(frame.jacobian_r.column(0).as_slice(), [0.0, 0.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Mechanism {
    simulation: Simulation,
    layout: Layout,
}

/// The equations in one configuration; rows and columns have the order of
/// [`Mechanism::coordinates`].
#[derive(Clone, Debug)]
pub struct Configuration<'a> {
    layout: &'a Layout,
    values: Vec<f64>,
    /// Speeds in rad/s or m/s.
    pub speeds: DVector<f64>,
    /// Accelerations computed by the model, in rad/s2 or m/s2.
    pub accelerations: DVector<f64>,
    /// Mass matrix `M` in kg.m2, kg.m or kg: `J' Mbar J`, summed over bodies and inertias of
    /// flanges.
    pub mass: DMatrix<f64>,
    /// Inertia forces `k` at constant speeds, in N.m or N.
    pub bias: DVector<f64>,
    /// Applied forces `Q` in N.m or N: gravity, force elements, friction.
    pub forces: DVector<f64>,
}

/// A frame in one configuration, in world axes.
#[derive(Clone, Debug)]
pub struct FrameMotion {
    /// Position in m.
    pub r: Vector3<f64>,
    /// Orientation, which maps world coordinates to those of the frame.
    pub t: Matrix3<f64>,
    /// Velocity in m/s.
    pub v: Vector3<f64>,
    /// Angular velocity in rad/s.
    pub w: Vector3<f64>,
    /// `J_T`: derivatives of the velocity with respect to the speeds.
    pub jacobian_t: Matrix3xX<f64>,
    /// `J_R`: derivatives of the angular velocity with respect to the speeds.
    pub jacobian_r: Matrix3xX<f64>,
    /// Acceleration at constant speeds, in m/s2.
    pub a_bias: Vector3<f64>,
    /// Angular acceleration at constant speeds, in rad/s2.
    pub z_bias: Vector3<f64>,
}

impl Mechanism {
    /// Traces a model text and determines its initial configuration.
    ///
    /// # Errors
    /// The text has an error, or there are no consistent initial values.
    pub fn new(text: impl FnOnce(&mut Assembly)) -> Result<Mechanism, Error> {
        let mut assembly = Assembly::new();
        text(&mut assembly);
        let netlist = assembly.into_netlist();
        let mut traced = Err(Error::Structure("the model is empty".to_owned()));
        let program = compile_named("Mechanism", "Generalised coordinates.", |model| {
            traced = inspect(&netlist, model);
        });
        let layout = traced?;
        let program = program?;
        let simulation = Simulation::of(&Arc::new(program.taped())).map_err(failed)?;
        let mut simulation = simulation.with_aliases(program.aliases());
        simulation.start(None).map_err(failed)?;
        Ok(Mechanism { simulation, layout })
    }

    /// The coordinates, by the names of their states.
    pub fn coordinates(&self) -> &[CoordinateLayout] {
        &self.layout.coordinates
    }

    /// The names of all frames.
    pub fn frames(&self) -> impl Iterator<Item = &str> {
        self.layout.nodes.keys().map(String::as_str)
    }

    /// The equations at time `t` in s, with new values of some states; the others do not change.
    /// The search for closed loops starts at the previous configuration.
    ///
    /// # Errors
    /// A name is not that of a state, or the configuration cannot be reached.
    pub fn at(&mut self, t: f64, states: &[(&str, f64)]) -> Result<Configuration<'_>, Error> {
        let mut x = self.simulation.continuous_states().to_vec();
        for &(name, value) in states {
            let of = self.simulation.info().states.iter().position(|state| state.name == name);
            let none = || Error::Parameter(format!("{name}: it is not a continuous state"));
            x[of.ok_or_else(none)?] = value;
        }
        let before = self.simulation.fmu_state();
        if let Err(error) = self.move_to(t, &x) {
            self.simulation.set_fmu_state(&before).map_err(failed)?;
            return Err(error);
        }
        self.configuration()
    }

    /// The value of a variable of the model in the present configuration.
    pub fn value(&mut self, name: &str) -> Option<f64> {
        self.simulation.read(name).ok()
    }

    /// Moves to a configuration and to consistent modes. If contacts meet there, it is the
    /// configuration before their impact.
    fn move_to(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        self.simulation.move_to(t, x).map_err(|why| {
            Error::Initial(format!("the configuration at t = {t} s cannot be reached: {why}"))
        })?;
        self.simulation.run_to(t).map_err(failed)?;
        self.simulation.move_to(t, x).map_err(failed)
    }

    fn configuration(&mut self) -> Result<Configuration<'_>, Error> {
        let value = |k| self.simulation.read(&generalized::name(k)).map_err(failed);
        let values = (0..self.layout.count).map(value).collect::<Result<Vec<f64>, Error>>()?;
        let layout = &self.layout;
        let n = layout.coordinates.len();
        let vector = |range: &Range<usize>| DVector::from_column_slice(&values[range.clone()]);
        Ok(Configuration {
            speeds: vector(&layout.speeds),
            accelerations: vector(&layout.accelerations),
            mass: DMatrix::from_row_slice(n, n, &values[layout.mass.clone()]),
            bias: vector(&layout.bias),
            forces: vector(&layout.forces),
            layout,
            values,
        })
    }
}

fn failed(why: fmu_runtime::simulation::Error) -> Error {
    Error::Initial(why.to_string())
}

impl Configuration<'_> {
    /// A frame by its full name, for example `arm.frame_b`.
    ///
    /// # Errors
    /// There is no frame of this name.
    pub fn frame(&self, name: &str) -> Result<FrameMotion, Error> {
        let layout = self.layout.nodes.get(name).and_then(|node| self.layout.frames.get(node));
        let Some(FrameLayout { r, t, velocity, jacobian, bias }) = layout else {
            return Err(Error::Parameter(format!("{name}: there is no frame of this name")));
        };
        let values = |range: &Range<usize>| &self.values[range.clone()];
        let triple = |range: &Range<usize>, k: usize| {
            Vector3::from_column_slice(&values(range)[3 * k..3 * k + 3])
        };
        // Each speed has six values, the angular ones first.
        let n = jacobian.len() / 6;
        let columns = |first: usize| {
            let of = move |k: usize| 6 * k + first..6 * k + first + 3;
            Matrix3xX::from_iterator(n, (0..n).flat_map(of).map(|i| values(jacobian)[i]))
        };
        Ok(FrameMotion {
            r: triple(r, 0),
            t: Matrix3::from_row_slice(values(t)),
            v: triple(velocity, 1),
            w: triple(velocity, 0),
            jacobian_t: columns(3),
            jacobian_r: columns(0),
            a_bias: triple(bias, 1),
            z_bias: triple(bias, 0),
        })
    }
}
