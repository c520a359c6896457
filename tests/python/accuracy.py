"""Error against work: simulates an FMU with several solvers at several tolerances.

The argument is a job as JSON: {"fmu": path, "stop": s, "points": number, "tolerances": [..],
"starts": {name: value}, "outputs": [names]}. The result is JSON: for each solver a list of
[tolerance, right-hand sides, error], and "floor", the distance of two references.

The solvers are the FMU's own (Co-Simulation), SciPy's DOP853, and CVode with its two families of
methods as FMPy calls it; the last three drive the FMU in Model Exchange. The error is the largest
distance from the FMU's own solution with a tolerance of 1e-13, at equidistant points, relative to
the range of each output. Evaluations for Jacobians of CVode count, and so do those for dense output
of either implementation of DOP853, which is computed if a point or an event is within the step.
"""

import ctypes
import json
import shutil
import sys

import fmpy.sundials as sundials
import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.sundials.cvode import CV_ADAMS, CV_BDF
from scipy.integrate import DOP853
from scipy.optimize import brentq

REFERENCE = 1e-13
EPSILON = 1e-12
# Outputs below this magnitude are regarded as zero.
NOISE = 1e-3


class Job:
    def __init__(self, job):
        self.stop, self.starts = job["stop"], job["starts"]
        self.tolerances = job["tolerances"]
        self.times = np.linspace(0.0, self.stop, job["points"] + 1)[1:]
        self.description = read_model_description(job["fmu"], validate=False)
        self.folder = extract(job["fmu"])
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.outputs = [self.references[name] for name in job["outputs"]]

    def start(self, kind, identifier, tolerance):
        fmu = kind(
            guid=self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=identifier,
            instanceName="accuracy",
        )
        fmu.instantiate()
        fmu.setupExperiment(tolerance=tolerance, startTime=0.0)
        for name, value in self.starts.items():
            fmu.setReal([self.references[name]], [value])
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        return fmu


def co_simulation(job, tolerance):
    """The outputs at the points, and the number of right-hand sides."""
    fmu = job.start(FMU2Slave, job.description.coSimulation.modelIdentifier, tolerance)
    t, rows = 0.0, []
    for end in job.times:
        fmu.doStep(currentCommunicationPoint=t, communicationStepSize=end - t)
        t = end
        rows.append(fmu.getReal(job.outputs))
    work = fmu.getInteger([job.references["solver.evaluations"]])[0]
    fmu.terminate()
    fmu.freeInstance()
    return np.array(rows), work


class Exchange:
    """An FMU in Model Exchange, which counts evaluations of its derivatives."""

    def __init__(self, job, tolerance):
        self.job = job
        self.fmu = job.start(FMU2Model, job.description.modelExchange.modelIdentifier, tolerance)
        self.n = job.description.numberOfContinuousStates
        self.m = job.description.numberOfEventIndicators
        self.count, self.rows = 0, []
        self.x = np.zeros(self.n)
        self.z = np.zeros(self.m)
        self.dx = np.zeros(self.n)
        self.iterate()

    def pointer(self, array):
        return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

    def iterate(self):
        """The event iteration; returns the time of the next event."""
        while True:
            needed, _, _, _, defined, time = self.fmu.newDiscreteStates()
            if not needed:
                break
        self.fmu.enterContinuousTimeMode()
        self.next_event = time if defined else np.inf
        self.fmu.getContinuousStates(self.pointer(self.x), self.n)

    def event(self):
        self.fmu.enterEventMode()
        self.iterate()

    def move(self, t, x):
        self.fmu.setTime(t)
        self.x[:] = x
        self.fmu.setContinuousStates(self.pointer(self.x), self.n)

    def derivatives(self, t, x):
        self.count += 1
        self.move(t, x)
        self.fmu.getDerivatives(self.pointer(self.dx), self.n)
        return self.dx.copy()

    def indicators(self, t, x):
        self.move(t, x)
        self.fmu.getEventIndicators(self.pointer(self.z), self.m)
        return self.z.copy()

    def completed(self, t, x):
        """Ends a step; true if the FMU asks for an event."""
        self.move(t, x)
        enter, _ = self.fmu.completedIntegratorStep()
        return enter

    def sample(self, t, x):
        self.move(t, x)
        self.rows.append(self.fmu.getReal(self.job.outputs))

    def nominal(self):
        values = np.zeros(self.n)
        self.fmu.getNominalsOfContinuousStates(self.pointer(values), self.n)
        return values

    def result(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        return np.array(self.rows), self.count


def dop853(job, tolerance):
    me = Exchange(job, tolerance)
    t, length, pending = 0.0, None, list(job.times)
    while pending:
        end = min(job.stop, me.next_event)
        solver = DOP853(
            me.derivatives, t, me.x.copy(), end, rtol=tolerance, atol=tolerance * me.nominal(),
            first_step=None if length is None else min(length, end - t),
        )
        before = me.indicators(t, me.x.copy())
        at_event = False
        while solver.status == "running" and not at_event:
            message = solver.step()
            if solver.status == "failed":
                raise RuntimeError(message)
            t_new, x_new = solver.t, solver.y.copy()
            after = me.indicators(t_new, x_new)
            changed = np.flatnonzero(before * after < 0.0)
            if changed.size or (pending and pending[0] <= t_new):
                dense = solver.dense_output()
            crossed = [
                brentq(
                    lambda s, i=i: me.indicators(s, dense(s))[i], solver.t_old, t_new, xtol=1e-14
                )
                for i in changed
            ]
            if crossed:
                # Just behind the event, so that the FMU sees the changed sign.
                t_new = min(min(crossed) + EPSILON, t_new)
                x_new, at_event = dense(t_new), True
            while pending and pending[0] <= t_new:
                me.sample(pending[0], dense(pending[0]))
                pending.pop(0)
            at_event |= me.completed(t_new, x_new)
            before, t, length = after, t_new, solver.h_abs
        if at_event or (t >= me.next_event and pending):
            me.event()
    return me.result()


def cvode(job, tolerance, family):
    me = Exchange(job, tolerance)
    array = np.ctypeslib.as_array
    create = sundials.CVodeCreate
    sundials.CVodeCreate = lambda _, context: create(family, context)

    class NoInput:
        def apply(self, t):
            pass

    def get_dx(pointer, n):
        me.count += 1
        me.fmu.getDerivatives(pointer, n)

    try:
        solver = sundials.CVodeSolver(
            nx=me.n,
            nz=me.m,
            get_x=me.fmu.getContinuousStates,
            set_x=me.fmu.setContinuousStates,
            get_dx=get_dx,
            get_z=me.fmu.getEventIndicators,
            get_nominals=me.fmu.getNominalsOfContinuousStates,
            set_time=me.fmu.setTime,
            input=NoInput(),
            startTime=0.0,
            relativeTolerance=tolerance,
            maxNumSteps=1000000,
        )
    finally:
        sundials.CVodeCreate = create
    t = 0.0
    for point in job.times:
        while t < point:
            end = min(point, me.next_event)
            at_root, _, t = solver.step(t, end)
            x = array(solver.px, (me.n,)).copy()
            enter = me.completed(t, x)
            if at_root or enter or t >= me.next_event:
                me.event()
                solver.reset(t)
        me.sample(t, array(solver.px, (me.n,)).copy())
    return me.result()


SOLVERS = {
    "Co-Simulation": co_simulation,
    "DOP853": dop853,
    "CVode, Adams": lambda job, tolerance: cvode(job, tolerance, CV_ADAMS),
    "CVode, BDF": lambda job, tolerance: cvode(job, tolerance, CV_BDF),
}


def main():
    job = Job(json.loads(sys.argv[1]))
    reference, _ = co_simulation(job, REFERENCE)
    spread = np.ptp(reference, axis=0)
    # A constant output has no range: its changes are rounding errors.
    moving = spread > 1e-6 * np.maximum(np.max(np.abs(reference), axis=0), NOISE)

    def error(rows):
        return float(np.max(np.abs(rows - reference)[:, moving] / spread[moving]))

    results = {"floor": error(dop853(job, REFERENCE)[0])}
    for name, solver in SOLVERS.items():
        results[name] = []
        for tolerance in job.tolerances:
            rows, work = solver(job, tolerance)
            results[name].append([tolerance, work, error(rows)])
    shutil.rmtree(job.folder, ignore_errors=True)
    print(json.dumps(results))


main()
