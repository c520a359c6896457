"""Reference motions of planar mechanisms, by integration in maximal coordinates.

Each body has the coordinates x, y and angle of its centre of mass, and each joint is an equation
between them. Accelerations and impulses follow from the matrix of masses and constraints, with all
reactions as unknowns. SciPy's DOP853 integrates; after every step, positions and velocities are
projected on the constraints. Nothing is chosen and nothing is eliminated, so no position of a
mechanism is special, and nothing is shared with the models of this repository.

`python maximal_coordinates.py` prints the constants of the tests `free_loops_references` and
`published_linkages.rs` of models/mechanics, and for each mechanism how much they change with the
tolerance. A few mechanisms of the literature follow from exact equations instead.
"""

import sys

import numpy as np
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq, fsolve

GRAVITY = 9.81
GROUND = -1


class Mechanism:
    """Planar bodies, constraints, and applied torques.

    A body is (mass, moment of inertia about its centre, position of its centre in its frame). A
    constraint is a function of (t, positions, velocities) that returns its residual, its rows, its
    explicit rate, and the part of its second derivative that contains no acceleration.
    """

    def __init__(self, bodies):
        self.bodies = bodies
        self.n = 3 * len(bodies)
        self.mass = np.array([m for b in bodies for m in (b[0], b[0], b[1])])
        self.weight = np.array([f for b in bodies for f in (0.0, -GRAVITY * b[0], 0.0)])
        self.constraints = []
        self.torques = []

    def point(self, body, local, q, v):
        """Position and rows of a point of a body, and its acceleration without those of q."""
        rows = np.zeros((2, self.n))
        if body == GROUND:
            return np.array(local, float), rows, np.zeros(2)
        k = 3 * body
        r = np.array(local, float) - np.array(self.bodies[body][2])
        c, s = np.cos(q[k + 2]), np.sin(q[k + 2])
        out = np.array([c * r[0] - s * r[1], s * r[0] + c * r[1]])
        rows[0, k] = rows[1, k + 1] = 1.0
        rows[:, k + 2] = [-out[1], out[0]]
        return q[k : k + 2] + out, rows, -out * v[k + 2] ** 2

    def pin(self, one, at_one, other, at_other):
        """Two points coincide."""

        def constraint(t, q, v):
            a, b = self.point(one, at_one, q, v), self.point(other, at_other, q, v)
            return a[0] - b[0], a[1] - b[1], np.zeros(2), a[2] - b[2]

        self.constraints.append(constraint)

    def slider(self, body, local, height):
        """A point of a body stays at a height."""

        def constraint(t, q, v):
            p, rows, second = self.point(body, local, q, v)
            return p[1:] - height, rows[1:], np.zeros(1), second[1:]

        self.constraints.append(constraint)

    def angles(self, factors, law=lambda t: (0.0, 0.0, 0.0)):
        """A sum of angles times factors is a function of time, which has three derivatives."""

        def constraint(t, q, v):
            row = np.zeros((1, self.n))
            for body, factor in factors:
                row[0, 3 * body + 2] = factor
            phi, w, a = law(t)
            return row @ q - phi, row, np.array([-w]), np.array([-a])

        self.constraints.append(constraint)

    def rows(self, t, q, v):
        parts = [constraint(t, q, v) for constraint in self.constraints]
        return [np.concatenate([part[k] for part in parts]) for k in range(4)]

    def solve(self, rows, forces, given):
        """The solution of mass * x = forces + rows' * reactions with rows * x = given."""
        return self.reactions(rows, forces, given)[: self.n]

    def reactions(self, rows, forces, given):
        m = len(rows)
        matrix = np.block([[np.diag(self.mass), rows.T], [rows, np.zeros((m, m))]])
        return np.linalg.solve(matrix, np.concatenate([forces, given]))

    def project(self, t, y):
        q, v = y[: self.n].copy(), y[self.n :]
        for _ in range(10):
            residual, rows, _, _ = self.rows(t, q, v)
            q += self.solve(rows, np.zeros(self.n), -residual)
            if np.abs(residual).max() < 1e-15:
                break
        _, rows, rate, _ = self.rows(t, q, v)
        v = self.solve(rows, self.mass * v, -rate)
        return np.concatenate([q, v])

    def derivative(self, t, y):
        q, v = y[: self.n], y[self.n :]
        _, rows, _, second = self.rows(t, q, v)
        forces = self.weight.copy()
        for torque in self.torques:
            forces = forces + torque(t, q, v)
        return np.concatenate([v, self.solve(rows, forces, -second)])

    def start(self, angles, fixed):
        """A consistent state near angles; `fixed` are bodies with their angle and speed."""
        guess = np.zeros(self.n)
        guess[2::3] = angles
        speeds = np.zeros(self.n)
        residual, rows, _, _ = self.rows(0.0, guess, speeds)
        places = [k for k in range(self.n) if k % 3 != 2]
        guess[places] = np.linalg.lstsq(rows[:, places], -residual, rcond=None)[0]

        def equations(q):
            own = [q[3 * body + 2] - phi for body, phi, _ in fixed]
            return np.concatenate([self.rows(0.0, q, speeds)[0], own])

        q, _, found, why = fsolve(equations, guess, xtol=1e-14, full_output=True)
        assert found == 1 or np.abs(equations(q)).max() < 1e-12, why
        _, rows, rate, _ = self.rows(0.0, q, speeds)
        unit = np.zeros((len(fixed), self.n))
        for k, (body, _, _) in enumerate(fixed):
            unit[k, 3 * body + 2] = 1.0
        own = [w for _, _, w in fixed]
        v = np.linalg.solve(np.vstack([rows, unit]), np.concatenate([-rate, own]))
        return self.project(0.0, np.concatenate([q, v]))

    def move(self, t, y, end, tolerance, event=None):
        """The state at `end`, or at the first sign change of `event` after the start."""
        solver = self.solver(t, y, end, tolerance)
        before = None if event is None else event(y)
        while solver.status == "running":
            old_t, old_y = solver.t, solver.y.copy()
            assert solver.step() is None
            solver.y = self.project(solver.t, solver.y)
            solver.f = self.derivative(solver.t, solver.y)
            if event is None:
                continue
            after = event(solver.y)
            if before * after < 0.0 and old_t > t:
                return self.locate(old_t, old_y, solver.t, event, tolerance)
            before = after
        return solver.t, solver.y, False

    def solver(self, t, y, end, tolerance):
        step = min(1e-3, abs(end - t))
        limits = {"rtol": tolerance, "atol": tolerance, "first_step": step, "max_step": 0.02}
        return DOP853(self.derivative, t, y, end, **limits)

    def locate(self, t, y, later, event, tolerance):
        def at(time):
            return self.move(t, y, time, tolerance)[1]

        found = brentq(lambda time: event(at(time)), t + 1e-9 * (later - t), later, xtol=1e-15)
        return found, at(found), True

    def energy(self, y):
        q, v = y[: self.n], y[self.n :]
        return 0.5 * self.mass @ v**2 - self.weight @ q

    def impulse(self, y, t, normal, e):
        """The velocities after an impact whose normal velocity is a row of the velocities."""
        q, v = y[: self.n], y[self.n :]
        _, rows, rate, _ = self.rows(t, q, v)
        rows = np.vstack([rows, normal])
        given = np.concatenate([-rate, [-e * (normal @ v)]])
        return np.concatenate([q, self.solve(rows, self.mass * v, given)])


def rod(length, mass):
    return (mass, mass * length**2 / 12.0, (length / 2.0, 0.0))


def chain(lengths, masses, ground):
    """Bars one after the other between the origin and a point on the x axis.

    All but the last begin at the one before; the last begins at the ground.
    """
    mechanism = Mechanism([rod(*both) for both in zip(lengths, masses)])
    last = len(lengths) - 1
    mechanism.pin(0, (0, 0), GROUND, (0, 0))
    for k in range(1, last):
        mechanism.pin(k - 1, (lengths[k - 1], 0), k, (0, 0))
    mechanism.pin(last - 1, (lengths[last - 1], 0), last, (lengths[last], 0))
    mechanism.pin(last, (0, 0), GROUND, (ground, 0))
    return mechanism


def five_bar():
    """Two cranks (0, 1) with rods (2, 3)."""
    lengths, masses = FIVE_BAR
    mechanism = Mechanism([rod(*both) for both in zip(lengths, masses)])
    mechanism.pin(0, (0, 0), GROUND, (0, 0))
    mechanism.pin(1, (0, 0), GROUND, (0.2, 0))
    mechanism.pin(0, (lengths[0], 0), 2, (0, 0))
    mechanism.pin(1, (lengths[1], 0), 3, (0, 0))
    mechanism.pin(2, (lengths[2], 0), 3, (lengths[3], 0))
    return mechanism


FIVE_BAR = ((0.25, 0.22, 0.3, 0.28), (0.5, 0.4, 0.6, 0.7))
CRANK_ROCKER = ((0.2, 0.55, 0.4), (0.8, 1.1, 0.9), 0.6)


def triple_rocker():
    mechanism = chain((0.3, 0.32, 0.35), (0.5, 0.6, 0.7), 0.6)
    y = mechanism.start([1.0, -0.3, 2.2], [(0, 1.0, 8.0)])
    return run(mechanism, y, 3.0)


def free_five_bar():
    mechanism = five_bar()
    y = mechanism.start([2.0, 1.0, 0.71, 2.35], [(0, 2.0, 0.0), (1, 1.0, 0.0)])
    return run(mechanism, y, 1.2)


LADDER = (
    (0.5, 0.56, 0.53, 0.5, 0.56, 0.53),
    (0.52, 0.49, 0.51, 0.5),
    (0.35, 0.4),
)


def ladder():
    """Six bars on the ground, four couplers between them, and two rods between the last two."""
    bars, couplers, rods = LADDER
    lengths = bars + couplers + rods
    mechanism = Mechanism([rod(l, 0.5 + l) for l in lengths])
    for k in range(6):
        mechanism.pin(k, (0, 0), GROUND, (0.5 * k, 0))
    for k in range(4):
        mechanism.pin(k, (bars[k], 0), 6 + k, (0, 0))
        mechanism.pin(k + 1, (bars[k + 1], 0), 6 + k, (couplers[k], 0))
    mechanism.pin(4, (bars[4], 0), 10, (0, 0))
    mechanism.pin(5, (bars[5], 0), 11, (0, 0))
    mechanism.pin(10, (rods[0], 0), 11, (rods[1], 0))
    angles = [1.2] * 5 + [1.0] + [0.0] * 4 + [0.9, 2.3]
    y = mechanism.start(angles, [(0, 1.2, 3.0), (5, 1.0, -1.0)])
    return run(mechanism, y, 1.2)


def driven_five_bar(law, w, end):
    """The second crank of a five-bar follows a law, the rest is free."""
    mechanism = five_bar()
    mechanism.angles([(1, 1.0)], law)
    y = mechanism.start([2.0, 1.0, 0.71, 2.35], [(0, 2.0, w)])
    return run(mechanism, y, end)


def sine(t):
    w = 6.0
    return 1.0 + 0.8 * np.sin(w * t), 0.8 * w * np.cos(w * t), -0.8 * w * w * np.sin(w * t)


def geared_five_bar():
    """The first crank of a five-bar turns twice as far as the second."""
    mechanism = five_bar()
    mechanism.angles([(0, 1.0), (1, -2.0)])
    y = mechanism.start([2.0, 1.0, 0.71, 2.35], [(0, 2.0, 3.0)])
    return run(mechanism, y, 0.8)


def rough_rocker():
    """Coulomb friction of 0.3 N.m in the bearing of the rocker of a crank-rocker.

    Where the rocker turns back while the crank turns on, the torque changes its direction at once.
    Where the whole linkage is at rest, it sticks or begins to slide as its weight wants.
    """
    limit = 0.3
    lengths, masses, ground = CRANK_ROCKER
    mechanism = chain(lengths, masses, ground)
    y = mechanism.start([0.5, 0.6, 1.6], [(0, 0.5, 12.0)])
    n, direction = mechanism.n, [0.0]

    def friction(t, q, v):
        forces = np.zeros(n)
        forces[8] = -limit * direction[0]
        return forces

    mechanism.torques.append(friction)

    def first(t, y):
        direction[0] = np.sign(y[n + 8])
        return y

    def turned(t, y):
        if np.abs(y[n:]).max() > 1e-6:
            direction[0] = -direction[0]
            return y
        for side in (1.0, -1.0):
            direction[0] = side
            if side * mechanism.derivative(t, y)[n + 8] > 0.0:
                return y
        raise AssertionError(f"it sticks at {t}")

    return run(mechanism, y, 1.5, (lambda y: y[n + 8], first, turned))


def held_five_bar():
    """Coulomb friction of 2 N.m in the bearing of one crank of a five-bar.

    The linkage drives the crank back where it stops first; where it stops next, it is held until
    the torque that holds it reaches the limit.
    """
    limit = 2.0
    mechanism = five_bar()
    y = mechanism.start([2.0, 1.0, 0.71, 2.35], [(0, 2.0, 6.0), (1, 1.0, 1.0)])
    n, free, direction = mechanism.n, len(mechanism.constraints), [1.0]

    def friction(t, q, v):
        forces = np.zeros(n)
        forces[2] = -limit * direction[0]
        return forces

    mechanism.torques.append(friction)

    def first(t, y):
        direction[0] = 1.0
        del mechanism.constraints[free:]
        return y

    def holding(y):
        q, v = y[:n], y[n:]
        _, rows, _, second = mechanism.rows(0.0, q, v)
        return -mechanism.reactions(rows, mechanism.weight, -second)[-1]

    def changed(t, y):
        if direction[0] == 0.0:
            direction[0] = -np.sign(holding(y))
            del mechanism.constraints[free:]
            return y
        for side in (1.0, -1.0):
            direction[0] = side
            if side * mechanism.derivative(t, y)[n + 2] > 0.0:
                return y
        direction[0] = 0.0
        mechanism.angles([(0, 1.0)], lambda t, phi=y[2]: (phi, 0.0, 0.0))
        return mechanism.project(t, y)

    def watch(y):
        return y[n + 2] if direction[0] else limit - abs(holding(y))

    return run(mechanism, y, 0.6, (watch, first, changed))


def bouncing():
    """A four-bar whose coupler carries a sphere beside its middle, above a floor."""
    lengths, masses, ground = (0.4, 1.0, 0.7), (1.0, 2.0, 1.5), 0.9
    mechanism = chain(lengths, masses, ground)
    y = mechanism.start([1.2, 0.2, 1.3], [(0, 1.2, -6.0)])
    n = mechanism.n

    def height(y):
        p = mechanism.point(1, (0.5, 0.2), y[:n], y[n:])[0]
        return p[1] - 0.05 - 0.15

    def impact(t, y):
        normal = mechanism.point(1, (0.5, 0.2), y[:n], y[n:])[1][1]
        return mechanism.impulse(y, t, normal, 0.7)

    return run(mechanism, y, 1.6, (height, lambda t, y: y, impact))


def slider_crank():
    """A crank with a rod whose end slides along the x axis; 0.05 rad before dead centre."""
    mechanism = Mechanism([rod(0.1, 0.5), rod(0.3, 0.8)])
    mechanism.pin(0, (0, 0), GROUND, (0, 0))
    mechanism.pin(0, (0.1, 0), 1, (0, 0))
    mechanism.slider(1, (0.3, 0), 0.0)
    # The slider has a mass of 0.6 kg: a point mass at the end of the rod.
    mechanism.bodies.append((0.6, 1.0, (0.0, 0.0)))
    extended = Mechanism(mechanism.bodies)
    extended.pin(0, (0, 0), GROUND, (0, 0))
    extended.pin(0, (0.1, 0), 1, (0, 0))
    extended.slider(1, (0.3, 0), 0.0)
    extended.pin(1, (0.3, 0), 2, (0, 0))
    extended.angles([(2, 1.0)])
    y = extended.start([0.7, -0.2, 0.0], [(0, 0.7, -10.0)])
    return run(extended, y, 1.0)


def run(mechanism, y, end, event=None, samples=5):
    """A function of the tolerance that returns rows of time, angles and speeds of all bodies."""

    def rows(tolerance):
        state, t, found, events = y, 0.0, [], []
        drift, first = 0.0, mechanism.energy(y)
        if event is not None:
            state = event[1](t, state)
        for k in range(1, samples + 1):
            goal = end * k / samples
            while True:
                t, state, hit = mechanism.move(
                    t, state, goal, tolerance, None if event is None else event[0]
                )
                if not hit:
                    break
                events.append(t)
                state = event[2](t, state)
            n = mechanism.n
            drift = mechanism.energy(state) - first
            found.append(np.concatenate([[t], state[2:n:3], state[n + 2 :: 3]]))
        return np.array(found), events, drift

    return rows


def four_bars(count):
    """The exact motion of the mechanism of N four-bars of 1 m and 1 kg, 10 s from speed 1 rad/s.

    All bars on the ground turn alike, and the couplers only move on circles:
    phi'' = -g ((N + 1) / 2 + N) / ((N + 1) / 3 + N) cos(phi) with phi from the x axis.
    """
    factor = ((count + 1) / 2.0 + count) / ((count + 1) / 3.0 + count)
    return solve_ivp(
        lambda t, y: [y[1], -GRAVITY * factor * np.cos(y[0])],
        (0.0, 10.0),
        [np.pi / 2, -1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
    ).y[:, -1]


def bricard():
    """Bricard's mechanism of the benchmark: five bars of 1 m and 1 kg along edges of a cube.

    Every second joint has the same angle, a or b, each counted from a right angle between its bars:
    (1 + sin a) (1 + sin b) = 1. All configurations follow from one parameter s with
    1 + sin a = 2 ** sin(s), and the motion from the energy.
    """
    bars = np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1], [-1, 0, 0], [0, 1, 0]], float)
    axes = [1, 2, 0, 1, 2, 0]

    def turn(axis, phi):
        c, s = np.cos(phi), np.sin(phi)
        matrix = np.eye(3, dtype=complex)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        matrix[i, i] = matrix[j, j] = c
        matrix[j, i], matrix[i, j] = s, -s
        return matrix

    def angle(s):
        # sin(phi) = 2 ** sin(s) - 1; near its maximum from 1 - sin(phi) = 2 sin(x) ** 2.
        d = np.sin(np.pi / 4 - s / 2)
        x = np.arcsin(d * np.sqrt(-np.expm1(-2 * np.log(2) * d * d) / (d * d)))
        return np.pi / 2 - 2 * x

    def points(s):
        rotation, ends = np.eye(3, dtype=complex), [np.zeros(3, complex)]
        angles = [angle(s), angle(-s)]
        for k, bar in enumerate(bars):
            rotation = rotation @ turn(axes[k], angles[k % 2])
            ends.append(ends[-1] + rotation @ bar)
        return np.array(ends), angles

    def inertia(s):
        """The kinetic energy is this times the square of the rate of s."""
        v = points(s + 1e-30j)[0].imag / 1e-30
        return sum(p @ p + p @ q + q @ q for p, q in zip(v, v[1:])) / 6.0

    def potential(s):
        y = points(s)[0][:, 1]
        return GRAVITY * sum((p + q) / 2.0 for p, q in zip(y, y[1:]))

    def slope(function, s, h=0.01):
        weights = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0]
        pairs = [function(s + k * h) - function(s - k * h) for k in (1, 2, 3)]
        return sum(w * p for w, p in zip(weights, pairs)) / h

    def derivative(t, y):
        s, w = y
        force = -(potential(s + 1e-30j).imag / 1e-30) - slope(inertia, s) * w * w
        return [w, force / (2.0 * inertia(s))]

    gap = np.abs(points(0.7)[0][-1] - [0, 0, 1]).max()
    assert gap < 1e-14, gap
    times = np.arange(1, 6) * 2.0
    found = solve_ivp(
        derivative, (0.0, 10.0), [0.0, 0.0], t_eval=times, method="DOP853", rtol=1e-11, atol=1e-11
    )
    return [[t] + [float(np.real(a)) for a in points(s)[1]] for t, s in zip(times, found.y[0])]


def governor():
    """A flyball governor: two massless arms of 0.5 m with balls of 2 kg at their ends,
    which swing through the spindle.

    Links of 0.3 m go from the arms, 0.3 m below the pivot, to a sleeve of 1.5 kg on the spindle,
    which has 0.05 kg.m2. Rows contain the time, the turn of the spindle, the angle of the arms from
    the spindle, and their rates.
    """
    ball, sleeve, spindle, arm, link = 2.0, 1.5, 0.05, 0.5, 0.3

    def about(alpha):
        return spindle + 2 * ball * (arm * np.sin(alpha)) ** 2

    momentum = about(0.6) * 1.5

    def derivative(t, y):
        _, alpha, rate = y
        s, c = np.sin(alpha), np.cos(alpha)
        mass = 2 * ball * arm**2 + sleeve * (2 * link * s) ** 2
        turning = momentum**2 / about(alpha) ** 2 * 2 * ball * arm**2 * s * c
        weight = -GRAVITY * s * (2 * ball * arm + 2 * sleeve * link)
        return [
            momentum / about(alpha),
            rate,
            (turning + weight - sleeve * (2 * link) ** 2 * s * c * rate**2) / mass,
        ]

    times = np.arange(1, 6) * 0.4
    limits = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13}
    found = solve_ivp(derivative, (0.0, 2.0), [0.0, 0.6, -4.0], t_eval=times, **limits)
    rows = zip(times, *found.y)
    return [[t, psi, alpha, momentum / about(alpha), rate] for t, psi, alpha, rate in rows]


CASES = {
    "TRIPLE_ROCKER": triple_rocker,
    "FIVE_BAR": free_five_bar,
    "LADDER": ladder,
    "SWUNG_FIVE_BAR": lambda: driven_five_bar(sine, 0.0, 1.0),
    "TURNED_FIVE_BAR": lambda: driven_five_bar(lambda t: (1.0 + 4.0 * t, 4.0, 0.0), 0.0, 1.0),
    "GEARED_FIVE_BAR": geared_five_bar,
    "ROUGH_ROCKER": rough_rocker,
    "HELD_FIVE_BAR": held_five_bar,
    "BOUNCING": bouncing,
    "SLIDER_CRANK": slider_crank,
}


def main(names):
    for name in names or CASES:
        calculate = CASES[name]()
        loose, _, _ = calculate(1e-11)
        strict, events, drift = calculate(1e-13)
        change = np.abs(loose - strict).max()
        print(f"// {name}: change {change:.1e}, energy {drift:.1e}, events {np.round(events, 9)}")
        for row in strict:
            print("    [" + ", ".join(f"{x:.12g}" for x in row) + "],")
    for count in (1, 2, 5, 10):
        print("// N-four-bar", count, *four_bars(count))
    for name, rows in [("BRICARD", bricard()), ("GOVERNOR", governor())]:
        print(f"// {name}:")
        for row in rows:
            print("    [" + ", ".join(f"{x:.12g}" for x in row) + "],")


if __name__ == "__main__":
    main(sys.argv[1:])
