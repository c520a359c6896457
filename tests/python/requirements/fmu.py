"""An FMU that is read with zipfile and lxml, and the lists of requirements and of damages."""

import io
import math
import re
import zipfile

from lxml import etree

BASES = ["Real", "Integer", "Boolean", "String", "Enumeration"]
FMU_TYPES = ["ModelExchange", "CoSimulation"]
RULES, DAMAGES = {}, {}


def rule(number):
    """Declares the requirement with a number."""
    return lambda function: RULES.setdefault(number, function)


def damage(*numbers):
    """Declares a change that violates requirements."""

    def declare(function):
        for number in numbers:
            DAMAGES.setdefault(number, []).append(function)
        return function

    return declare


class Fmu:
    """An archive and its description."""

    def __init__(self, data):
        self.data = data
        self.archive = zipfile.ZipFile(io.BytesIO(data))
        self.entries = self.archive.infolist()
        self.names = [entry.filename for entry in self.entries]
        self.text = self.archive.read("modelDescription.xml")
        self.root = etree.fromstring(self.text)
        self.variables = self.root.findall("ModelVariables/ScalarVariable")
        self.units = self.root.findall("UnitDefinitions/Unit")
        self.types = self.root.findall("TypeDefinitions/SimpleType")
        self.interfaces = [interface for name in FMU_TYPES for interface in self.root.findall(name)]
        self.structure = {
            part: self.root.findall(f"ModelStructure/{part}/Unknown")
            for part in ["Outputs", "Derivatives", "InitialUnknowns"]
        }
        # A name stands for its first definition, as in importers.
        self.unit_names = {unit.get("name"): unit for unit in reversed(self.units)}
        self.type_names = {type_.get("name"): type_ for type_ in reversed(self.types)}

    def unknowns(self):
        return [unknown for part in self.structure.values() for unknown in part]

    def variable(self, index):
        return self.variables[int(index) - 1] if 0 < int(index) <= len(self.variables) else None

    def states(self):
        """The indices of the variables of which Derivatives lists the derivative."""
        listed = [self.variable(unknown.get("index")) for unknown in self.structure["Derivatives"]]
        return [typed(v).get("derivative") for v in listed if v is not None]


def typed(variable):
    """The element with a variable's or type's base."""
    return next(child for child in variable if child.tag in BASES)


def base(variable):
    return typed(variable).tag


def causality(v):
    return v.get("causality", "local")


def variability(v):
    return v.get("variability", "continuous")


def initial(v):
    """`initial`, or its default from the table in section 2.2.7."""
    if v.get("initial"):
        return v.get("initial")
    if causality(v) in ["input", "independent"]:
        return None
    if causality(v) == "parameter" or variability(v) == "constant":
        return "exact"
    return "calculated"


def twice(values):
    seen = set()
    return [value for value in values if value in seen or seen.add(value)]


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def is_whole(text):
    return re.fullmatch(r"[+-]?\d+", text or "") is not None
