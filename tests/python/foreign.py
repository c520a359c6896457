"""Makes FMUs with other exporters: foreign.py FOLDER FMU. Writes Decay.fmu and container.fmu to FOLDER."""

import json
import logging
import os
import sys
from pathlib import Path

MODEL = '''
from pythonfmu import Fmi2Causality, Fmi2Slave, Real


class Decay(Fmi2Slave):
    """Decays by the factor k in each second."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.x = 1.0
        self.k = 0.5
        self.register_variable(Real("x", causality=Fmi2Causality.output))
        self.register_variable(Real("k", causality=Fmi2Causality.input))

    def do_step(self, current_time, step_size):
        self.x *= self.k**step_size
        return True
'''


def main(folder, inner):
    from fmu_manipulation_toolbox.assembly import Assembly
    from pythonfmu import FmuBuilder

    logging.disable(logging.WARNING)
    os.chdir(folder)
    Path("decay.py").write_text(MODEL, encoding="utf-8")
    FmuBuilder.build_FMU("decay.py", dest=".")
    Path(inner.name).symlink_to(inner)
    plan = {"name": "container.fmu", "step_size": 0.01, "fmu": [inner.name]}
    Path("container.json").write_text(json.dumps(plan), encoding="utf-8")
    Assembly("container.json", fmu_directory=Path(folder)).make_fmu()


main(sys.argv[1], Path(sys.argv[2]))
