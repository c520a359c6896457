//! The order and the instants of friction events in published drive trains.

use crate::common::{simulate, start, value};
use mechanics::Assembly;
use models::{
    brake, coupled_clutches, one_way_clutch, rotational_friction, translational_friction,
};

/// The modes of `names` whenever one of them changes, beginning with the initial ones.
fn modes(text: fn(&mut Assembly), names: &[&str], end: f64) -> Vec<(f64, Vec<f64>)> {
    let mut model = start(text);
    let read = |model: &mut fmu_runtime::Simulation| -> Vec<f64> {
        names.iter().map(|name| value(model, name)).collect()
    };
    let mut history = vec![(0.0, read(&mut model))];
    simulate(&mut model, end, |model| {
        let now = read(model);
        if history.last().is_none_or(|(_, last)| *last != now) {
            history.push((model.time(), now));
        }
    });
    history
}

/// Asserts that the modes change as published, at instants that are known to `tolerance` in s.
fn assert_events(
    text: fn(&mut Assembly),
    names: &[&str],
    published: &[(f64, &[f64])],
    end: f64,
    tolerance: f64,
) {
    let history = modes(text, names, end);
    let agrees = history.len() == published.len()
        && history
            .iter()
            .zip(published)
            .all(|(one, other)| (one.0 - other.0).abs() <= tolerance && one.1 == other.1);
    assert!(agrees, "{names:?}: {history:#?} instead of {published:#?}");
}

#[test]
fn coupled_clutches_change_their_modes_as_published() {
    assert_events(
        coupled_clutches::model,
        &["clutch1.mode", "clutch2.mode", "clutch3.mode"],
        &[
            (0.0, &[-1.0, 2.0, 2.0]),
            (0.4, &[-1.0, -1.0, 2.0]),
            (0.709621464, &[-1.0, 0.0, 2.0]),
            (0.791658284, &[0.0, 0.0, 2.0]),
            (0.831108506, &[-1.0, 0.0, 2.0]),
            (0.9, &[-1.0, 0.0, -1.0]),
            (0.906849138, &[0.0, 0.0, -1.0]),
            (1.000295860, &[-1.0, 0.0, -1.0]),
            (1.143969630, &[-1.0, 0.0, 0.0]),
            (1.25, &[2.0, 0.0, 0.0]),
        ],
        1.5,
        1e-5,
    );
}

#[test]
fn a_clutch_and_a_brake_on_a_spring_change_their_modes_as_published() {
    assert_events(
        rotational_friction::model,
        &["clutch.mode", "brake.mode"],
        &[
            (0.0, &[-1.0, 2.0]),
            (0.00678, &[0.0, 2.0]),
            (0.05934, &[-1.0, 2.0]),
            (0.10929, &[0.0, 2.0]),
            (0.5, &[0.0, 1.0]),
            (0.53425, &[-1.0, 1.0]),
            (0.6406, &[-1.0, 0.0]),
            (1.6636, &[0.0, 0.0]),
        ],
        3.0,
        1e-4,
    );
}

#[test]
fn a_one_way_clutch_locks_and_releases_as_published() {
    let history = modes(one_way_clutch::model, &["oneWayClutch.stuck"], 2.0);
    // The published clutch also locks for an instant at 1.5 s, where the speed touches zero: the
    // last digits of the integration decide whether that is an event.
    let lasting = || history.iter().filter(|h| (h.0 - 1.5).abs() > 1e-5);
    let locks: Vec<f64> = lasting().filter(|h| h.1[0] == 1.0).map(|h| h.0).collect();
    let releases: Vec<f64> = lasting().skip(1).filter(|h| h.1[0] == 0.0).map(|h| h.0).collect();
    for (found, published) in [
        (locks, vec![0.080280, 0.430678, 1.05, 1.7562]),
        (releases, vec![0.166668, 0.95, 1.166668]),
    ] {
        let agrees = found.len() == published.len()
            && found.iter().zip(&published).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(agrees, "{found:?} instead of {published:?}");
    }
}

#[test]
fn a_brake_stops_a_mass_as_published() {
    let published: [(f64, &[f64]); 3] = [(0.0, &[2.0]), (0.1, &[1.0]), (1.1, &[0.0])];
    assert_events(brake::model, &["brake.mode"], &published, 2.0, 1e-9);
}

#[test]
fn masses_with_friction_and_stops_change_their_modes_as_published() {
    assert_events(
        translational_friction::model,
        &["stop1.mode", "stop2.mode", "supportFriction.mode"],
        &[
            (0.0, &[0.0, -1.0, 0.0]),
            (0.0605969541, &[0.0, 0.0, 0.0]),
            (0.0605969541, &[0.0, 1.0, 0.0]),
            (0.20110564, &[0.0, -1.0, 0.0]),
            (0.341616548, &[0.0, 1.0, 0.0]),
            (0.40966796, &[0.0, 1.0, 1.0]),
            (0.410143135, &[1.0, 1.0, 1.0]),
            (0.48214011, &[1.0, -1.0, 1.0]),
            (0.622692612, &[1.0, 1.0, 1.0]),
            (0.763328814, &[1.0, -1.0, 1.0]),
            (0.904204209, &[1.0, 1.0, 1.0]),
            (1.04597406, &[1.0, 0.0, 1.0]),
            (2.44222804, &[1.0, 0.0, -1.0]),
            (2.44268882, &[-1.0, 0.0, -1.0]),
            (4.44154436, &[-1.0, 0.0, 1.0]),
            (4.4419399, &[1.0, 0.0, 1.0]),
        ],
        5.0,
        1e-3,
    );
}
