//! Boolean, Integer and discrete inputs of an assembly, set as importers do.

use coupler::add;
use coupler::blocks::{BooleanToReal, IntegerToReal};
use coupler::prelude::*;
use coupler_tests::own;
use fmu_builder::build;
use fmu_builder::error::FailedCall;
use fmu_builder::fmi::FmuType;
use fmu_builder::fmu::Fmu;
use fmu_builder::host::Instance;

/// Energy of a heater: `der(energy.y) = on stage power`.
fn heater(m: &mut Assembly) {
    add! { m,
        on: ExternalBoolean::new().start(false),
        stage: ExternalInteger::new().start(1),
        power: ExternalInput::new().unit("1").start(2).discrete(true),
        stage_as_number: IntegerToReal::new(),
        on_as_number: BooleanToReal::new(),
        staged: Product::new(),
        switched: Product::new(),
        energy: Integrator::new().k(1),
    }
    m.chain((stage.y, stage_as_number, staged.u1));
    m.connect(power.y, staged.u2);
    m.connect(staged.y, switched.u1);
    m.chain((on.y, on_as_number, switched.u2));
    m.connect(switched.y, energy.u);
    m.outputs([energy.y]);
}

/// The value references of the three inputs.
fn references(fmu: &Fmu) -> [u32; 3] {
    ["on", "stage", "power"].map(|name| {
        let found = fmu.description.variables.iter().find(|v| v.name == name);
        found.expect("an input").value_reference
    })
}

/// Sets all inputs.
fn set(
    instance: &mut Instance<'_>,
    [on, stage, power]: [u32; 3],
    values: (i32, i32, f64),
) -> Result<(), FailedCall> {
    instance.set_boolean(&[on], &[values.0])?;
    instance.set_integer(&[stage], &[values.1])?;
    instance.set_real(&[power], &[values.2])
}

fn instance_of(
    fmu: &Fmu,
    fmu_type: FmuType,
    use_it: impl FnOnce(&mut Instance<'_>) -> Result<(), FailedCall>,
) {
    let library = fmu.load(fmu_type).expect("its own library");
    let (guid, resources) = (&fmu.description.guid, fmu.resources());
    let mut instance = library.instantiate("heater", fmu_type, guid, &resources, true).unwrap();
    let run = || {
        instance.setup_experiment(None, 0.0, None)?;
        instance.enter_initialization_mode()?;
        instance.exit_initialization_mode()?;
        use_it(&mut instance)
    };
    run().unwrap_or_else(|error| panic!("{fmu_type:?}: {error}"));
}

#[test]
fn typed_inputs_act_at_events_in_both_fmu_types() {
    let fmu = build::played(&own::traced("heater", heater)).expect("a folder for its files");
    let inputs = references(&fmu);
    instance_of(&fmu, FmuType::ModelExchange, |instance| {
        let mut rate = [f64::NAN];
        for (values, expected) in [((1, 3, 2.0), 6.0), ((0, 3, 2.0), 0.0), ((1, -2, 0.5), -1.0)] {
            instance.enter_event_mode()?;
            set(instance, inputs, values)?;
            while instance.new_discrete_states()?.new_discrete_states_needed {}
            instance.enter_continuous_time_mode()?;
            instance.get_derivatives(&mut rate)?;
            assert_eq!(rate, [expected], "{values:?}");
        }
        Ok(())
    });
    instance_of(&fmu, FmuType::CoSimulation, |instance| {
        let mut energy = [f64::NAN];
        let output = fmu.description.ordered_outputs()[0].value_reference;
        instance.do_step(0.0, 1.0)?;
        set(instance, inputs, (1, 3, 2.0))?;
        instance.do_step(1.0, 1.0)?;
        instance.get_real(&[output], &mut energy)?;
        assert!((energy[0] - 6.0).abs() < 1e-9, "{energy:?}");
        set(instance, inputs, (1, -2, 0.5))?;
        instance.do_step(2.0, 2.0)?;
        instance.get_real(&[output], &mut energy)?;
        assert!((energy[0] - 4.0).abs() < 1e-9, "{energy:?}");
        Ok(())
    });
}
