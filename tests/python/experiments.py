"""Reads the experiments in an FMU as FMI-LS-REF and MA-HS-Experiments describe them, simulates them with FMPy, and
prints as JSON the faults of the files and the largest deviation from the results, relative to the range of a signal.

Argument: the FMU. The rules are written from the text of both standards and share no code with Coupler.
"""

import json
import sys
import tempfile
import zipfile
from pathlib import Path

import fmpy
import numpy
from fmpy.util import read_csv
from lxml import etree

FOLDER = "extra/org.fmi-standard.fmi-ls-ref"
SPACE = "{http://fmi-standard.org/fmi-ls-manifest}"
HEADER = {
    "fmi-ls-name": "org.fmi-standard.fmi-ls-ref",
    "fmi-ls-version": "1.0.0-alpha.1",
    "fmi-ls-description": "Layered Standard providing information on related files included in an FMU.",
}

fmu = sys.argv[1]
faults = []


def check(condition, fault):
    if not condition:
        faults.append(fault)


def deviation(folder, description, experiment):
    """The largest deviation of a simulation from the results of an experiment."""
    times = [float(experiment.get(name)) for name in ["startTime", "stopTime", "stepSize", "tolerance"]]
    table = folder / experiment.find("References").get("source")
    stimuli = experiment.find("Stimuli")
    inputs = None if stimuli is None else read_csv(folder / stimuli.get("source"))
    known = read_csv(table)
    names = known.dtype.names
    outputs = [variable.name for variable in description.modelVariables if variable.causality == "output"]
    check(names[0] == "time" and sorted(names[1:]) == sorted(outputs), f"columns {names}")
    check((numpy.diff(known["time"]) > 0).all(), "times do not ascend")
    check(known["time"][0] == times[0] and known["time"][-1] == times[1], "times do not span the experiment")
    if inputs is not None:
        causalities = {variable.name: variable.causality for variable in description.modelVariables}
        check(all(causalities[name] == "input" for name in inputs.dtype.names[1:]), "stimuli are no inputs")
    result = fmpy.simulate_fmu(
        fmu,
        fmi_type="CoSimulation",
        start_time=times[0],
        stop_time=times[1],
        output_interval=times[2],
        relative_tolerance=times[3],
        input=inputs,
        output=list(names[1:]),
    )
    worst = 0.0
    for name in names[1:]:
        error = numpy.interp(known["time"], result["time"], result[name]) - known[name]
        span = numpy.ptp(known[name])
        worst = max(worst, float(numpy.max(numpy.abs(error)) / (span if span > 1e-9 else 1.0)))
    return worst


with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(fmu) as archive:
    archive.extractall(place)
    folder = Path(place) / FOLDER
    manifest = etree.parse(folder / "fmi-ls-manifest.xml").getroot()
    check(manifest.tag == "fmiReferences", f"root {manifest.tag}")
    for name, value in HEADER.items():
        check(manifest.get(SPACE + name) == value, f"{name} {manifest.get(SPACE + name)}")
    related = {(file.get("role"), file.get("type")): folder / file.get("source") for file in manifest}
    check(all(path.is_file() for path in related.values()), f"missing {related}")
    check(("result", "text/csv") in related, "no result")
    path = related[("experiment", "application/x-ma-hs-experiments")]
    check(path.suffix == ".exp", f"suffix of {path}")
    experiments = etree.parse(path).getroot()
    check(experiments.tag == "Experiments" and experiments.get("name"), "experiments")
    check((Path(place) / "documentation/fmi-ls-ref.txt").is_file(), "no page")
    description = fmpy.read_model_description(fmu)
    worst = max(deviation(folder, description, experiment) for experiment in experiments)

print(json.dumps([faults, worst]))
