//! The texts of all models, compiled into the tests.

use equations::{Error, Ex, Model, Program, Shape, Strike, impulses};
use mechanics::Assembly;

#[path = "../../models/actuated_drive/src/model.rs"]
mod actuated_drive;
#[path = "../../models/backlash/src/model.rs"]
mod backlash;
#[path = "../../models/bevel_gear1d/src/model.rs"]
mod bevel_gear1d;
#[path = "../../models/bouncing_ball/src/model.rs"]
mod bouncing_ball;
#[path = "../../models/bouncing_pendulum/src/model.rs"]
mod bouncing_pendulum;
#[path = "../../models/bouncing_spherical/src/model.rs"]
mod bouncing_spherical;
#[path = "../../models/brake/src/model.rs"]
mod brake;
#[path = "../../models/bullet_on_pendulum/src/model.rs"]
mod bullet_on_pendulum;
#[path = "../../models/coupled_clutches/src/model.rs"]
mod coupled_clutches;
#[path = "../../models/cp1/src/model.rs"]
mod cp1;
#[path = "../../models/cp2/src/model.rs"]
mod cp2;
#[path = "../../models/cue_striking_ball/src/model.rs"]
mod cue_striking_ball;
#[path = "../../models/damper/src/model.rs"]
mod damper;
#[path = "../../models/direct_inertia/src/model.rs"]
mod direct_inertia;
#[path = "../../models/double_pendulum/src/model.rs"]
mod double_pendulum;
#[path = "../../models/drivetrain/src/model.rs"]
mod drivetrain;
#[path = "../../models/elasto_gap/src/model.rs"]
mod elasto_gap;
#[path = "../../models/engine1a/src/model.rs"]
mod engine1a;
#[path = "../../models/engine1b/src/model.rs"]
mod engine1b;
#[path = "../../models/engine_v6/src/model.rs"]
mod engine_v6;
#[path = "../../models/first/src/model.rs"]
mod first;
#[path = "../../models/first_grounded/src/model.rs"]
mod first_grounded;
#[path = "../../models/five_ball_cradle/src/model.rs"]
mod five_ball_cradle;
#[path = "../../models/force_and_torque/src/model.rs"]
mod force_and_torque;
#[path = "../../models/four_bar_loop/src/model.rs"]
mod four_bar_loop;
#[path = "../../models/fourbar1/src/model.rs"]
mod fourbar1;
#[path = "../../models/fourbar2/src/model.rs"]
mod fourbar2;
#[path = "../../models/fourbar_analytic/src/model.rs"]
mod fourbar_analytic;
#[path = "../../models/free_body/src/model.rs"]
mod free_body;
#[path = "../../models/gear_constraint/src/model.rs"]
mod gear_constraint;
#[path = "../../models/impulse_bouncing_ball/src/model.rs"]
mod impulse_bouncing_ball;
#[path = "../../models/init_spring_constant/src/model.rs"]
mod init_spring_constant;
#[path = "../../models/inverse_inertia/src/model.rs"]
mod inverse_inertia;
#[path = "../../models/line_force_with_two_masses/src/model.rs"]
mod line_force_with_two_masses;
#[path = "../../models/lossy_gear_demo1/src/model.rs"]
mod lossy_gear_demo1;
#[path = "../../models/lossy_gear_demo2/src/model.rs"]
mod lossy_gear_demo2;
#[path = "../../models/mixed_model/src/model.rs"]
mod mixed_model;
#[path = "../../models/multibody_heat_losses/src/model.rs"]
mod multibody_heat_losses;
#[path = "../../models/newtons_cradle/src/model.rs"]
mod newtons_cradle;
#[path = "../../models/one_way_clutch/src/model.rs"]
mod one_way_clutch;
#[path = "../../models/oscillator/src/model.rs"]
mod oscillator;
#[path = "../../models/pendulum/src/model.rs"]
mod pendulum;
#[path = "../../models/piston_engine/src/model.rs"]
mod piston_engine;
#[path = "../../models/planar_fourbar/src/model.rs"]
mod planar_fourbar;
#[path = "../../models/point_gravity/src/model.rs"]
mod point_gravity;
#[path = "../../models/resting_ball/src/model.rs"]
mod resting_ball;
#[path = "../../models/revolute_constraint/src/model.rs"]
mod revolute_constraint;
#[path = "../../models/rolling_wheel/src/model.rs"]
mod rolling_wheel;
#[path = "../../models/rolling_wheel_set_driving/src/model.rs"]
mod rolling_wheel_set_driving;
#[path = "../../models/rotational_eddy_current_brake/src/model.rs"]
mod rotational_eddy_current_brake;
#[path = "../../models/rotational_friction/src/model.rs"]
mod rotational_friction;
#[path = "../../models/rotational_generation_of_fmus/src/model.rs"]
mod rotational_generation_of_fmus;
#[path = "../../models/rotor1d/src/model.rs"]
mod rotor1d;
#[path = "../../models/sign_convention/src/model.rs"]
mod sign_convention;
#[path = "../../models/spherical_constraint/src/model.rs"]
mod spherical_constraint;
#[path = "../../models/spring_damper/src/model.rs"]
mod spring_damper;
#[path = "../../models/surfaces/src/model.rs"]
mod surfaces;
#[path = "../../models/test_bench/src/model.rs"]
mod test_bench;
#[path = "../../models/three_springs/src/model.rs"]
mod three_springs;
#[path = "../../models/torque_source/src/model.rs"]
mod torque_source;
#[path = "../../models/translational_eddy_current_brake/src/model.rs"]
mod translational_eddy_current_brake;
#[path = "../../models/translational_friction/src/model.rs"]
mod translational_friction;
#[path = "../../models/translational_generation_of_fmus/src/model.rs"]
mod translational_generation_of_fmus;
#[path = "../../models/tumbling_body/src/model.rs"]
mod tumbling_body;
#[path = "../../models/user_defined_gravity_field/src/model.rs"]
mod user_defined_gravity_field;
#[path = "../../models/vehicle/src/model.rs"]
mod vehicle;

/// A model text: equations, or an assembly of components.
enum Text {
    Equations(fn(&mut Model)),
    Mechanics(fn(&mut Assembly)),
}

/// A model.
pub struct ModelText {
    /// The name of its crate.
    pub package: &'static str,
    /// Its FMI name.
    pub name: &'static str,
    source: &'static str,
    /// The folder with its resources.
    pub resources: &'static str,
    text: Text,
}

/// Gives all models to a macro, each as `package "Name" Kind;`.
#[macro_export]
macro_rules! for_models {
    ($then:ident) => {
        $then! {
            actuated_drive "ActuatedDrive" Mechanics;
            backlash "Backlash" Mechanics;
            bevel_gear1d "BevelGear1d" Mechanics;
            bouncing_ball "BouncingBall" Equations;
            bouncing_pendulum "BouncingPendulum" Mechanics;
            bouncing_spherical "BouncingSpherical" Mechanics;
            brake "Brake" Mechanics;
            bullet_on_pendulum "BulletOnPendulum" Mechanics;
            coupled_clutches "CoupledClutches" Mechanics;
            cp1 "Cp1" Mechanics;
            cp2 "Cp2" Mechanics;
            cue_striking_ball "CueStrikingBall" Mechanics;
            damper "Damper" Mechanics;
            direct_inertia "DirectInertia" Mechanics;
            double_pendulum "DoublePendulum" Mechanics;
            drivetrain "Drivetrain" Mechanics;
            elasto_gap "ElastoGap" Mechanics;
            engine1a "Engine1a" Mechanics;
            engine1b "Engine1b" Mechanics;
            engine_v6 "EngineV6" Mechanics;
            first "First" Mechanics;
            first_grounded "FirstGrounded" Mechanics;
            five_ball_cradle "FiveBallCradle" Mechanics;
            force_and_torque "ForceAndTorque" Mechanics;
            four_bar_loop "FourBarLoop" Mechanics;
            fourbar1 "Fourbar1" Mechanics;
            fourbar2 "Fourbar2" Mechanics;
            fourbar_analytic "FourbarAnalytic" Mechanics;
            free_body "FreeBody" Mechanics;
            gear_constraint "GearConstraint" Mechanics;
            impulse_bouncing_ball "ImpulseBouncingBall" Mechanics;
            init_spring_constant "InitSpringConstant" Mechanics;
            inverse_inertia "InverseInertia" Mechanics;
            line_force_with_two_masses "LineForceWithTwoMasses" Mechanics;
            lossy_gear_demo1 "LossyGearDemo1" Mechanics;
            lossy_gear_demo2 "LossyGearDemo2" Mechanics;
            mixed_model "MixedModel" Mechanics;
            multibody_heat_losses "MultibodyHeatLosses" Mechanics;
            newtons_cradle "NewtonsCradle" Mechanics;
            one_way_clutch "OneWayClutch" Mechanics;
            oscillator "Oscillator" Mechanics;
            pendulum "Pendulum" Mechanics;
            piston_engine "PistonEngine" Mechanics;
            planar_fourbar "PlanarFourbar" Mechanics;
            point_gravity "PointGravity" Mechanics;
            resting_ball "RestingBall" Mechanics;
            revolute_constraint "RevoluteConstraint" Mechanics;
            rolling_wheel "RollingWheel" Mechanics;
            rolling_wheel_set_driving "RollingWheelSetDriving" Mechanics;
            rotational_eddy_current_brake "RotationalEddyCurrentBrake" Mechanics;
            rotational_friction "RotationalFriction" Mechanics;
            rotational_generation_of_fmus "RotationalGenerationOfFmus" Mechanics;
            rotor1d "Rotor1d" Mechanics;
            sign_convention "SignConvention" Mechanics;
            spherical_constraint "SphericalConstraint" Mechanics;
            spring_damper "SpringDamper" Mechanics;
            surfaces "Surfaces" Mechanics;
            test_bench "TestBench" Mechanics;
            three_springs "ThreeSprings" Mechanics;
            torque_source "TorqueSource" Equations;
            translational_eddy_current_brake "TranslationalEddyCurrentBrake" Mechanics;
            translational_friction "TranslationalFriction" Mechanics;
            translational_generation_of_fmus "TranslationalGenerationOfFmus" Mechanics;
            tumbling_body "TumblingBody" Mechanics;
            user_defined_gravity_field "UserDefinedGravityField" Mechanics;
            vehicle "Vehicle" Mechanics;
        }
    };
}

macro_rules! texts {
    ($($package:ident $name:literal $kind:ident;)*) => {
        /// All models.
        pub const ALL: &[ModelText] = &[$(ModelText {
            package: stringify!($package),
            name: $name,
            source: include_str!(concat!("../../models/", stringify!($package), "/src/model.rs")),
            resources: concat!(
                env!("CARGO_MANIFEST_DIR"), "/../models/", stringify!($package), "/resources"
            ),
            text: Text::$kind($package::$package),
        },)*];
    };
}

for_models!(texts);

/// What emitted code can say and no model says.
pub const UNUSUAL: ModelText = ModelText {
    package: "unusual",
    name: "Unusual",
    source: "//! What emitted code can say and no model says.",
    resources: "",
    text: Text::Equations(unusual),
};

/// Tables in the model text, also inside a nonlinear block.
fn unusual(m: &mut Model) {
    let shape = Shape { columns: 3, jumps: true, periodic: false };
    let rows = [[-1.0, 0.0, 5.0], [0.0, 0.5, 6.0], [0.0, 1.0, 8.0], [2.0, 4.0, 9.0]];
    let table = match m.table_rows("table", rows.concat(), shape) {
        Ok(table) => table,
        Err(error) => return m.refuse(error),
    };
    let x: Ex = m.state("x", 0.3).done();
    let held = table.line_held(2, table.count(x), x);
    let z = Ex::symbol();
    let inside = table.guard(z * 1e-3, table.line(1, table.count(z), z));
    let z = m.newton("block", &[z], &[3.0 * z + inside - x], &[x])[0];
    m.derivative(x, held - z);
    m.output("y", table.guard(x * 1e-3, z)).done();
    m.output("rows", table.entry(0, table.rows())).done();
    impacts(m, x);
}

/// A large pass of impacts at an event: a body on feet of which some are struck.
fn impacts(m: &mut Model, x: Ex) {
    let feet = 12;
    let u: Vec<Ex> = (0..6).map(|i| m.state(&format!("u[{i}]"), -0.4).done()).collect();
    let mut rows: Vec<[Ex; 6]> = Vec::new();
    let mut contacts = Vec::new();
    for foot in 0..feet {
        let (s, c) = (x + 0.7 * f64::from(foot)).sin_cos();
        let (zero, one) = (Ex::zero(), Ex::one());
        rows.push([zero, one, zero, s, zero, c]);
        let friction = (foot % 3 != 0).then_some(0.3 + 0.1 * s);
        if friction.is_some() {
            rows.push([one, zero, zero, zero, c, zero]);
            rows.push([zero, zero, one, zero, s, zero]);
        }
        let struck = (c + 0.8).gt(0.0);
        contacts.push(Strike { struck, restitution: 0.5 + 0.5 * c, friction });
    }
    let product = |a: &[Ex], b: &[Ex]| a.iter().zip(b).map(|(&a, &b)| a * b).sum::<Ex>();
    let w: Vec<Vec<Ex>> =
        rows.iter().map(|a| rows.iter().map(|b| product(a, b)).collect()).collect();
    let v: Vec<Ex> = rows.iter().map(|row| product(row, &u)).collect();
    let p = impulses(&w, &v, &contacts);
    let strike = m.relation("strike", -x).done();
    let strike = m.when("strikes", strike);
    for (i, &speed) in u.iter().enumerate() {
        let kick = rows.iter().zip(&p).map(|(row, &p)| row[i] * p).sum::<Ex>();
        m.derivative(speed, -speed);
        m.reinit(speed, strike, speed + kick);
    }
    m.output("push", p[0]).done();
}

impl ModelText {
    /// Traces and orders the model, as its build script does.
    ///
    /// # Errors
    /// The first mistake in the model.
    pub fn program(&self) -> Result<Program, Error> {
        let documentation = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let documentation: Vec<&str> =
            documentation.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        equations::compile_named(self.name, &documentation.join("\n"), |model| {
            model.resources(self.resources);
            match self.text {
                Text::Equations(text) => text(model),
                Text::Mechanics(text) => {
                    if let Err(error) = mechanics::assemble(text, model) {
                        model.refuse(Error::Definition(error.to_string()));
                    }
                }
            }
        })
    }
}
