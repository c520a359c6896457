//! The libraries with their components, as a table for documentation, other front ends and other
//! languages.

use mechanics::Error;
use mechanics::assembly::{Class, ComponentLibrary, Registry};

mod kinds;

pub use kinds::{CHOICES, FACTS, KINDS, ParameterKind};

/// A library and its components, which are types of the module with its name; then the components
/// that only its groups add.
macro_rules! library {
    (
        $name:ident: $text:literal;
        $($Component:ident),* $(,)? $(; $($Inner:ident),* $(,)?)?
    ) => {
        ComponentLibrary {
            name: stringify!($name),
            text: $text,
            components: &[$(Class::of::<crate::$name::$Component>(stringify!($name))),*],
            inner: &[$($(Class::of::<crate::$name::$Inner>(stringify!($name))),*)?],
        }
    };
}

/// All libraries of this package.
pub const LIBRARIES: &[ComponentLibrary] = &[
    library! {
        rotational: "Drive trains with rotation about one axis.";
        Inertia, Disc, Fixed, Spring, Damper, SpringDamper, ElastoBacklash, ElastoBacklash2,
        IdealGear, IdealPlanetary, LossyGear, Gearbox, IdealGearR2T, IdealRollingWheel, Rotor1D,
        Clutch, OneWayClutch, Brake, BearingFriction,
        Torque, Torque2, ConstantTorque, TorqueStep, LinearSpeedDependentTorque,
        QuadraticSpeedDependentTorque, InverseSpeedDependentTorque, SignTorque, EddyCurrentTorque,
        ConstantSpeed, Speed, Position, Accelerate, Move,
        AngleSensor, SpeedSensor, AccSensor, RelAngleSensor, RelSpeedSensor, RelAccSensor,
        TorqueSensor, PowerSensor, MultiSensor,
        AngleToTorqueAdaptor, TorqueToAngleAdaptor, GeneralAngleToTorqueAdaptor,
        GeneralTorqueToAngleAdaptor, RelativeStates, InitializeFlange;
        Whole,
    },
    library! {
        translational: "Drive trains with translation along one axis.";
        Mass, Rod, Fixed, Spring, Damper, SpringDamper, ElastoGap, GasForce2,
        IdealGearR2T, IdealRollingWheel, Brake, SupportFriction, MassWithStopAndFriction,
        RollingResistance, Vehicle,
        Force, Force2, ConstantForce, ForceStep, LinearSpeedDependentForce,
        QuadraticSpeedDependentForce, InverseSpeedDependentForce, SignForce, EddyCurrentForce,
        ConstantSpeed, Speed, Position, Accelerate, Move,
        PositionSensor, SpeedSensor, AccSensor, RelPositionSensor, RelSpeedSensor, RelAccSensor,
        ForceSensor, PowerSensor, MultiSensor,
        PositionToForceAdaptor, ForceToPositionAdaptor, GeneralPositionToForceAdaptor,
        GeneralForceToPositionAdaptor, RelativeStates, InitializeFlange,
    },
    library! {
        multibody: "Mechanisms in space. The descriptions of axes and vectors name the frame in \
                    which they are resolved.";
        World, Body, BodyShape, BodyBox, BodyCylinder, PointMass, Fixed, FixedTranslation,
        FixedRotation, RollingWheel, RollingWheelSet, Rotor1D, Mounting1D, BevelGear1D,
        Revolute, Prismatic, Spherical, Universal, Cylindrical, Planar, FreeMotion,
        FreeMotionScalarInit, GearConstraint, RollingWheelJoint, RollingWheelSetJoint,
        RevolutePlanarLoopConstraint, SphericalSpherical, UniversalSpherical,
        JointUSR, JointUSP, JointSSR, JointSSP, JointRRR, JointRRP, JointUPS,
        RevoluteConstraint, SphericalConstraint, UniversalConstraint, PrismaticConstraint,
        Force, Torque, ForceAndTorque, WorldForce, WorldTorque, WorldForceAndTorque,
        Spring, Damper, SpringDamperParallel, SpringDamperSeries, LineForceWithMass,
        LineForceWithTwoMasses,
        AbsoluteSensor, AbsolutePosition, AbsoluteVelocity, AbsoluteAngles,
        AbsoluteAngularVelocity, RelativeSensor, RelativePosition, RelativeVelocity,
        RelativeAngles, RelativeAngularVelocity, Distance, TransformAbsoluteVector,
        TransformRelativeVector, CutForce, CutTorque, CutForceAndTorque, Power,
        FixedFrame, FixedArrow, SignalArrow, FixedShape, FixedShape2, Torus, VoluminousWheel,
        Rectangle, PipeWithScalarField;
        Shown,
    },
    library! {
        impulses: "Models with impacts: contacts, joints and parts; start values are in degrees.";
        Body, SimpleBody, FreeBodyMovement, PotentialFBM, FreeTranslationalMovement, GravityPool,
        Revolute, PlanarRevolute, Prismatic, Spherical, CloseLoop, ConnectContinuousFrame,
        InsertImpulse, Spring, Damping,
        CollisionSpherePlane, CollisionSphereSphere, CollisionSphereCylinder, CollisionPool,
        EnergyInjection,
    },
    library! {
        thermal: "Heat transfer, for example of losses.";
        HeatCapacitor, FixedTemperature, CelsiusTemperature, PrescribedTemperature,
        CelsiusPrescribedTemperature, FixedHeatFlow, PrescribedHeatFlow, ThermalConductor,
        ThermalResistor, Convection, ConvectiveResistor, BodyRadiation, ThermalCollector,
        TemperatureSensor, CelsiusTemperatureSensor, RelTemperatureSensor, HeatFlowSensor,
        FromKelvin, ToKelvin,
    },
    library! {
        signals: "Signals, which the prelude contains. A unit that is not given here is that of \
                  the connected signals.";
        ExternalInput, ExternalBoolean, ExternalInteger, Constant, Step, Ramp, Sine, Cosine,
        ExpSine, Pulse, Trapezoid, KinematicPTP, CombiTimeTable, CombiTable1D, CombiTable1Dv, CombiTable2Ds, CombiTable2Dv, Gain, Add, Add3,
        Feedback, Product, Abs, Limiter, GreaterThreshold, GreaterEqualThreshold, LessThreshold,
        LessEqualThreshold, Integrator, FirstOrder, PI, CriticalDamping, Der,
    },
    library! {
        electrical: "Circuits.";
        Ground, Idle, Short, Resistor, Conductor, VariableResistor, VariableConductor,
        Potentiometer, Capacitor, Inductor, VariableCapacitor, VariableInductor,
        SaturatingInductor, Transformer, IdealTransformer, Gyrator, VCV, VCC, CCV, CCC,
        RotationalEMF, TranslationalEMF,
        IdealOpAmp, IdealOpAmp3Pin, IdealOpAmpLimited, IdealizedOpAmpLimited, OpAmpLimited, OpAmp,
        OpAmpDetailed,
        IdealDiode, IdealThyristor, IdealGTOThyristor, IdealTriac, Diode, Diode2, ZDiode,
        IdealClosingSwitch, IdealOpeningSwitch, IdealTwoWaySwitch, IdealIntermediateSwitch,
        CloserWithArc, OpenerWithArc, ControlledIdealClosingSwitch, ControlledIdealOpeningSwitch,
        ControlledIdealTwoWaySwitch, ControlledIdealIntermediateSwitch, ControlledCloserWithArc,
        ControlledOpenerWithArc,
        ConstantVoltage, SignalVoltage, SupplyVoltage, DCPowerSupply, StepVoltage, RampVoltage, SineVoltage,
        CosineVoltage, ExpSineVoltage, ExponentialsVoltage, PulseVoltage, SawToothVoltage,
        TrapezoidVoltage, TableVoltage, SineVoltageVariableFrequencyAndAmplitude,
        CosineVoltageVariableFrequencyAndAmplitude,
        ConstantCurrent, SignalCurrent, StepCurrent, RampCurrent, SineCurrent, CosineCurrent,
        ExpSineCurrent, ExponentialsCurrent, PulseCurrent, SawToothCurrent, TrapezoidCurrent,
        TableCurrent, SineCurrentVariableFrequencyAndAmplitude,
        CosineCurrentVariableFrequencyAndAmplitude,
        PotentialSensor, VoltageSensor, CurrentSensor, PowerSensor, MultiSensor,
        GeneralCurrentToVoltageAdaptor, GeneralVoltageToCurrentAdaptor;
        Gate,
    },
    library! {
        machines: "Electrical machines.";
        DC_PermanentMagnet, DC_ElectricalExcited, DC_SeriesExcited, SM_PermanentMagnet,
        ToDQ, DQToThreePhase,
    },
    library! {
        batteries: "Batteries.";
        CellStack, CellRCStack, SuperCap, CCCVcharger,
    },
    library! {
        power_converters: "Converters between direct and alternating current.";
        AverageLeg, AverageHBridge, AverageInverter, ChopperStepDown, ChopperStepUp,
        ChopperBuckBoost, SinglePhase2Level, HBridge;
        ChopperTerminals, HalfBridgeTerminals,
    },
    library! {
        blocks: "Blocks beyond those of `signals`: functions, sums, logic, sources, systems with \
                 states, statistics, routing, and conversions of types.";
        Not, LogicalAnd, LogicalOr, LogicalXor, LogicalNand, LogicalNor, And, Or, Xor, Nand, Nor,
        Pre, Edge, FallingEdge, Change, Greater, GreaterEqual, Less, LessEqual, ZeroCrossing,
        Hysteresis, OnOffController, Switch, LogicalSwitch, BooleanMultiSwitch, RSFlipFlop, Timer,
        LogicalDelay, OnDelay, TriggeredTrapezoid, AssertCondition, TerminateSimulation,
        BooleanConstant, BooleanStep, BooleanPulse, BooleanTable, SampleTrigger, IntegerConstant,
        IntegerStep, IntegerTable, TimeTable, RealExpression, IntegerExpression, BooleanExpression,
        ContinuousClock, Sinc, Exponentials, SawTooth, LogFrequencySweep, KinematicPTP2,
        SineVariableFrequencyAndAmplitude, CosineVariableFrequencyAndAmplitude, BooleanToReal, BooleanToInteger, IntegerToReal,
        RealToInteger, RealToBoolean, IntegerToBoolean,
        LimIntegrator, Derivative, SecondOrder, PID, LimPID, TransferFunction, StateSpace,
        LowpassButterworth, Filter, PadeDelay,
        Division, Sign, Sqrt, Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Exp, Log,
        Log10, Power, Exponentiation, WrapAngle, Max, Min, Pythagoras,
        Sum, MultiSum, MultiProduct, MatrixGain, LinearDependency, MinMax, RectangularToPolar,
        PolarToRectangular, MultiSwitch,
        IntegerSum, IntegerProduct, IntegerMultiSwitch, TriggeredAdd,
        Multiplex, DeMultiplex, Replicator, Extractor,
        VariableLimiter, DeadZone, SlewRateLimiter, FixedDelay,
        Mean, RectifiedMean, RootMeanSquare, Harmonic, TotalHarmonicDistortion, ContinuousMean,
        Variance, StandardDeviation, SignalExtrema,
    },
    library! {
        sampled: "Blocks that act at the ticks of clocks: samplers, holds, sampled systems and \
                  controllers.";
        Sampler, ZeroOrderHold, FirstOrderHold, UnitDelay, TransferFunction, StateSpace,
        TriggeredSampler, TriggeredMax, SignalPWM, SampledPID, TracedController,
        OpaqueController, PeriodicRealClock, PeriodicExactClock, SubClock, SuperClock, ShiftClock, Sample,
        SampleClocked, AssignClock, Hold, SubSample, SuperSample, ShiftSample, NonPeriodicPI,
        PeriodicPI, SampleWithADeffects, HoldWithDAeffects,
    },
];

/// The registry of these libraries.
pub fn registry() -> Registry {
    Registry::new(LIBRARIES)
}

/// The class of a path such as `rotational::Inertia`; see [`Registry::class`].
///
/// # Errors
/// There is no such class; the sentence names a similar one.
pub fn class(path: &str) -> Result<&'static Class, Error> {
    registry().class(path)
}

/// The classes that correspond to a class of the Modelica Standard Library; see
/// [`Registry::classes_of`].
pub fn classes_of(modelica: &str) -> Vec<&'static Class> {
    registry().classes_of(modelica).collect()
}
