package Modelica
  package Icons
    class Example end Example;
    class Package end Package;
    class ExamplesPackage end ExamplesPackage;
    class UtilitiesPackage end UtilitiesPackage;
  end Icons;
  package Constants
    constant Real pi = 3.141592653589793;
    constant Real D2R(unit = "rad/deg") = pi / 180;
    constant Real R2D(unit = "deg/rad") = 180 / pi;
    constant Real e = 2.718281828459045;
    constant Real eps = 2.220446049250313e-16;
    constant Real small = 1e-60;
    constant Real inf = 1e60;
    constant Integer Integer_inf = 2147483647;
    constant Real g_n(unit = "m/s2") = 9.80665;
    constant Real G(unit = "m3/(kg.s2)") = 6.6743e-11;
  end Constants;
  package Units
    package SI
      type Angle = Real(unit = "rad", displayUnit = "deg");
      type Length = Real(unit = "m");
      type Position = Length;
      type Distance = Length(min = 0);
      type Breadth = Length(min = 0);
      type Height = Length(min = 0);
      type Radius = Length(min = 0);
      type Diameter = Length(min = 0);
      type Area = Real(unit = "m2");
      type Volume = Real(unit = "m3");
      type Time = Real(unit = "s");
      type Duration = Time;
      type Period = Real(unit = "s");
      type AngularVelocity = Real(unit = "rad/s");
      type AngularAcceleration = Real(unit = "rad/s2");
      type AngularJerk = Real(unit = "rad/s3");
      type Velocity = Real(unit = "m/s");
      type Acceleration = Real(unit = "m/s2");
      type Jerk = Real(unit = "m/s3");
      type Frequency = Real(unit = "Hz");
      type AngularFrequency = Real(unit = "rad/s");
      type Mass = Real(unit = "kg", min = 0);
      type Density = Real(unit = "kg/m3", min = 0);
      type Inertia = Real(unit = "kg.m2");
      type MomentOfInertia = Real(unit = "kg.m2");
      type Momentum = Real(unit = "kg.m/s");
      type AngularMomentum = Real(unit = "kg.m2/s");
      type Force = Real(unit = "N");
      type Torque = Real(unit = "N.m");
      type Impulse = Real(unit = "N.s");
      type Pressure = Real(unit = "Pa");
      type TranslationalSpringConstant = Real(unit = "N/m");
      type TranslationalDampingConstant = Real(unit = "N.s/m");
      type RotationalSpringConstant = Real(unit = "N.m/rad");
      type RotationalDampingConstant = Real(unit = "N.m.s/rad");
      type Power = Real(unit = "W");
      type Energy = Real(unit = "J");
      type Work = Energy;
      type Heat = Real(unit = "J");
      type HeatFlowRate = Real(unit = "W");
      type Temperature = Real(unit = "K", min = 0, start = 288.15);
      type HeatCapacity = Real(unit = "J/K");
      type SpecificHeatCapacity = Real(unit = "J/(kg.K)");
      type ThermalConductance = Real(unit = "W/K");
      type ThermalResistance = Real(unit = "K/W");
      type CoefficientOfFriction = Real(unit = "1");
      type Efficiency = Real(unit = "1", min = 0);
      type DimensionlessRatio = Real(unit = "1");
      type Current = Real(unit = "A");
      type Voltage = Real(unit = "V");
      type Resistance = Real(unit = "Ohm");
      type Inductance = Real(unit = "H");
      type Capacitance = Real(unit = "F");
      type ElectricalTorqueConstant = Real(unit = "N.m/A");
    end SI;
    package NonSI
      type Angle_deg = Real(unit = "deg");
      type AngularVelocity_rpm = Real(unit = "rev/min");
      type Temperature_degC = Real(unit = "degC");
      type Velocity_kmh = Real(unit = "km/h");
    end NonSI;
    package Conversions
      function from_deg
        input Real degree(unit = "deg");
        output Real radian(unit = "rad");
      algorithm
        radian := degree * Modelica.Constants.pi / 180;
      end from_deg;
      function to_deg
        input Real radian(unit = "rad");
        output Real degree(unit = "deg");
      algorithm
        degree := radian * 180 / Modelica.Constants.pi;
      end to_deg;
      function from_rpm
        input Real rpm(unit = "rev/min");
        output Real w(unit = "rad/s");
      algorithm
        w := rpm * Modelica.Constants.pi / 30;
      end from_rpm;
      function to_rpm
        input Real w(unit = "rad/s");
        output Real rpm(unit = "rev/min");
      algorithm
        rpm := w * 30 / Modelica.Constants.pi;
      end to_rpm;
      function from_kmh
        input Real kmh(unit = "km/h");
        output Real v(unit = "m/s");
      algorithm
        v := kmh / 3.6;
      end from_kmh;
      function from_degC
        input Real Celsius(unit = "degC");
        output Real Kelvin(unit = "K");
      algorithm
        Kelvin := Celsius + 273.15;
      end from_degC;
    end Conversions;
  end Units;
  package Math
    function sin input Real u; output Real y; algorithm y := .sin(u); end sin;
    function cos input Real u; output Real y; algorithm y := .cos(u); end cos;
    function tan input Real u; output Real y; algorithm y := .tan(u); end tan;
    function asin input Real u; output Real y; algorithm y := .asin(u); end asin;
    function acos input Real u; output Real y; algorithm y := .acos(u); end acos;
    function atan input Real u; output Real y; algorithm y := .atan(u); end atan;
    function atan2 input Real u1; input Real u2; output Real y; algorithm y := .atan2(u1, u2); end atan2;
    function sinh input Real u; output Real y; algorithm y := .sinh(u); end sinh;
    function cosh input Real u; output Real y; algorithm y := .cosh(u); end cosh;
    function tanh input Real u; output Real y; algorithm y := .tanh(u); end tanh;
    function exp input Real u; output Real y; algorithm y := .exp(u); end exp;
    function log input Real u; output Real y; algorithm y := .log(u); end log;
    function log10 input Real u; output Real y; algorithm y := .log10(u); end log10;
    package Vectors
      function length input Real v[:]; output Real y; algorithm y := sqrt(v * v); end length;
      function normalize input Real v[:]; output Real y[size(v, 1)]; algorithm y := v / sqrt(v * v); end normalize;
    end Vectors;
  end Math;
  package Blocks
    package Interfaces
      connector RealInput = input Real;
      connector RealOutput = output Real;
      connector IntegerInput = input Integer;
      connector IntegerOutput = output Integer;
      connector BooleanInput = input Boolean;
      connector BooleanOutput = output Boolean;
      partial block SO RealOutput y; end SO;
      partial block SI RealInput u; end SI;
      partial block SISO RealInput u; RealOutput y; end SISO;
      partial block SI2SO RealInput u1; RealInput u2; RealOutput y; end SI2SO;
    end Interfaces;
    package Types
      type Init = enumeration(NoInit, SteadyState, InitialState, InitialOutput);
      type Smoothness = enumeration(LinearSegments, ContinuousDerivative, ConstantSegments,
        MonotoneContinuousDerivative1, MonotoneContinuousDerivative2, ModifiedContinuousDerivative);
      type SimpleController = enumeration(P, PI, PD, PID);
      type AnalogFilter = enumeration(CriticalDamping, Bessel, Butterworth, ChebyshevI);
      type FilterType = enumeration(LowPass, HighPass, BandPass, BandStop);
      type Extrapolation = enumeration(HoldLastPoint, LastTwoPoints, Periodic, NoExtrapolation);
    end Types;
  end Blocks;
  package Mechanics
    package Rotational
      package Interfaces
        connector Flange_a Real phi(unit = "rad"); flow Real tau(unit = "N.m"); end Flange_a;
        connector Flange_b Real phi(unit = "rad"); flow Real tau(unit = "N.m"); end Flange_b;
        connector Support Real phi(unit = "rad"); flow Real tau(unit = "N.m"); end Support;
      end Interfaces;
    end Rotational;
    package Translational
      package Interfaces
        connector Flange_a Real s(unit = "m"); flow Real f(unit = "N"); end Flange_a;
        connector Flange_b Real s(unit = "m"); flow Real f(unit = "N"); end Flange_b;
        connector Support Real s(unit = "m"); flow Real f(unit = "N"); end Support;
      end Interfaces;
    end Translational;
    package MultiBody
      package Frames
        record Orientation Real T[3, 3]; Real w[3](unit = "rad/s"); end Orientation;
      end Frames;
      package Interfaces
        connector Frame_a Real r_0[3](unit = "m"); Modelica.Mechanics.MultiBody.Frames.Orientation R; flow Real f[3](unit = "N"); flow Real t[3](unit = "N.m"); end Frame_a;
        connector Frame_b Real r_0[3](unit = "m"); Modelica.Mechanics.MultiBody.Frames.Orientation R; flow Real f[3](unit = "N"); flow Real t[3](unit = "N.m"); end Frame_b;
        connector Frame_resolve Real r_0[3](unit = "m"); Modelica.Mechanics.MultiBody.Frames.Orientation R; flow Real f[3](unit = "N"); flow Real t[3](unit = "N.m"); end Frame_resolve;
      end Interfaces;
      package Types
        type Axis = Real[3](unit = "1");
        type RotationSequence = Integer[3](min = 1, max = 3);
        type GravityTypes = enumeration(NoGravity, UniformGravity, PointGravity);
        type RotationTypes = enumeration(RotationAxis, TwoAxesVectors, PlanarRotationSequence);
        type ResolveInFrameA = enumeration(world, frame_a, frame_resolve);
        type ResolveInFrameB = enumeration(world, frame_b, frame_resolve);
        type ResolveInFrameAB = enumeration(world, frame_a, frame_b, frame_resolve);
      end Types;
    end MultiBody;
  end Mechanics;
  package Thermal
    package HeatTransfer
      package Interfaces
        connector HeatPort_a Real T(unit = "K"); flow Real Q_flow(unit = "W"); end HeatPort_a;
        connector HeatPort_b Real T(unit = "K"); flow Real Q_flow(unit = "W"); end HeatPort_b;
      end Interfaces;
    end HeatTransfer;
  end Thermal;
  package Electrical
    package Analog
      package Interfaces
        connector Pin Real v(unit = "V"); flow Real i(unit = "A"); end Pin;
        connector PositivePin Real v(unit = "V"); flow Real i(unit = "A"); end PositivePin;
        connector NegativePin Real v(unit = "V"); flow Real i(unit = "A"); end NegativePin;
        partial model TwoPin
          PositivePin p; NegativePin n; Real v(unit = "V");
        equation
          v = p.v - n.v;
        end TwoPin;
        partial model OnePort
          PositivePin p; NegativePin n; Real v(unit = "V"); Real i(unit = "A");
        equation
          v = p.v - n.v;
          0 = p.i + n.i;
          i = p.i;
        end OnePort;
      end Interfaces;
    end Analog;
  end Electrical;
end Modelica;
