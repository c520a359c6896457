"""Judges FMUs by the text of FMI 2.0.5: each function is a requirement of Coupler's list.

Reads archives with Python's zipfile and descriptions with lxml, and uses no code of Coupler.
Arguments: `judge`, then FMUs: one line of JSON for each, an object of the problems by number.
`damage`, then one FMU: violates each requirement and prints a list of the violations that stay
unnoticed, and of the requirements that nothing violates. `numbers`: a list of the requirements.
"""

import io
import json
import sys
import warnings
import zipfile

from lxml import etree

import archive  # noqa: F401, the modules declare their requirements
import description  # noqa: F401
import names  # noqa: F401
import structure  # noqa: F401
import units  # noqa: F401
import variables  # noqa: F401
from fmu import DAMAGES, RULES, Fmu


def problems(fmu):
    found = {}
    for name, judge in RULES.items():
        texts = [str(text) for text in judge(fmu)]
        if texts:
            found[name] = texts[:3]
    return found


class Pipe(io.BytesIO):
    """A file whose content cannot be overwritten, like a pipe."""

    def seekable(self):
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation("seek")

    def tell(self):
        raise io.UnsupportedOperation("tell")


def damaged(fmu, change):
    """An FMU after a change of its description or its files."""
    files = {name: fmu.archive.read(name) for name in fmu.names}
    how = None
    if change.__code__.co_argcount == 1:
        root = etree.fromstring(fmu.text)
        change(root)
        text = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
        files["modelDescription.xml"] = text.replace(b"'", b'"', 4)
    else:
        how = change(fmu, files)
    how = how or {}
    out = Pipe() if how.get("streamed") else io.BytesIO()
    with zipfile.ZipFile(out, "w", how.get("compression", zipfile.ZIP_DEFLATED)) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return Fmu(out.getvalue())


def enumerated(root):
    """Makes a whole number an enumeration, which FMUs of the repository do not have."""
    types = etree.Element("TypeDefinitions")
    kind = etree.SubElement(etree.SubElement(types, "SimpleType", name="Method"), "Enumeration")
    for value in range(6):
        etree.SubElement(kind, "Item", name=f"method{value}", value=str(value))
    root.find("LogCategories").addprevious(types)
    number = root.find("ModelVariables/ScalarVariable[@name='solver.method']/Integer")
    choice = etree.Element("Enumeration", declaredType="Method", start=number.get("start"))
    number.getparent().replace(number, choice)


def unnoticed(fmu):
    """Numbers of damages that are not found, and of requirements without a damage."""
    fmu = damaged(fmu, enumerated)
    found = [f"{name} before any damage" for name in problems(fmu)]
    for name, judge in RULES.items():
        if name not in DAMAGES:
            found.append(f"{name} is never damaged")
        for change in DAMAGES.get(name, []):
            if not list(judge(damaged(fmu, change))):
                found.append(f"{name}: {change.__name__}")
    return found


def opened(path):
    with open(path, "rb") as file:
        return Fmu(file.read())


def main(what, *paths):
    if what == "judge":
        for path in paths:
            print(json.dumps(problems(opened(path))))
    elif what == "damage":
        print(json.dumps(unnoticed(opened(*paths))))
    else:
        print(json.dumps(sorted(RULES)))


# Some damages add a file with an existing name.
warnings.filterwarnings("ignore", "Duplicate name")
main(*sys.argv[1:])
