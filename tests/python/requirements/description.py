"""Requirements of the description as a whole."""

import math
import re

from lxml import etree

from fmu import FMU_TYPES, RULES, damage, is_whole, number, rule, twice


@rule("C001")
def root_is_well_formed_utf_8(fmu):
    head = fmu.text[:100].decode("utf-8", "replace")
    if not re.match(r'<\?xml version="1.0" encoding="UTF-8"', head):
        yield f"it begins with {head!r}"
    fmu.text.decode("utf-8")
    if fmu.root.tag != "fmiModelDescription":
        yield fmu.root.tag


@damage("C001")
def another_encoding(fmu, files):
    files["modelDescription.xml"] = fmu.text.replace(b'"UTF-8"', b'"ISO-8859-1"', 1)


@rule("C006")
def version_is_two(fmu):
    if fmu.root.get("fmiVersion") != "2.0":
        yield fmu.root.get("fmiVersion")


@damage("C006")
def another_version(root):
    root.set("fmiVersion", "2.0.5")


@rule("C007")
def name_and_guid_are_there(fmu):
    yield from (name for name in ["modelName", "guid"] if not fmu.root.get(name))


@damage("C007")
def empty_guid(root):
    root.set("guid", "")


@rule("C008")
def date_is_in_utc(fmu):
    date = fmu.root.get("generationDateAndTime", "2000-01-01T00:00:00Z")
    if not re.fullmatch(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(\.\d+)?Z", date):
        yield date


@damage("C008")
def local_time(root):
    root.set("generationDateAndTime", "2020-01-01 10:00")


@rule("C009")
def naming_convention_is_known(fmu):
    if fmu.root.get("variableNamingConvention", "flat") not in ["flat", "structured"]:
        yield fmu.root.get("variableNamingConvention")


@damage("C009")
def unknown_naming_convention(root):
    root.set("variableNamingConvention", "wild")


@rule("C010")
def number_of_indicators_is_whole(fmu):
    count = fmu.root.get("numberOfEventIndicators", "0")
    if not is_whole(count) or int(count) < 0:
        yield count


@damage("C010")
def fewer_than_no_indicators(root):
    root.set("numberOfEventIndicators", "-1")


@rule("C011")
def each_interface_is_there_once(fmu):
    if not fmu.interfaces:
        yield "neither Model Exchange nor Co-Simulation"
    yield from twice(interface.tag for interface in fmu.interfaces)


@damage("C011")
def kind_twice(root):
    root.insert(1, etree.fromstring(etree.tostring(root.find("ModelExchange"))))


FLAGS = {
    "needsExecutionTool",
    "canBeInstantiatedOnlyOncePerProcess",
    "canNotUseMemoryManagementFunctions",
    "canGetAndSetFMUstate",
    "canSerializeFMUstate",
    "providesDirectionalDerivative",
}
FLAGS_OF = {
    "ModelExchange": FLAGS | {"completedIntegratorStepNotNeeded"},
    "CoSimulation": FLAGS
    | {
        "canHandleVariableCommunicationStepSize",
        "canInterpolateInputs",
        "canRunAsynchronuously",
    },
}


def wrong_attributes(fmu, tag, numbers):
    for interface in fmu.root.findall(tag):
        for name, value in interface.attrib.items():
            if name in FLAGS_OF[tag]:
                if value not in ["true", "false", "0", "1"]:
                    yield f"{name}={value}"
            elif name in numbers:
                if not value.isdigit():
                    yield f"{name}={value}"
            elif name != "modelIdentifier":
                yield name
        if "modelIdentifier" not in interface.attrib:
            yield "no modelIdentifier"


@rule("C012")
def attributes_of_model_exchange(fmu):
    yield from wrong_attributes(fmu, "ModelExchange", [])


@rule("C013")
def attributes_of_co_simulation(fmu):
    yield from wrong_attributes(fmu, "CoSimulation", ["maxOutputDerivativeOrder"])


@damage("C012", "C013")
def unknown_attributes(root):
    for fmu_type in FMU_TYPES:
        root.find(fmu_type).set("canFly", "true")


@rule("C014")
def identifiers_are_those_of_c(fmu):
    for interface in fmu.interfaces:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", interface.get("modelIdentifier", "")):
            yield interface.get("modelIdentifier")


@damage("C014")
def identifier_with_a_dot(root):
    root.find("CoSimulation").set("modelIdentifier", "a.b")


@rule("C015")
def serialised_states_can_be_got_and_set(fmu):
    for interface in fmu.interfaces:
        can = [interface.get(flag) in ["true", "1"] for flag in STATES]
        if can[0] and not can[1]:
            yield interface.tag


STATES = ["canSerializeFMUstate", "canGetAndSetFMUstate"]
RULES["A074"] = serialised_states_can_be_got_and_set


@damage("C015", "A074")
def serialised_states_that_nobody_gets(root):
    root.find("CoSimulation").set("canGetAndSetFMUstate", "false")


@rule("C017")
def source_files_are_there_once(fmu):
    for interface in fmu.interfaces:
        sources = [file.get("name") for file in interface.iterfind("SourceFiles/File")]
        yield from twice(sources)
        yield from (name for name in sources if f"sources/{name}" not in fmu.names)


@damage("C017")
def missing_source(root):
    files = etree.SubElement(root.find("CoSimulation"), "SourceFiles")
    etree.SubElement(files, "File").set("name", "a.c")


@rule("C032")
def experiment_has_a_length(fmu):
    experiment = fmu.root.find("DefaultExperiment")
    if experiment is None:
        return
    of = {name: number(experiment.get(name)) for name in experiment.attrib}
    if of.get("stopTime", math.inf) <= of.get("startTime", 0.0):
        yield "it ends before it begins"
    yield from (n for n in ["tolerance", "stepSize"] if not of.get(n, 1.0) > 0.0)


@damage("C032")
def step_of_zero(root):
    root.find("DefaultExperiment").set("stepSize", "0")


@rule("C033")
def tools_are_named_once(fmu):
    yield from twice(tool.get("name") for tool in fmu.root.iterfind("VendorAnnotations/Tool"))


@damage("C033")
def tool_twice(root):
    annotations = etree.Element("VendorAnnotations")
    for _ in range(2):
        etree.SubElement(annotations, "Tool").set("name", "a")
    root.find("ModelVariables").addprevious(annotations)
