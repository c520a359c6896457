"""Simulates an FMU with FMPy and prints the curves, with all digits of the numbers.

Arguments: FMU, CoSimulation or ModelExchange, step in s, stop in s, tolerance, then start values as
NAME=VALUE and names of variables to print.
"""

import sys

import fmpy

fmu, fmu_type, step, stop, tolerance, *words = sys.argv[1:]
starts = dict(word.split("=") for word in words if "=" in word)
variables = [word for word in words if "=" not in word]
messages = []
result = fmpy.simulate_fmu(
    fmu,
    fmi_type=fmu_type,
    solver="CVode",
    output_interval=float(step),
    stop_time=float(stop),
    relative_tolerance=float(tolerance),
    start_values={name: float(value) for name, value in starts.items()},
    record_events=False,
    output=variables,
    logger=lambda environment, name, status, category, message: messages.append(message),
)
# The elements of a matrix have a comma in their names.
print(",".join(["time"] + [f'"{name}"' for name in variables]))
# FMPy has another order of columns.
for row in result:
    print(",".join(repr(float(row[name])) for name in ["time", *variables]))
if messages:
    sys.exit("the FMU complained: " + "; ".join(str(message) for message in messages))
