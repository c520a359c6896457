"""Validates a system against the schema of SSP 1.0, and compares FMPy and libcosim with our results.

Arguments: the archive, our table (constant inputs, no correction), step in s, stop in s.
"""

import csv
import os
import sys
import tempfile
import zipfile

import fmpy.ssp
import numpy as np
from fmpy.ssp.simulation import simulate_ssp
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver
from lxml import etree

path, ours, step, stop = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])

schemas = os.path.join(os.path.dirname(fmpy.ssp.__file__), "schema")
with zipfile.ZipFile(path) as archive:
    for name in archive.namelist():
        kinds = {".ssd": "SystemStructureDescription", ".ssv": "SystemStructureParameterValues"}
        kind = kinds.get(os.path.splitext(name)[1])
        if kind:
            schema = etree.XMLSchema(file=os.path.join(schemas, kind + ".xsd"))
            schema.assertValid(etree.fromstring(archive.read(name)))
print("valid")

with open(ours, encoding="utf-8") as file:
    rows = list(csv.reader(file))
table = {name: np.array([float(row[k]) for row in rows[1:]]) for k, name in enumerate(rows[0])}


def compare(who, name, values, limit, first=0):
    """Compares a signal of another program at the ends of steps with ours, from some step on."""
    mine = table[name][1 : len(values) + 1]
    error = np.max(np.abs(mine - values)[first:]) / np.ptp(table[name])
    if not error < limit:
        sys.exit(f"{who}: {name} differs by {error} of its range")


names = [name for name in table if name != "time" and np.ptp(table[name]) > 0]
assert len(names) >= 4, names

# FMPy's inputs are zero in the first step, whatever the start values are; its rows have the time of
# the beginning of a step, and the values of its end.
result = simulate_ssp(path, stop_time=stop, step_size=step)
common = [name for name in names if name in result.dtype.names]
assert len(common) >= 3, (names, result.dtype.names)
for name in common:
    compare("FMPy", name, result[name][: round(stop / step) - 1], 0.02, first=3)
print("FMPy agrees")

execution = CosimExecution.from_ssp_file(path)
slaves = {slave.name.decode(): slave.index for slave in execution.slave_infos()}
variables = {
    f"{slave}.{variable.name.decode()}": (index, variable.reference)
    for slave, index in slaves.items()
    for variable in execution.slave_variables(index)
}
observer = CosimObserver.create_last_value()
execution.add_observer(observer)
values = {name: [] for name in names}
for k in range(round(stop / step)):
    if not execution.step():
        sys.exit(f"libcosim: step {k} failed")
    for name in names:
        slave, reference = variables[name]
        values[name] += observer.last_real_values(slave, [reference])
for name in names:
    compare("libcosim", name, np.array(values[name]), 1e-9)
print("libcosim agrees")
