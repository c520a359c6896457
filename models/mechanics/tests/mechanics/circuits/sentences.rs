//! Circuits that have no solution are refused by a sentence that names components and values.

use super::ring;
use crate::common::{refusal, simulation, start, value};
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::rotational::Inertia;
use mechanics::add;

#[test]
fn voltage_sources_in_parallel_are_named() {
    let sentence = refusal(|m| {
        add! { m,
            v1: ConstantVoltage::new().V(1),
            v2: SineVoltage::new().V(2).f(1),
            r: Resistor::new().R(1),
        }
        ring(m, [[v1.n, v1.p], [v2.p, v2.n]]);
        m.connect(r.p, v1.p);
        m.connect(r.n, v1.n);
    });
    assert_eq!(
        sentence,
        "v1 and v2 form a loop of voltage sources: their currents are undetermined"
    );
}

#[test]
fn current_sources_in_series_are_named_with_their_node() {
    let sentence = refusal(|m| {
        add! { m,
            i1: ConstantCurrent::new().I(1),
            i2: StepCurrent::new().I(2),
            r: Resistor::new().R(1),
        }
        ring(m, [[i1.p, i1.n], [i2.p, i2.n], [r.p, r.n]]);
    });
    assert_eq!(sentence, "only i1 and i2 connect node i1.n: its potential is undetermined");
}

#[test]
fn circuits_without_ground_are_named() {
    let sentence = refusal(|m| {
        add! { m,
            r1: Resistor::new().R(1),
            c1: Capacitor::new().C(1),
            l1: Inductor::new().L(1),
        }
        m.connect(r1.n, c1.p);
        m.connect(c1.n, l1.p);
        m.connect(l1.n, r1.p);
    });
    assert_eq!(sentence, "r1, c1 and l1 have no Ground: connect one of their pins to a Ground");
    let sentence = refusal(|m| {
        m.add("r1", Resistor::new().R(1));
    });
    assert_eq!(sentence, "r1 has no Ground: connect one of its pins to a Ground");
}

#[test]
fn voltages_that_would_fix_a_speed_are_named() {
    let by_source = refusal(|m| {
        add! { m,
            source: ConstantVoltage::new().V(24),
            emf: RotationalEMF::new().k(0.1),
            rotor: Inertia::new().J(1e-3),
        }
        ring(m, [[source.n, source.p], [emf.p, emf.n]]);
        m.connect(emf.flange, rotor.flange_a);
    });
    assert_eq!(
        by_source,
        "source and emf form a loop without resistance or inductance: the voltage would fix the \
         speed"
    );
    let by_capacitor = refusal(|m| {
        add! { m,
            emf: RotationalEMF::new().k(0.1),
            c1: Capacitor::new().C(1),
            rotor: Inertia::new().J(1e-3),
        }
        ring(m, [[c1.n, c1.p], [emf.p, emf.n]]);
        m.connect(emf.flange, rotor.flange_a);
    });
    assert_eq!(
        by_capacitor,
        "emf and c1 form a loop without resistance or inductance: the voltage would fix the speed"
    );
}

#[test]
fn amplifiers_without_feedback_are_named() {
    for four_pins in [false, true] {
        let sentence = refusal(move |m| {
            add! { m,
                source: ConstantVoltage::new().V(1),
                r: Resistor::new().R(1),
                load: Resistor::new().R(1),
                ground: Ground::new(),
            }
            m.connect(source.p, r.p);
            for pin in [source.n, load.n] {
                m.connect(pin, ground.p);
            }
            let [in_p, in_n, out] = match four_pins {
                true => {
                    let amplifier = m.add("amplifier", IdealOpAmp::new());
                    m.connect(amplifier.n2, ground.p);
                    [amplifier.p1, amplifier.n1, amplifier.p2]
                }
                false => {
                    let amplifier = m.add("amplifier", IdealOpAmp3Pin::new());
                    [amplifier.in_p, amplifier.in_n, amplifier.out]
                }
            };
            m.connect(r.n, in_p);
            m.connect(in_n, ground.p);
            m.connect(out, load.p);
        });
        assert_eq!(sentence, "the input voltage of amplifier does not depend on its output");
    }
}

#[test]
fn couplings_of_transformers_beyond_their_inductances_are_named_with_values() {
    let sentence = refusal(|m| {
        add! { m,
            transformer: Transformer::new().L1(1.5).L2(1.5).M(2),
            ground: Ground::new(),
        }
        m.connect(transformer.n1, ground.p);
        m.connect(transformer.n2, ground.p);
    });
    assert_eq!(sentence, "transformer: M = 2 H exceeds sqrt(L1 L2) = 1.5 H");
}

#[test]
fn start_values_that_the_circuit_determines_are_named() {
    let sentence = refusal(|m| {
        add! { m,
            v1: ConstantVoltage::new().V(1),
            c1: Capacitor::new().C(1),
            c2: Capacitor::new().C(1).v(fixed(2)),
        }
        ring(m, [[v1.n, v1.p], [c2.p, c2.n]]);
        m.connect(c1.p, v1.p);
        m.connect(c1.n, v1.n);
    });
    assert_eq!(
        sentence,
        "c2.v: its start value 2 V cannot be fixed, because v1 and c2 determine it"
    );
}

#[test]
fn inputs_of_the_fmu_in_a_loop_of_capacitors_are_refused() {
    let sentence = refusal(|m| {
        add! { m,
            u: ExternalInput::new().unit("V").start(1),
            source: SignalVoltage::new(),
            c: Capacitor::new().C(1),
        }
        m.connect(u.y, source.v);
        ring(m, [[source.n, source.p], [c.p, c.n]]);
    });
    assert_eq!(
        sentence,
        "source and c form a loop or a cut with an input of the FMU, whose derivative is not known"
    );
}

#[test]
fn values_out_of_range_are_refused_with_their_units() {
    let negative = refusal(|m| {
        m.add("c", Capacitor::new().C(-2));
    });
    assert!(negative.contains("c.C = -2 F"), "{negative}");
    let reversed = refusal(|m| {
        m.add("a", OpAmpLimited::new().Vps(-3).Vns(4));
    });
    assert!(reversed.contains("Vps must exceed Vns"), "{reversed}");
    let half = refusal(|m| {
        add! { m, a: OpAmpLimited::new(), supply: ConstantVoltage::new().V(9) }
        m.connect(a.s_p, supply.p);
    });
    assert_eq!(half, "a.s_n: the other pin of the supply is connected");
    let saturating = refusal(|m| {
        m.add("coil", SaturatingInductor::new().Inom(1).Lnom(2).Lzer(1));
    });
    assert!(saturating.contains("coil.Lzer = 1 H, coil.Lnom = 2 H"), "{saturating}");
    let missing = refusal(|m| {
        m.add("t", IdealTransformer::new().n(2).consider_magnetization(true));
    });
    assert_eq!(missing, "t.Lm1: with magnetization, it has a value");
    let steady = refusal(|m| {
        m.add("c", Capacitor::new().C(2).v(fixed(1)).steady_state(true));
    });
    assert_eq!(steady, "c.v: in steady state, its start value cannot be fixed");
}

#[test]
fn a_temperature_below_the_range_of_a_resistor_is_refused() {
    let sentence = refusal(|m| {
        m.add("r", VariableResistor::new().alpha(0.01).T(100));
    });
    assert!(!sentence.is_empty());
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(1),
            r: Resistor::new().R(-2),
        }
        ring(m, [[source.n, source.p], [r.p, r.n]]);
    });
    // A negative resistance is allowed.
    assert!((value(&mut model, "r.i") + 0.5).abs() < 1e-12);
}

/// A diode in series with a source of 1 V and a negative resistance: it would have to conduct when
/// it blocks, and to block when it conducts.
fn contradiction(m: &mut Assembly, number: usize) {
    let source = m.add(format!("source{number}"), StepVoltage::new().V(1).start_time(0.02));
    let resistor = m.add(format!("r{number}"), Resistor::new().R(-1));
    let diode = m.add(format!("d{number}"), IdealDiode::new());
    let ground = m.add(format!("ground{number}"), Ground::new());
    m.connect(source.p, resistor.p);
    m.connect(resistor.n, diode.p);
    m.connect(diode.n, source.n);
    m.connect(source.n, ground.p);
}

#[test]
fn all_switches_without_consistent_states_are_named() {
    for count in [1, 3] {
        let mut model =
            simulation(|m| (1..=count).for_each(|number| contradiction(m, number))).unwrap();
        model.start(None).unwrap();
        let why = model.run_to(0.1).unwrap_err().to_string();
        let names = if count == 1 { "d1.off" } else { "d1.off, d2.off and d3.off" };
        assert_eq!(why, format!("t=0.02 no states of {names} agree with the equations"));
    }
}
