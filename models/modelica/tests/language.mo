package Language "Modifiers of arrays, connectors in connectors, equations, events"
  import R = Modelica.Mechanics.Rotational;
  import Modelica.Blocks.Interfaces.{RealInput, RealOutput};
  package Constants
    constant Real small = 0.5;
    constant Integer three = 3;
  end Constants;
  type Color = enumeration(red, green, blue);
  type Length = Real(unit = "m", min = 0);
  connector Pair
    R.Interfaces.Flange_a a;
    R.Interfaces.Flange_b b[2];
    RealInput u[2];
    RealOutput y;
  end Pair;
  expandable connector Bus
  end Bus;
  record Data
    parameter Real J = 1;
    parameter Real c[2] = {J, 2 * J};
  end Data;
  function split
    input Real u[:];
    input Integer n = 1;
    output Real first = u[n];
    output Real others[size(u, 1) - 1];
  protected
    Real largest = max(u[i] for i in 1:size(u, 1));
  algorithm
    assert(n < 2, "n is " + String(n), AssertionLevel.warning);
    for i in 1:size(u, 1) - 1 loop
      others[i] := if i < n then u[i] else u[i + 1];
    end for;
  end split;
  function largest
    input Real a;
    input Real b;
    output Real y = max(a, b);
  algorithm
  end largest;
  block Gain
    parameter Real k = 1;
    RealInput u;
    RealOutput y;
  equation
    y = k * u;
  end Gain;
  model Base
    parameter Real k = 1;
    Real y = k;
  end Base;
  model Other
    extends Base(k = 2);
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k * x;
  end Other;
  model Three = Base[3](k = {1, 2, 3});
  model Part
    parameter Real n = 7;
    parameter Boolean has = true;
    parameter Data data[2](J = {1, 2}, each c = {3, 4});
    replaceable Base b[2](each k = n) if has constrainedby Base(k = {8, 9});
    replaceable model Inner = Base constrainedby Base(k = n);
    Inner inside(y(start = 1));
    Pair p;
    Bus bus;
    R.Components.Inertia j[3](each J = data[1].c[1], w(start = {1, 2, 3}, each fixed = true));
    Gain g(k = sum(data.J));
  equation
    connect(p.a, j[1].flange_a);
    connect(p.b, j[2:3].flange_a);
    connect(p.u[1], g.u);
    connect(g.y, bus.signals[1]);
    connect(bus.signals[1], p.y);
  end Part;
  block Counter
    parameter Color color = Color.green;
    discrete Integer count(start = 0, fixed = true);
    Boolean above = time > 0.5 and not time > 0.7;
    Real v(start = 1, fixed = true);
    Real w[2, 2];
  equation
    der(v) = if above then -1 else smooth(0, noEvent(max(v, 0)));
    when {sample(0, 0.1), above} then
      count = pre(count) + 1;
    elsewhen v < 0.1 then
      count = 0;
      reinit(v, 1);
    end when;
    for i in 1:2, k in 1:2 loop
      w[i, k] = i * v + k;
    end for;
  end Counter;
  model Adapter
    Pair p;
    Pair q;
  equation
    connect(p, q);
  end Adapter;
  model Whole
    Adapter adapter;
    Part part[2](n = {5, 6}, redeclare each Other b, b(each k = 3), has = {true, false});
    Part single(redeclare model Inner = Other(k = 4));
    Three three[2](k = {{1, 2, 3}, {4, 5, 6}});
    R.Sources.ConstantTorque torque[2, 3](tau_constant = {i + j for i in 1:3, j in 1:2});
    Gain gain[2];
    Counter counter;
    discrete Real ticks(start = 0, fixed = true);
    function largest = Language.largest;
    Real first;
    Real others[2];
    Real table[:, :] = {if i == j then 1 else Constants.small for i in 1:2, j in 1:3};
  equation
    connect(part.p.a, torque[:, 1].flange);
    for k in 1:2 loop
      connect(part[k].p.b, torque[k, 2:end].flange);
      connect(part[k].p.u, gain.y);
    end for;
    gain.u = {time, counter.v};
    connect(adapter.p, single.p);
    connect(gain.y, adapter.q.u);
    (first, others) = split({counter.v, 2, time}, n = Constants.three - 1);
    assert(size(table, 1) == 3 and table[3, 1] > 0, "table");
  algorithm
    when sample(0.1, 0.2) then
      ticks := pre(ticks) + largest(ticks, 1);
    end when;
  end Whole;
end Language;

model Test = Language.Whole;
