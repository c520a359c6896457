//! The symbols of circuits, heat and blocks: their shapes around the centre, for pins at the left
//! and right ends.

/// How a component lies in a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// As it is drawn.
    None,
    /// Along its two pins.
    Passive,
    /// Along its two pins, preferably level: it has no voltage.
    Meter,
    /// Along its two pins; upright, the left one is above.
    Source,
    /// Along two pins; current flows from the left pin to the right pin, if at all, and the left
    /// pin of an upright valve is above.
    Valve,
    /// As a valve; upright, the right one is above.
    Diode,
    /// Below everything that is connected with it.
    Ground,
    /// As it is drawn, with the second input below.
    Difference,
    /// Level, with pairs of pins at the left and right, the lower one of which is a way back.
    Pairs,
}

impl Axis {
    /// Whether it is the line between two pins.
    pub fn is_line(self) -> bool {
        matches!(self, Axis::Passive | Axis::Meter | Axis::Source | Axis::Valve | Axis::Diode)
    }
}

/// What is drawn for types with some names.
#[derive(Debug)]
pub struct Icon {
    /// Names of types, without their packages.
    types: &'static [&'static str],
    pub axis: Axis,
    /// Areas with a filling.
    pub body: &'static str,
    /// Lines.
    pub lines: &'static str,
    /// A text in the middle, which stays level.
    pub text: &'static str,
    /// How far the body reaches upwards and downwards.
    pub reach: f64,
}

/// Names of types.
type Names = &'static [&'static str];

const CIRCLE: &str = "M-15 0A15 15 0 1 1 15 0A15 15 0 1 1 -15 0Z";
const FRAME: &str = "M-32 -22H32V22H-32Z";
const TRIANGLE: &str = "M-9 -10V10L9 0Z";

/// A component with two pins.
const fn two(axis: Axis, types: Names, body: &'static str, lines: &'static str) -> Icon {
    Icon { types, axis, body, lines, text: "", reach: 8.0 }
}

/// A component with two pins: a circle.
const fn circle(axis: Axis, types: Names, lines: &'static str, text: &'static str) -> Icon {
    Icon { types, axis, body: CIRCLE, lines, text, reach: 15.0 }
}

/// A frame with lines.
const fn drawn(types: Names, lines: &'static str) -> Icon {
    Icon { types, axis: Axis::None, body: FRAME, lines, text: "", reach: 22.0 }
}

/// A frame with a text.
const fn written(types: Names, text: &'static str) -> Icon {
    Icon { types, axis: Axis::None, body: FRAME, lines: "", text, reach: 22.0 }
}

/// A shape of its own.
const fn shaped(axis: Axis, types: Names, shape: [&'static str; 3]) -> Icon {
    Icon { types, axis, body: shape[0], lines: shape[1], text: shape[2], reach: 16.0 }
}

use Axis::{Diode, Ground, Meter, Pairs, Passive, Source, Valve};

/// All icons.
const ICONS: &[Icon] = &[
    // Passive elements.
    two(
        Passive,
        &["Resistor", "Conductor", "ThermalResistor", "ThermalConductor"],
        "M-17 -7H17V7H-17Z",
        "M-32 0H-17M17 0H32",
    ),
    two(
        Passive,
        &["VariableResistor", "VariableConductor", "ConvectiveResistor", "Convection"],
        "M-17 -7H17V7H-17Z",
        "M-32 0H-17M17 0H32M-15 13L15 -13M9 -12L15 -13L14 -7",
    ),
    two(
        Passive,
        &["Potentiometer"],
        "M-17 -7H17V7H-17Z",
        "M-32 0H-17M17 0H32M0 -22V-8M-4 -13L0 -8L4 -13",
    ),
    two(Passive, &["Capacitor"], "", "M-32 0H-4M-4 -14V14M4 -14V14M4 0H32"),
    two(
        Passive,
        &["VariableCapacitor"],
        "",
        "M-32 0H-4M-4 -14V14M4 -14V14M4 0H32M-15 13L15 -13M9 -12L15 -13L14 -7",
    ),
    two(
        Passive,
        &["Inductor"],
        "",
        "M-32 0H-20a5 5 0 0 1 10 0a5 5 0 0 1 10 0a5 5 0 0 1 10 0a5 5 0 0 1 10 0H32",
    ),
    two(
        Passive,
        &["SaturatingInductor"],
        "",
        "M-32 0H-20a5 5 0 0 1 10 0a5 5 0 0 1 10 0a5 5 0 0 1 10 0a5 5 0 0 1 10 0H32M-24 -7L-17 -10H17L24 -13",
    ),
    two(
        Passive,
        &["VariableInductor"],
        "",
        "M-32 0H-20a5 5 0 0 1 10 0a5 5 0 0 1 10 0a5 5 0 0 1 10 0a5 5 0 0 1 10 0H32M-15 13L15 -13M9 -12L15 -13L14 -7",
    ),
    two(Passive, &["Short"], "", "M-32 0H32"),
    two(Passive, &["Idle"], "", "M-32 0H-10M10 0H32M-10 -4V4M10 -4V4"),
    // Sources.
    circle(Source, &["ConstantVoltage", "DCPowerSupply"], "M-32 0H32M-27 -8V-2M-30 -5H-24", ""),
    circle(
        Source,
        &[
            "SineVoltage",
            "CosineVoltage",
            "ExpSineVoltage",
            "SineVoltageVariableFrequencyAndAmplitude",
            "CosineVoltageVariableFrequencyAndAmplitude",
        ],
        "M-32 0H-15M15 0H32M-9 0q4.5 -10 9 0t9 0M-27 -8V-2M-30 -5H-24",
        "",
    ),
    circle(
        Source,
        &[
            "StepVoltage",
            "RampVoltage",
            "PulseVoltage",
            "SawToothVoltage",
            "TrapezoidVoltage",
            "TableVoltage",
            "ExponentialsVoltage",
            "SignalVoltage",
        ],
        "M-32 0H32M-27 -8V-2M-30 -5H-24",
        "",
    ),
    circle(
        Passive,
        &[
            "ConstantCurrent",
            "SineCurrent",
            "CosineCurrent",
            "ExpSineCurrent",
            "SineCurrentVariableFrequencyAndAmplitude",
            "CosineCurrentVariableFrequencyAndAmplitude",
            "StepCurrent",
            "RampCurrent",
            "PulseCurrent",
            "SawToothCurrent",
            "TrapezoidCurrent",
            "TableCurrent",
            "ExponentialsCurrent",
            "SignalCurrent",
        ],
        "M-32 0H-15M15 0H32M0 -15V15M22 -4L28 0L22 4",
        "",
    ),
    two(
        Source,
        &["CellStack", "CellRCStack"],
        "",
        "M-32 0H-10M-10 -14V14M-4 -7V7M4 -14V14M10 -7V7M10 0H32M-4 0H4M-20 -8V-2M-23 -5H-17",
    ),
    two(Source, &["SuperCap"], "", "M-32 0H-4M-4 -14V14M4 -14V14M4 0H32M-20 -8V-2M-23 -5H-17"),
    two(Ground, &["Ground"], "", "M0 -22V-2M-16 -2H16M-10 4H10M-4 10H4"),
    // Valves.
    two(Diode, &["IdealDiode", "Diode", "Diode2"], TRIANGLE, "M-32 0H-9M9 0H32M9 -10V10"),
    two(Diode, &["ZDiode"], TRIANGLE, "M-32 0H-9M9 0H32M3 -10H9V10"),
    two(Valve, &["IdealThyristor"], TRIANGLE, "M-32 0H-9M9 0H32M9 -10V10M9 -4L16 -11H0V-22"),
    two(
        Valve,
        &["IdealGTOThyristor"],
        TRIANGLE,
        "M-32 0H-9M9 0H32M9 -10V10M9 -4L16 -11H0V-22M-4 -19L4 -14",
    ),
    two(
        Valve,
        &["IdealTriac"],
        "M-9 -12V0L9 -6ZM9 0V12L-9 6Z",
        "M-32 0H-9M9 0H32M9 -12V0M-9 0V12M9 -12L14 -16H0V-22",
    ),
    two(
        Valve,
        &["IdealClosingSwitch", "ControlledIdealClosingSwitch"],
        "",
        "M-32 0H-13L12 -11M13 0H32M13 -3V3",
    ),
    two(
        Valve,
        &["IdealOpeningSwitch", "ControlledIdealOpeningSwitch"],
        "",
        "M-32 0H-13L16 -6M13 -9V0H32",
    ),
    two(
        Valve,
        &["CloserWithArc", "ControlledCloserWithArc"],
        "",
        "M-32 0H-13L12 -11M13 0H32M13 -3V3M2 8l4 -4l1 5l4 -4",
    ),
    two(
        Valve,
        &["OpenerWithArc", "ControlledOpenerWithArc"],
        "",
        "M-32 0H-13L16 -6M13 -9V0H32M2 10l4 -4l1 5l4 -4",
    ),
    // Meters.
    circle(Meter, &["CurrentSensor"], "M-32 0H-15M15 0H32", "A"),
    circle(Passive, &["VoltageSensor", "PotentialSensor"], "M-32 0H-15M15 0H32", "V"),
    circle(Axis::None, &["PowerSensor", "MultiSensor"], "M-32 0H-15M15 0H32", "W"),
    circle(Passive, &["HeatFlowSensor"], "M-32 0H-15M15 0H32", "Q"),
    // Machines.
    Icon {
        types: &[
            "RotationalEMF",
            "TranslationalEMF",
            "DC_PermanentMagnet",
            "DC_ElectricalExcited",
            "DC_SeriesExcited",
        ],
        axis: Passive,
        body: "M-19 -5H-13V5H-19ZM13 -5H19V5H13ZM-15 0A15 15 0 1 1 15 0A15 15 0 1 1 -15 0Z",
        lines: "M-32 0H-19M19 0H32M0 -15V-22",
        text: "M",
        reach: 15.0,
    },
    // More than two pins.
    shaped(
        Axis::None,
        &[
            "IdealOpAmp",
            "IdealOpAmp3Pin",
            "IdealOpAmpLimited",
            "IdealizedOpAmpLimited",
            "OpAmp",
            "OpAmpDetailed",
            "OpAmpLimited",
        ],
        ["M-24 -21V21L26 0Z", "M-32 -7H-24M-32 7H-24M26 0H32M-20 -7H-14M-20 7H-14M-17 4V10", ""],
    ),
    shaped(
        Pairs,
        &["Transformer", "IdealTransformer"],
        [
            "",
            "M-32 -7H-20V-15H-9a5 5 0 0 1 0 10a5 5 0 0 1 0 10a5 5 0 0 1 0 10H-20V7H-32M32 -7H20V-15H9a5 5 0 0 0 0 10a5 5 0 0 0 0 10a5 5 0 0 0 0 10H20V7H32M-1 -16V16M1 -16V16",
            "",
        ],
    ),
    shaped(
        Axis::None,
        &["IdealTwoWaySwitch", "ControlledIdealTwoWaySwitch"],
        ["", "M-32 0H-13L13 -7H32M13 7H32", ""],
    ),
    shaped(
        Pairs,
        &["IdealIntermediateSwitch", "ControlledIdealIntermediateSwitch"],
        ["", "M-32 -7H-13L13 -7H32M-32 7H-13L13 7H32M-11 7L11 -7", ""],
    ),
    shaped(
        Pairs,
        &["Gyrator"],
        [FRAME, "M-32 -7H-20A9 9 0 0 1 -20 7H-32M32 -7H20A9 9 0 0 0 20 7H32", ""],
    ),
    shaped(
        Pairs,
        &["VCV", "CCV"],
        [FRAME, "M7 0L17 -12L27 0L17 12ZM17 -12V12M-24 -7H-12M-24 7H-12", ""],
    ),
    shaped(
        Pairs,
        &["VCC", "CCC"],
        [FRAME, "M7 0L17 -12L27 0L17 12ZM7 0H27M-24 -7H-12M-24 7H-12", ""],
    ),
    shaped(
        Pairs,
        &["AverageLeg", "AverageHBridge", "AverageInverter", "SinglePhase2Level"],
        [FRAME, "M-32 22L32 -22M-24 -12H-10M-24 -8H-10M8 12q4 -8 8 0t8 0", ""],
    ),
    shaped(
        Pairs,
        &["ChopperStepDown", "ChopperStepUp", "ChopperBuckBoost", "HBridge"],
        [FRAME, "M-32 22L32 -22M-24 -12H-10M-24 -8H-10M10 9H24M10 13H24", ""],
    ),
    // Heat.
    shaped(
        Axis::None,
        &["HeatCapacitor"],
        [
            "M-14 2C-22 -2 -16 -12 -8 -10C-6 -18 8 -18 9 -10C18 -12 20 0 13 3C14 12 -12 12 -14 2Z",
            "",
            "",
        ],
    ),
    two(
        Passive,
        &["BodyRadiation"],
        "M-20 -12H-14V12H-20ZM14 -12H20V12H14Z",
        "M-32 0H-20M20 0H32M-10 -6H10M-10 0H10M-10 6H10M6 -9L10 -6L6 -3M6 -3L10 0L6 3M6 3L10 6L6 9",
    ),
    shaped(
        Axis::None,
        &["FixedTemperature", "PrescribedTemperature"],
        ["M-20 -16H20V16H-20Z", "", "T"],
    ),
    shaped(Axis::None, &["FixedHeatFlow", "PrescribedHeatFlow"], ["M-20 -16H20V16H-20Z", "", "Q"]),
    // Sums and products.
    shaped(
        Axis::Difference,
        &["Feedback"],
        [CIRCLE, "M-32 0H-15M15 0H32M-11 -4V4M-4 9H4M0 15V22", ""],
    ),
    shaped(Axis::None, &["Gain", "MatrixGain"], ["M-22 -19V19L22 0Z", "M-32 0H-22M22 0H32", "K"]),
    written(&["Add", "Add3", "Sum", "MultiSum"], "+"),
    written(&["Product", "MultiProduct"], "×"),
    written(&["Division"], "÷"),
    written(&["Abs"], "|u|"),
    written(&["Sqrt"], "√u"),
    written(&["Max", "MinMax"], "max"),
    written(&["Min"], "min"),
    written(&["Sign"], "sign"),
    written(&["Sin"], "sin"),
    written(&["Cos"], "cos"),
    written(&["Tan"], "tan"),
    written(&["Asin"], "asin"),
    written(&["Acos"], "acos"),
    written(&["Atan"], "atan"),
    written(&["Atan2"], "atan2"),
    written(&["Sinh"], "sinh"),
    written(&["Cosh"], "cosh"),
    written(&["Tanh"], "tanh"),
    written(&["Exp"], "exp"),
    written(&["Log"], "ln"),
    written(&["Log10"], "log10"),
    written(&["Power"], "uᵇ"),
    written(&["Exponentiation"], "u^v"),
    written(&["Pythagoras"], "√a²±b²"),
    written(&["WrapAngle"], "wrap"),
    written(&["Mean"], "mean"),
    written(&["ContinuousMean"], "mean"),
    written(&["RootMeanSquare"], "RMS"),
    written(&["RectifiedMean"], "mean |u|"),
    written(&["Variance"], "σ²"),
    written(&["StandardDeviation"], "σ"),
    written(&["SignalExtrema"], "min max"),
    written(&["TotalHarmonicDistortion"], "THD"),
    written(&["Harmonic"], "harm."),
    written(&["ZeroCrossing"], "u = 0"),
    written(&["PolarToRectangular"], "P → R"),
    written(&["RectangularToPolar"], "R → P"),
    written(&["ToKelvin"], "°C → K"),
    written(&["FromKelvin"], "K → °C"),
    written(&["Multiplex"], "mux"),
    written(&["DeMultiplex"], "demux"),
    // Dynamics.
    written(&["Integrator", "LimIntegrator"], "1/s"),
    written(&["Derivative", "Der"], "s"),
    written(&["FirstOrder"], "PT1"),
    written(&["SecondOrder"], "PT2"),
    written(&["PI"], "PI"),
    written(&["PID", "LimPID"], "PID"),
    written(&["SampledPID"], "PID (z)"),
    written(&["StateSpace"], "A B C D"),
    written(&["TransferFunction"], "b / a"),
    written(&["UnitDelay"], "1/z"),
    written(&["FixedDelay", "PadeDelay"], "e^-sT"),
    drawn(
        &["Filter", "LowpassButterworth", "CriticalDamping"],
        "M-20 16V-16M-24 12H22M-20 -8H-2C6 -8 6 8 18 12",
    ),
    // Samplers and holds.
    drawn(
        &[
            "Sampler",
            "Sample",
            "SampleClocked",
            "TriggeredSampler",
            "SubSample",
            "SuperSample",
            "ShiftSample",
            "SampleWithADeffects",
        ],
        "M-22 6H-10L8 -10M10 6H22",
    ),
    drawn(
        &["ZeroOrderHold", "Hold", "HoldWithDAeffects", "FirstOrderHold"],
        "M-20 16V-16M-24 12H22M-16 8H-8V0H0V-8H8V2H16",
    ),
    drawn(&["SignalPWM"], "M-22 10H-16V-10H-4V10H2V-10H8V10H20"),
    drawn(&["TriggeredMax"], "M-20 16V-16M-24 12H22M-16 8L-6 -8L2 2L8 -4L16 8M-6 -8H10"),
    // Inputs of the model.
    shaped(
        Axis::None,
        &["ExternalInput", "ExternalBoolean", "ExternalInteger"],
        ["M-14 -12H8L32 0L8 12H-14Z", "", ""],
    ),
    // Curves.
    drawn(&["Limiter", "VariableLimiter"], "M0 16V-16M-24 0H24M-20 10H-9L9 -10H20"),
    drawn(&["DeadZone"], "M0 16V-16M-24 0H24M-20 12L-7 0H7L20 -12"),
    drawn(&["SlewRateLimiter"], "M-22 12H22M-18 8L-4 -10H6L16 8"),
    drawn(&["Hysteresis", "OnOffController"], "M-22 12H8V-10M8 -10H22M-8 12V-10H8"),
    drawn(
        &[
            "CombiTable1Ds",
            "CombiTable1Dv",
            "CombiTable2Ds",
            "CombiTable2Dv",
            "CombiTimeTable",
            "TimeTable",
            "BooleanTable",
            "IntegerTable",
        ],
        "M-18 -14H18V14H-18ZM-18 -5H18M-18 4H18M-4 -14V14",
    ),
    // Sources of signals.
    drawn(&["Constant", "IntegerConstant", "BooleanConstant"], "M-20 16V-16M-24 12H22M-20 -6H18"),
    drawn(&["Step", "IntegerStep", "BooleanStep"], "M-20 16V-16M-24 12H22M-20 12H-2V-8H18"),
    drawn(&["Ramp"], "M-20 16V-16M-24 12H22M-20 12H-10L6 -8H18"),
    drawn(
        &[
            "Sine",
            "Cosine",
            "SineVariableFrequencyAndAmplitude",
            "CosineVariableFrequencyAndAmplitude",
        ],
        "M-20 16V-16M-24 0H22M-20 0q9 -28 18 0t18 0",
    ),
    drawn(&["ExpSine", "Sinc"], "M-20 16V-16M-24 0H22M-20 0q4 -28 10 0t10 0q4 -8 8 0"),
    drawn(
        &["Pulse", "BooleanPulse", "SampleTrigger"],
        "M-20 16V-16M-24 12H22M-20 12H-14V-8H-4V12H4V-8H14V12",
    ),
    drawn(&["SawTooth"], "M-20 16V-16M-24 12H22M-20 12L-8 -8V12L4 -8V12L16 -8V12"),
    drawn(&["Trapezoid", "TriggeredTrapezoid"], "M-20 16V-16M-24 12H22M-18 12L-8 -8H6L14 12"),
    drawn(&["Exponentials"], "M-20 16V-16M-24 12H22M-20 12C-16 -10 -8 -8 0 -8C4 6 10 10 18 10"),
    drawn(&["LogFrequencySweep"], "M-20 16V-16M-24 12H22M-18 12C-6 10 8 4 16 -10"),
    drawn(&["KinematicPTP", "KinematicPTP2"], "M-20 16V-16M-24 12H22M-20 12C-8 12 -6 -8 6 -8H18"),
    drawn(&["ContinuousClock"], "M-14 0A14 14 0 1 1 14 0A14 14 0 1 1 -14 0M0 0V-10M0 0L6 5"),
    // Logic.
    written(&["And"], "and"),
    written(&["Or"], "or"),
    written(&["Xor"], "xor"),
    written(&["Nand"], "nand"),
    written(&["Nor"], "nor"),
    written(&["Not"], "not"),
    written(&["Pre"], "pre"),
    drawn(&["Edge"], "M-16 12H0V-10H16M-4 2L0 -4L4 2"),
    drawn(&["FallingEdge"], "M-16 -10H0V12H16M-4 -2L0 4L4 -2"),
    written(&["Change"], "change"),
    written(&["Greater", "GreaterThreshold"], ">"),
    written(&["GreaterEqual", "GreaterEqualThreshold"], "≥"),
    written(&["Less", "LessThreshold"], "<"),
    written(&["LessEqual", "LessEqualThreshold"], "≤"),
    written(&["RSFlipFlop"], "R S"),
    drawn(&["Switch", "LogicalSwitch", "MultiSwitch"], "M-26 -10H-12L10 0H26M-26 10H-12"),
    written(&["RealToInteger"], "R → I"),
    written(&["IntegerToReal"], "I → R"),
    written(&["RealToBoolean"], "R → B"),
    written(&["BooleanToReal"], "B → R"),
    written(&["IntegerToBoolean"], "I → B"),
    written(&["BooleanToInteger"], "B → I"),
    written(&["OnDelay", "LogicalDelay"], "delay"),
    written(&["Timer"], "timer"),
];

/// The icon of a type.
pub fn of(type_name: &str) -> Option<&'static Icon> {
    let name = type_name.rsplit('.').next().unwrap_or(type_name);
    ICONS.iter().find(|icon| icon.types.contains(&name))
}
