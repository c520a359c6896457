//! Loads on the moving parts, from the laws on positions and speeds.

pub mod awaited_values;
pub mod gravity;
pub mod inertia_check;
pub mod mass_and_forces;
pub mod moving_parts;
pub mod parallel_axes;
pub mod prescribed_signals;
pub mod rotors;
pub mod summation;
pub mod support_reactions;
pub mod temperatures;

use super::build_context::BuildContext;
use super::kinematics::Kinematics;
use super::states::motion_basis::MotionBasis;
use super::states::motion_placeholders::MotionPlaceholders;
use crate::error::Error;
use crate::ids::ComponentId;
use crate::port::PortId;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::laws::signal_view::{KnownMotion, Signal, SignalView};
use crate::statements::laws::velocity_view::{Statements, VelocityLaw, VelocityView};
use awaited_values::AwaitedValues;
use prescribed_signals::InitialAccelerationTarget;
use temperatures::Temperatures;

/// Loads on all moving parts, and everything else that laws on positions and speeds state.
pub struct Loads<'a> {
    /// The view in which laws are evaluated, with the values that they have set.
    pub view: SignalView<'a>,
    /// Numbers at the start.
    pub numeric: Numeric,
    /// Temperatures of heat nodes.
    pub temperatures: Temperatures,
    /// Friction elements, impulse rows, and laws that need accelerations.
    pub statements: Statements,
    /// Values that replace placeholders.
    pub awaited: AwaitedValues,
    /// Initial conditions on accelerations.
    pub targets: Vec<InitialAccelerationTarget>,
    /// The signals in the order in which components contributed them.
    signals: Vec<PortId>,
}

impl<'a> Loads<'a> {
    /// No loads yet: the view of the motion in which signals and laws are evaluated.
    pub fn new(
        basis: MotionBasis<'a>,
        kinematics: &'a Kinematics,
        signals: Vec<(PortId, Signal)>,
        mut build: BuildContext<'a>,
    ) -> Result<Self, Error> {
        let structure = &basis.topology.structure;
        let temperatures = Temperatures::declare(structure, &mut build)?;
        let circuits = circuits::declare(structure, &mut build.numeric)?;
        let known = KnownMotion {
            coordinates: &kinematics.coordinates,
            frames: &kinematics.frames,
            names: &structure.names,
            declarations: &structure.declarations,
            flanges: structure.flanges.ends.iter().map(|end| end.port).collect(),
            temperatures: temperatures.by_node(),
            heat_links: temperatures.links.clone(),
            circuits,
            clocks: &structure.clocks.of_components,
            impulsive: structure.impulsive,
            searches_start: basis.initial.searched,
        };
        let order = signals.iter().map(|signal| signal.0).collect();
        let mut view = SignalView::new(build.model, known, signals);
        circuits::publish(structure, &mut view);
        Ok(Loads {
            view,
            numeric: build.numeric,
            temperatures,
            statements: Statements::default(),
            awaited: AwaitedValues::default(),
            targets: Vec::new(),
            signals: order,
        })
    }

    /// Evaluates laws, all signals, and prescribed motions.
    pub fn evaluate(
        mut self,
        laws: Vec<(ComponentId, VelocityLaw)>,
        placeholders: MotionPlaceholders,
        kinematics: &Kinematics,
    ) -> Result<Self, Error> {
        let (mut view, statements) = VelocityView::evaluate(self.view, laws)?;
        for &signal in &self.signals {
            view.component = signal.component;
            view.read(signal)?;
        }
        let (motions, awaited) = (&kinematics.prescribed_motions, &mut self.awaited);
        let targets = prescribed_signals::evaluate(placeholders, motions, &mut view, awaited)?;
        Ok(Loads { view, statements, targets, ..self })
    }
}
