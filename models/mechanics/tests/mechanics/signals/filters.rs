//! Filters: their amplitudes at the cut-off frequencies, steady states, and refusals.

use crate::common::{refusal, run_to, start, value};
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::assembly::Quantity;

const FILTERS: [AnalogFilter; 4] = [
    AnalogFilter::CriticalDamping,
    AnalogFilter::Bessel,
    AnalogFilter::Butterworth,
    AnalogFilter::ChebyshevI,
];

const TYPES: [FilterType; 4] =
    [FilterType::LowPass, FilterType::HighPass, FilterType::BandPass, FilterType::BandStop];

/// The amplitude of the output `part.y` for a sine of the frequency `f` in Hz, after 60 s: from the
/// output and from the output a quarter of a period later.
fn amplitude(f: f64, part: impl FnOnce(&mut Assembly, Quantity)) -> f64 {
    let mut model = start(|m| {
        let u = m.add("u", Sine::new().amplitude(1).f(f));
        part(m, u.y);
    });
    let [now, then] = [60.0, 60.0 + 0.25 / f].map(|t| {
        run_to(&mut model, t);
        value(&mut model, "part.y")
    });
    now.hypot(then)
}

fn filter(analog: AnalogFilter, kind: FilterType, order: i32) -> Filter {
    let filter = Filter::new().analog_filter(analog).filter_type(kind).order(order);
    filter.f_min(0.8).f_cut(1.25)
}

#[test]
fn the_amplitude_of_each_filter_at_its_cut_off_frequency_is_3_db_less() {
    for analog in FILTERS {
        let wanted = match analog {
            AnalogFilter::Butterworth => 0.5_f64.sqrt(),
            _ => 10_f64.powf(-0.15),
        };
        for kind in TYPES {
            for order in [1, 2, 3] {
                let at = |f: f64| {
                    amplitude(f, |m, u| {
                        let part = m.add("part", filter(analog, kind, order));
                        m.connect(u, part.u);
                    })
                };
                let edges = match kind {
                    FilterType::LowPass | FilterType::HighPass => vec![1.25],
                    FilterType::BandPass | FilterType::BandStop => vec![0.8, 1.25],
                };
                // The middle of the band is that of the prototype at rest.
                match kind {
                    FilterType::BandPass => assert!((at(1.0) - 1.0).abs() < 1e-7),
                    FilterType::BandStop => assert!(at(1.0) < 1e-7),
                    FilterType::LowPass | FilterType::HighPass => {}
                }
                for f in edges {
                    let found = at(f);
                    let error = (found - wanted).abs();
                    assert!(error < 1e-7, "{analog:?} {kind:?} {order} at {f}: {found}");
                }
            }
        }
    }
}

#[test]
fn blocks_of_one_filter_have_the_square_root_of_a_half_at_their_cut_off_frequency() {
    for n in [1, 2, 5] {
        let butterworth = amplitude(1.25, |m, u| {
            let part = m.add("part", LowpassButterworth::new().n(n).f(1.25));
            m.connect(u, part.u);
        });
        let critical = amplitude(1.25, |m, u| {
            let part = m.add("part", CriticalDamping::new().n(n).f(1.25));
            m.connect(u, part.u);
        });
        for found in [butterworth, critical] {
            assert!((found - 0.5_f64.sqrt()).abs() < 1e-7, "{n}: {found}");
        }
    }
}

#[test]
fn a_filter_in_steady_state_passes_a_constant_or_nothing() {
    for analog in FILTERS {
        for (kind, gain) in TYPES.into_iter().zip([1.5, 0.0, 0.0, 1.5]) {
            for order in [1, 2, 5] {
                let mut model = start(|m| {
                    let u = m.add("u", Constant::new().k(3));
                    let part = filter(analog, kind, order).gain(1.5).u_nominal(40);
                    let part = m.add("part", part);
                    m.connect(u.y, part.u);
                });
                for t in [0.0, 0.5] {
                    run_to(&mut model, t);
                    let y = value(&mut model, "part.y");
                    // The tolerance of a state of magnitude 1, times `gain u_nominal`.
                    assert!((y - 3.0 * gain).abs() < 2e-8, "{analog:?} {kind:?} {order}: {y}");
                }
            }
        }
    }
}

/// The output and the changes of states of a block `part` within a short time after the start.
fn begin(names: &[&str], part: impl FnOnce(&mut Assembly, Quantity)) -> (f64, Vec<f64>) {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(3));
        part(m, u.y);
    });
    let y = value(&mut model, "part.y");
    let mut read = |names: &[&str]| -> Vec<f64> {
        names.iter().map(|name| value(&mut model, &format!("part.{name}"))).collect()
    };
    let before = read(names);
    run_to(&mut model, 1e-7);
    let mut read = |names: &[&str]| -> Vec<f64> {
        names.iter().map(|name| value(&mut model, &format!("part.{name}"))).collect()
    };
    let after = read(names);
    (y, before.iter().zip(after).map(|(a, b)| (b - a) / 1e-7).collect())
}

#[test]
fn a_filter_begins_with_its_output_and_all_states_but_the_last_at_rest() {
    let check = |(y, rates): (f64, Vec<f64>)| {
        assert!((y - 0.7).abs() < 1e-9, "{y}");
        assert!(rates.iter().all(|rate| rate.abs() < 1e-3), "{rates:?}");
    };
    let output = Init::InitialOutput;
    check(begin(&["x[1]", "x[2]"], |m, u| {
        let part = CriticalDamping::new().n(3).f(2).y_start(0.7).init_type(output);
        let part = m.add("part", part);
        m.connect(u, part.u);
    }));
    for (n, names) in
        [(4, &["x1[1]", "x2[1]", "x1[2]"][..]), (5, &["x1[1]", "x2[1]", "x1[2]", "x2[2]"])]
    {
        check(begin(names, |m, u| {
            let part = LowpassButterworth::new().n(n).f(2).y_start(0.7).init_type(output);
            let part = m.add("part", part);
            m.connect(u, part.u);
        }));
    }
    for kind in TYPES {
        check(begin(&["x[1]", "x[2]", "x[3]"], |m, u| {
            let part = filter(
                AnalogFilter::Bessel,
                kind,
                if kind == FilterType::LowPass || kind == FilterType::HighPass { 4 } else { 2 },
            );
            let part = m.add("part", part.y_start(0.7).init(output));
            m.connect(u, part.u);
        }));
    }
}

#[test]
fn bands_that_a_filter_cannot_have_are_refused() {
    let of = |part: Filter| {
        refusal(move |m: &mut Assembly| {
            let u = m.add("u", Constant::new().k(3));
            let part = m.add("part", part);
            m.connect(u.y, part.u);
        })
    };
    let band = || filter(AnalogFilter::CriticalDamping, FilterType::BandPass, 2);
    let sentence = of(band().f_min(3));
    let wanted = "part.f_min = 3 Hz, part.f_cut = 1.25 Hz: f_min must be positive and below f_cut";
    assert_eq!(sentence, wanted);
    let sentence = of(band().f_min(0.01));
    assert!(
        sentence.contains("the band is so wide that poles of the filter are real"),
        "{sentence}"
    );
}
