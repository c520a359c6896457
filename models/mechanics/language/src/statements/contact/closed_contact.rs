//! Contacts that are kept closed: whether they press, and whether they stick or slide.

use super::contact_law::{ContactConditions, ContactLaw, NO_SPEED};
use super::contact_rows::ContactRows;
use crate::ids::FrictionId;
use crate::statements::laws::friction_element::Friction as Element;
use crate::statements::laws::friction_element::{FrictionState, Pressing};
use crate::statements::laws::signal_view::SignalView;
use crate::statements::laws::velocity_view::VelocityView;
use equations::{Bool, DeclaredRelation, DiscreteVariable, Ex, Model, select, select_bool};

/// How fast the gap of a closed contact, and the speeds along it, return to their values at
/// closing; 1/s.
const RETURN: f64 = 10.0;

/// The discrete part of a contact that can be kept closed.
#[derive(Clone, Debug)]
pub struct ClosedContact {
    /// Whether it is kept closed.
    pub kept: DiscreteVariable,
    /// The gap that is kept.
    gap: DiscreteVariable,
    presses: DeclaredRelation,
    separates: DeclaredRelation,
    ends: DeclaredRelation,
    slip: Option<Slip>,
}

/// The discrete part of friction.
#[derive(Clone, Debug)]
struct Slip {
    mode: DiscreteVariable,
    /// The last known direction while it slides; for its meaning at the beginning of sliding see
    /// [`Slip::creep`].
    direction: [DiscreteVariable; 2],
    breaks_loose: DeclaredRelation,
    fast: DeclaredRelation,
    sticks_again: DeclaredRelation,
    slow: DeclaredRelation,
    back: DeclaredRelation,
}

/// A closed contact opens for good if its gap grows faster than this multiple of a speed that
/// counts as zero.
const SEPARATION: f64 = 10.0;

/// How far a closed gap may be from its value at closing, as a multiple of `v_small` in s: a tenth
/// of the distance that this speed opens while a gap returns.
const ENDED: f64 = 0.1 / RETURN;

const STICKS: f64 = 0.0;
const STARTS: f64 = 1.0;
const SLIDES: f64 = 2.0;
const LABELS: [(i32, &str); 3] = [(0, "Sticks"), (1, "Starts"), (2, "Slides")];

/// The sliding speed, as a share of `v_small`, above which its direction is that of the friction.
const SLIDING: f64 = 0.01;

/// A contact that starts to slide sticks again where this share of its friction is enough.
const ENOUGH: f64 = 0.98;

/// The cosine of the angle by which the speed may turn from the last known direction of sliding.
const TURNED: f64 = 0.5;

impl ClosedContact {
    /// Declares the modes.
    pub fn declare(e: &mut SignalView<'_>, law: &ContactLaw) -> ClosedContact {
        let name = e.name().to_owned();
        let full = |local: &str| format!("{name}.{local}");
        let model = e.model();
        let kept = model.discrete(&full("closed"), 0.0).boolean().done();
        let gap = model.discrete(&full("gap_closed"), 0.0).done();
        let paradox = match law.friction.coulomb() {
            Some(_) => " (Painlevé's paradox where neither holds)",
            None => "",
        };
        let presses = model.declare_relation(&format!("{name}: f_n > 0{paradox}"));
        let separates = model.declare_relation(&format!("{name}: closed frames separate"));
        let ends = model.declare_relation(&format!("{name}: surface ends"));
        let slip = law.friction.coulomb().map(|_| Slip::declare(e));
        ClosedContact { kept, gap, presses, separates, ends, slip }
    }

    /// Whether the contact is kept closed, and the surfaces touch. Where the geometry of a surface
    /// ends, they do not touch any more.
    pub fn holds(&self, model: &mut Model, rows: &ContactRows, law: &ContactLaw) -> Bool {
        let kept = self.kept.pre_bool();
        let far = rows.motions[0].q - self.gap.pre() - law.v_small * ENDED;
        model.define_relation(self.ends, far, kept);
        kept & !self.ends.truth()
    }

    /// The elements of the equations of motion that keep the contact closed.
    pub fn elements(
        &self,
        e: &mut VelocityView<'_>,
        rows: &ContactRows,
        law: &ContactLaw,
    ) -> Vec<FrictionId> {
        let presses = self.kept.pre_bool() & self.presses.truth();
        let gap = &rows.motions[0];
        // A gap that is farther away belongs to a surface that has ended.
        let away = (gap.q - self.gap.pre()).min(law.v_small * ENDED);
        let returning = 2.0 * RETURN * gap.v + RETURN * RETURN * away;
        let name = e.name().to_owned();
        let normal = e.add_friction(Element {
            name: name.clone(),
            relative: gap.clone(),
            locked: presses,
            sliding: Ex::zero(),
            proportional: None,
            stabilisation: returning,
            contact: true,
        });
        let mut elements = vec![normal];
        if let (Some(slip), Some(mu)) = (&self.slip, law.friction.coulomb()) {
            let direction = slip.direction_of_sliding(rows, law);
            let sticks = slip.mode.pre().equals(STICKS);
            for (k, motion) in rows.motions[1..].iter().enumerate() {
                elements.push(e.add_friction(Element {
                    name: name.clone(),
                    relative: motion.clone(),
                    locked: presses & sticks,
                    sliding: Ex::zero(),
                    proportional: Some((Pressing::Element(normal), -(mu * direction[k]))),
                    stabilisation: 2.0 * RETURN * motion.v,
                    contact: false,
                }));
            }
        }
        elements
    }

    /// With the accelerations: relations and the next modes.
    pub fn decide(
        &self,
        e: &mut SignalView<'_>,
        rows: &ContactRows,
        law: &ContactLaw,
        conditions: ContactConditions,
        states: &[FrictionState],
    ) {
        let gap = &rows.motions[0];
        let (kept, presses) = (self.kept.pre_bool(), self.presses.truth());
        let no_speed = law.v_small * NO_SPEED;
        let separation_speed = SEPARATION * no_speed;
        let normal = &states[0];
        // Forces are evaluated with the speeds after all impacts.
        let impact = e.after_impulses();
        let model = e.model();
        // A contact that breaks loose still counts as pressing. The force while the contact sticks
        // says nothing about the force while it slides, which may have any size near a turning
        // point.
        let mut holds = -normal.holding_torque;
        if let (Some(slip), Some(mu)) = (&self.slip, law.friction.coulomb()) {
            let sticks = slip.mode.pre().equals(STICKS);
            holds = select(sticks, holds.max(excess(mu, states)), holds);
        }
        let pressing = select(presses, holds, -normal.sliding_acceleration);
        let pressing = select(impact, select(presses, 1.0, -1.0), pressing);
        model.define_relation(self.presses, pressing, kept);
        model.define_relation(self.separates, gap.v.abs() - separation_speed, kept & !presses);
        // Friction at the impact may have lifted the frame a little, which would repeat without
        // end.
        let closes =
            conditions.touches_open & !conditions.approaches & gap.v.le(separation_speed) & !impact;
        let lifts_off = gap.v.gt(separation_speed);
        let separates = select_bool(impact, lifts_off, !presses & self.separates.truth());
        let separates = (separates & !conditions.approaches) | (kept & self.ends.truth());
        model.update(self.gap, select(closes, gap.q, self.gap.pre()));
        model.update(self.kept, ((kept & !separates) | closes).as_ex());
        if let Some(slip) = &self.slip {
            let lands = closes | (kept & (!presses | impact));
            slip.decide(e, rows, law, kept & presses & !impact, lands, states);
        }
    }

    /// The variables of the closed contact.
    pub fn publish(
        &self,
        e: &mut SignalView<'_>,
        rows: &ContactRows,
        law: &ContactLaw,
        states: &[FrictionState],
    ) {
        e.define("closed", self.kept.pre());
        let forces: Vec<Ex> = states.iter().map(|state| -state.tau).collect();
        e.offer("f_n", forces[0]);
        let slides = forces.len() > 1;
        if slides {
            e.define("mode", self.slip.as_ref().map_or_else(Ex::zero, |slip| slip.mode.pre()));
        }
        if slides || law.drawn {
            e.publish("f", &rows.vector(&forces));
        }
        if slides {
            let loss = forces.iter().zip(rows.speeds()).map(|(&f, v)| -(f * v)).sum::<Ex>();
            e.set_loss(None, loss);
        }
    }
}

impl Slip {
    fn declare(e: &mut SignalView<'_>) -> Slip {
        let name = e.name().to_owned();
        let full = |local: &str| format!("{name}.{local}");
        let model = e.model();
        let mode = model.discrete(&full("mode"), STICKS).integer().labels(&LABELS).done();
        let direction = ["direction[1]", "direction[2]"];
        let direction = direction.map(|local| model.discrete(&full(local), 0.0).done());
        let breaks_loose = model.declare_relation(&format!("{name}: friction is overcome"));
        let fast = model.declare_relation(&format!("{name}: slides faster"));
        let sticks_again = model.declare_relation(&format!("{name}: friction is enough"));
        let slow = model.declare_relation(&format!("{name}: slides slower"));
        let back = model.declare_relation(&format!("{name}: sliding has turned"));
        Slip { mode, direction, breaks_loose, fast, sticks_again, slow, back }
    }

    /// The direction of friction along the tangents, as a share of the largest friction and against
    /// the motion, for a contact that does not stick. While the contact slides, the share has size
    /// 1, and the direction of the speed or, if the speed is about to turn back, the last known
    /// direction. Where the contact starts to slide, the share is [`Slip::creep`], at most 1.
    fn direction_of_sliding(&self, rows: &ContactRows, law: &ContactLaw) -> [Ex; 2] {
        let smallest = law.v_small * (SLIDING / 4.0);
        let per_speed = 1.0 / sliding_speed(rows).max(smallest);
        let starts = self.mode.pre().equals(STARTS);
        let latched = self.forward(rows).lt(smallest);
        let creep = self.creep(rows, law);
        let at_most_one = 1.0 / size(&creep).max(1.0);
        std::array::from_fn(|k| {
            let speed = rows.motions[k + 1].v * per_speed;
            let slides = select(latched, self.direction[k].pre(), speed);
            select(starts, creep[k] * at_most_one, slides)
        })
    }

    /// Friction where a contact starts to slide, as a share of all friction, before it is limited
    /// to 1: the share with which it broke loose, and 1 more for each half of the sliding speed.
    ///
    /// So the force is continuous where sticking ends, and follows small speeds in both directions:
    /// where one direction cannot move the other one needs a part of all friction, and keeps it.
    fn creep(&self, rows: &ContactRows, law: &ContactLaw) -> [Ex; 2] {
        let per_speed = 1.0 / (law.v_small * (SLIDING * 0.5));
        std::array::from_fn(|k| self.direction[k].pre() + rows.motions[k + 1].v * per_speed)
    }

    /// The speed in the last known direction of sliding.
    fn forward(&self, rows: &ContactRows) -> Ex {
        rows.motions[1].v * self.direction[0].pre() + rows.motions[2].v * self.direction[1].pre()
    }

    fn decide(
        &self,
        e: &mut SignalView<'_>,
        rows: &ContactRows,
        law: &ContactLaw,
        pressed: Bool,
        lands: Bool,
        states: &[FrictionState],
    ) {
        let Some(mu) = law.friction.coulomb() else { return };
        let is = |mode: f64| self.mode.pre().equals(mode);
        let (sticks, starts, slides) = (is(STICKS), is(STARTS), is(SLIDES));
        let across = across(states);
        let (speed, forward) = (sliding_speed(rows), self.forward(rows));
        let sliding = law.v_small * SLIDING;
        let model = e.model();
        model.define_relation(self.breaks_loose, excess(mu, states), pressed & sticks);
        model.define_relation(self.fast, speed / sliding - 1.0, pressed & starts);
        let creep = self.creep(rows, law);
        model.define_relation(self.sticks_again, ENOUGH - size(&creep), pressed & starts);
        // The last known direction is renewed before the speed could be seen as turned back.
        let turning = (speed * TURNED - forward) / sliding;
        model.define_relation(self.back, turning, pressed & slides);
        model.define_relation(self.slow, 0.5 - speed / sliding, pressed & slides);
        let (fast, back) = (self.fast.truth(), self.back.truth());
        let loose = pressed & sticks & self.breaks_loose.truth();
        let stops = self.slow.truth() | (back & speed.lt(0.5 * sliding));
        let after_start = select(self.sticks_again.truth(), STICKS, select(fast, SLIDES, STARTS));
        let next = select(starts, after_start, select(stops, STICKS, SLIDES));
        let next = select(sticks, select(loose, STARTS, STICKS), next);
        let landing = select(speed.gt(sliding), SLIDES, STICKS);
        let open = select(lands, landing, self.mode.pre());
        model.update(self.mode, select(pressed, next, open));
        // While the contact slides, the stored direction is kept until the speed has turned by 60°.
        let turns = lands | (starts & fast) | (slides & back);
        let per_speed = 1.0 / speed.max(sliding * 0.25);
        for (k, discrete) in self.direction.into_iter().enumerate() {
            let turned = select(turns, rows.motions[k + 1].v * per_speed, discrete.pre());
            // The force is continuous: with the present speed `creep` gives `pull`, which is zero
            // if the frames are pulled apart along the normal.
            let pull = across[k] / size(&across).max(f64::MIN_POSITIVE);
            let direction_at_start = pull - rows.motions[k + 1].v * (2.0 / sliding);
            model.update(discrete, select(loose, direction_at_start, turned));
        }
    }
}

fn sliding_speed(rows: &ContactRows) -> Ex {
    size(&[rows.motions[1].v, rows.motions[2].v])
}

/// The force along the surfaces that sticking requires.
fn across(states: &[FrictionState]) -> [Ex; 2] {
    [states[1].holding_torque, states[2].holding_torque]
}

fn size([x, y]: &[Ex; 2]) -> Ex {
    (x.square() + y.square()).sqrt()
}

/// The force that sticking requires beyond the largest friction force.
fn excess(mu: Ex, states: &[FrictionState]) -> Ex {
    size(&across(states)) + mu * states[0].holding_torque
}
