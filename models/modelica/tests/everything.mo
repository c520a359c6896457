package Everything "Everything that is read"
  import SI = Modelica.Units.SI;
  import Modelica.Mechanics.Rotational.{Components, Sources};
  import Modelica.Mechanics.MultiBody.*;
  constant Real half = 0.5;
  type Size = enumeration(small "s", large "l");
  record Data "Data of a drive"
    parameter SI.Inertia J = 0.1;
    parameter Real c[2] = {100, 200};
  end Data;
  function total
    input Real x[:];
    input Boolean negative = false;
    output Real y;
  protected
    Integer n = size(x, 1);
  algorithm
    y := 0;
    for i in 1:n loop
      y := y + x[i];
      if y > 1e6 then
        break;
      elseif y < -1e6 then
        return;
      else
        y := y + 0;
      end if;
    end for;
    while y > 1e7 loop
      y := y / 2;
    end while;
    if negative then
      y := -y;
    end if;
  end total;
  partial model Base
    parameter Integer n(min = 1) = 2;
    replaceable model Wheel = Components.Inertia(phi(fixed = true));
    Wheel wheel[n](J = {k * half for k in 1:n}, each w(fixed = true, start = 1));
  end Base;
  model Part
    outer World world;
    Interfaces.Frame_a frame_a;
    Joints.Revolute joint(n = {0, 1, 0}, phi(start = 0.3, fixed = true), w(fixed = true));
    Modelica.Mechanics.MultiBody.Parts.Body body(m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.1);
  equation
    connect(frame_a, joint.frame_a);
    connect(joint.frame_b, body.frame_a);
  end Part;
  partial model TwoFlanges
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b;
  end TwoFlanges;
  model Rotor
    extends TwoFlanges;
    parameter SI.Inertia J = 2;
    Real phi(start = 0.1, fixed = true, stateSelect = StateSelect.prefer); Real w(start = 1); Real a;
  equation
    phi = flange_a.phi; phi = flange_b.phi; w = der(phi); a = der(w);
    J * a = flange_a.tau + flange_b.tau;
  end Rotor;
  model Gear
    extends TwoFlanges;
    parameter Real ratio = 3;
  equation
    flange_a.phi = ratio * flange_b.phi; 0 = ratio * flange_a.tau + flange_b.tau;
  end Gear;
  model Law
    extends TwoFlanges;
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heat(Q_flow = -d * w ^ 2);
    parameter Real d = 0.5; Real w; Real x(start = 0, fixed = true); Boolean fast;
  equation
    w = der(flange_b.phi) - der(flange_a.phi); fast = w > 10;
    flange_a.tau + flange_b.tau = 0;
    flange_b.tau = d * w + x + (if fast then 1 else 0);
    der(x) = flange_b.phi - flange_a.phi - x;
    when fast then reinit(x, 0); end when;
  end Law;
  model Room
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_b port; Real T(start = 300);
  equation
    T = port.T; 100 * der(T) = port.Q_flow;
  end Room;
  model Whole
    extends Base(n = if half > 0 then 2 else 1, redeclare model Wheel = Components.Inertia(J = 1, phi(fixed = true)));
    parameter Data data(c = {100, total({1, 2, 3}) ^ 2});
    parameter Size size = Size.large;
    parameter SI.Torque tau = 2 * sqrt(4) / max({1, 2}) "Torque";
    final parameter Real matrix[2, 2] = [1, 2; 3, 4] * transpose({{1, 0}, {0, 1}});
    inner World world(g = 9.81, n = {0, 0, -1});
    final parameter Real friction(min = 0, max = 10) = tau / 4;
    Real drag = friction * time;
    output Size now(start = Size.large, fixed = true);
    Part part;
    Rotor rotor; Gear gear; Law law; Room room;
    Sources.ConstantTorque torque(tau_constant = tau);
    Components.SpringDamper spring(c = data.c[end], d = matrix[1, 2]);
    Components.Fixed wall if size <> Size.small and not n < 1;
    Components.Damper damper(d = noEvent(abs(-0.1))) if size == Size.small or false;
  equation
    connect(world.frame_b, part.frame_a);
    connect(torque.flange, wheel[1].flange_a);
    connect(wheel[1].flange_b, law.flange_a); connect(law.flange_b, rotor.flange_a);
    connect(rotor.flange_b, gear.flange_a); connect(law.heat, room.port);
    for k in 1:n - 1 loop
      connect(wheel[k].flange_b, spring.flange_a);
    end for;
    connect(spring.flange_b, wheel[n].flange_a);
    connect(wall.flange, damper.flange_a);
    if n > 5 then
      connect(damper.flange_b, wheel[n].flange_b);
    end if;
    when drag > 0.5 then
      now = if pre(now) == Size.large then Size.small else pre(now);
    end when;
    assert(n > 0, "n must be positive");
    annotation (experiment(StopTime = 2.0, Tolerance = 1e-6));
  end Whole;
end Everything;

model Test = Everything.Whole;
