"""Runs single FMUs in one importer and prints the results, one line of JSON per FMU.

Arguments: the importer (a function below) and a file with a list of jobs:
  {"fmu": path, "step": s, "steps": number, "tolerance": relative, "starts": {name: value},
   "variables": [names of Reals]}
A line is {"rows": [[values at a communication point], ...]}, from the first step on, or
{"error": why it failed}.
"""

import json
import logging
import os
import sys
import tempfile
from pathlib import Path


def fmpy(job, fmu_type, solver="CVode", silent=(0,), **options):
    """FMPy: Co-Simulation, or Model Exchange with one of its solvers.

    A message whose status is not among the silent ones is an error."""
    from fmpy import simulate_fmu

    messages = []

    def logger(environment, name, status, category, message):
        if status not in silent:
            messages.append(message.decode())

    result = simulate_fmu(
        job["fmu"],
        fmi_type=fmu_type,
        solver=solver,
        output_interval=job["step"],
        stop_time=job["steps"] * job["step"],
        start_values=dict(job["starts"]),
        record_events=False,
        output=job["variables"],
        logger=logger,
        **options,
    )
    if messages:
        raise RuntimeError("the FMU complained: " + "; ".join(messages))
    # CVode also reports at events; the last row of an instant is the one after them.
    rows = {}
    for row in result:
        i = round(row["time"] / job["step"])
        if abs(row["time"] - i * job["step"]) <= 1e-9 * (1.0 + abs(row["time"])):
            rows[i] = [float(row[name]) for name in job["variables"]]
    return [rows[i] for i in range(1, job["steps"] + 1)]


def fmpy_cs(job, **options):
    return fmpy(job, "CoSimulation", relative_tolerance=job["tolerance"], **options)


def fmpy_cvode(job):
    """At this tolerance, a transient of a stiff circuit needs more steps than FMPy allows (500)."""
    from fmpy import sundials

    class PatientSolver(sundials.CVodeSolver):
        def __init__(self, **arguments):
            super().__init__(maxNumSteps=20_000, **arguments)

    impatient, sundials.CVodeSolver = sundials.CVodeSolver, PatientSolver
    try:
        return fmpy(job, "ModelExchange", relative_tolerance=1e-10)
    finally:
        sundials.CVodeSolver = impatient


def fmpy_euler(job):
    """The end of two runs by Euler's method, extrapolated to steps of length zero."""
    end = job["steps"] * job["step"]
    coarse, fine = (
        fmpy({**job, "step": end / n, "steps": n}, "ModelExchange", "Euler", step_size=end / n)[-1]
        for n in job["euler"]
    )
    return [[2.0 * f - c for c, f in zip(coarse, fine)]]


def libcosim(job):
    from libcosimpy.CosimConstants import success
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    log_output_level(CosimLogLevel.WARNING)
    execution = CosimExecution.from_step_size(round(job["step"] * 1e9))
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=job["fmu"], instance_name="alone"))
    variables = execution.slave_variables(slave)
    references = {variable.name.decode(): variable.reference for variable in variables}
    for name, value in job["starts"].items():
        if not execution.real_initial_value(slave, references[name], value):
            raise RuntimeError(f"{name} is not set")
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    wanted = [references[name] for name in job["variables"]]
    rows = []
    for i in range(job["steps"]):
        if execution.step() is not True:
            raise RuntimeError(f"step {i + 1} failed")
        rows.append([float(value) for value in observer.last_real_values(slave, wanted)])
    return rows


def ecos(job):
    from ecospy import EcosLib, EcosSimulation, EcosSimulationStructure

    EcosLib.set_log_level("warn")
    with EcosSimulationStructure() as structure:
        structure.add_model("alone", job["fmu"])
        starts = {f"alone::{name}": value for name, value in job["starts"].items()}
        if starts:
            structure.add_parameter_set("starts", starts)
        with EcosSimulation(structure=structure, step_size=job["step"]) as simulation:
            simulation.init(parameter_set="starts" if starts else None)
            rows = []
            for _ in range(job["steps"]):
                simulation.step()
                values = [simulation.get_real(f"alone::{name}") for name in job["variables"]]
                rows.append(values)
    return rows


def fmucontainer(job):
    """A container around the FMU, made by fmucontainer and run by FMPy."""
    from fmu_manipulation_toolbox.assembly import Assembly

    logging.disable(logging.WARNING)
    path = Path(job["fmu"])
    with tempfile.TemporaryDirectory() as folder:
        outputs = [[path.name, name, f"out{i}"] for i, name in enumerate(job["variables"])]
        starts = [[path.name, name, repr(value)] for name, value in job["starts"].items()]
        plan = {
            "name": "container.fmu",
            "step_size": job["step"],
            "auto_output": False,
            "auto_input": False,
            "fmu": [path.name],
            "output": outputs,
            "start": starts,
        }
        file = Path(folder) / "container.json"
        file.write_text(json.dumps(plan), encoding="utf-8")
        (Path(folder) / path.name).symlink_to(path)
        Assembly(file.name, fmu_directory=Path(folder)).make_fmu()
        inner = {
            **job,
            "fmu": str(Path(folder) / "container.fmu"),
            "starts": {},
            "variables": [outer for _, _, outer in outputs],
        }
        # A container logs its progress with any status; a call that fails is an error anyway.
        return fmpy_cs(inner, silent=range(6))


importer = globals()[sys.argv[1]]
# The output of the importers is not part of the answer.
answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
for job in json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")):
    try:
        line = {"rows": importer(job)}
    except Exception as error:  # the next FMU may succeed
        line = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(line), file=answer, flush=True)
