"""Runs connected FMUs in libcosim and writes their results.

Arguments: the file to write, step in s, number of steps, then in any order
  NAME:FILE                an FMU and the name of its instance
  A.output->B.input        a connection of Reals
  A.input=VALUE            an initial value of a Real
  A.variable               a Real to write after every step, with every bit
"""

import sys

from libcosimpy.CosimConstants import success
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

result, step, steps, *words = sys.argv[1:]
log_output_level(CosimLogLevel.WARNING)
execution = CosimExecution.from_step_size(int(round(float(step) * 1e9)))

slaves = {}
for word in words:
    if ":" in word:
        name, path = word.split(":", 1)
        slave = CosimLocalSlave(fmu_path=path, instance_name=name)
        slaves[name] = execution.add_local_slave(slave)


def find(text):
    """The slave and the value reference of `instance.variable`."""
    name, variable = text.split(".", 1)
    for candidate in execution.slave_variables(slaves[name]):
        if candidate.name.decode() == variable:
            return slaves[name], candidate.reference
    sys.exit(f"libcosim finds no variable {text}")


recorded = []
for word in words:
    if "->" in word:
        output, input_ = word.split("->")
        if execution.connect_real_variables(*find(output), *find(input_)) != success:
            sys.exit(f"libcosim cannot connect {word}")
    elif "=" in word:
        variable, value = word.split("=")
        if not execution.real_initial_value(*find(variable), float(value)):
            sys.exit(f"libcosim cannot set {word}")
    elif ":" not in word:
        recorded.append(word)

observer = CosimObserver.create_last_value()
execution.add_observer(observer)
with open(result, "w", encoding="utf-8") as table:
    print(",".join(["time"] + recorded), file=table)
    for i in range(1, int(steps) + 1):
        if not execution.step():
            sys.exit(f"step {i} failed")
        row = [i * float(step)]
        for word in recorded:
            slave, reference = find(word)
            row += observer.last_real_values(slave, [reference])
        print(",".join(repr(float(value)) for value in row), file=table)
