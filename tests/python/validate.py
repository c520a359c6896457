"""Runs a checker on FMUs and prints one line of JSON per FMU: a list of its findings.

Arguments: the checker (a function below), then the FMUs.
"""

import contextlib
import io
import json
import sys


def fmpy(path):
    """As `fmpy validate`."""
    from fmpy.validation import validate_fmu

    return [str(problem) for problem in validate_fmu(path)]


def fmutool(path):
    """As `fmutool -check`: its output, without the lines that report success."""
    from fmu_manipulation_toolbox.cli.fmutool import fmutool as program

    sys.argv = ["fmutool", "-input", path, "-check"]
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
        program()
    text = heard.getvalue()
    found = [line for line in text.splitlines() if "ERROR" in line or "WARNING" in line]
    for needed in ["seems to be compliant", "No semantic error"]:
        if needed not in text:
            found.append(f"does not say: {needed}: {text}")
    return found


checker = globals()[sys.argv[1]]
for fmu in sys.argv[2:]:
    try:
        print(json.dumps(checker(fmu)))
    except (Exception, SystemExit) as error:
        print(json.dumps([f"{type(error).__name__}: {error}"]))
