"""Requirements of variables."""

import re

from fmu import (
    rule,
    damage,
    typed,
    base,
    causality,
    variability,
    initial,
    twice,
    number,
    is_whole,
)


@rule("C034")
def names_are_unique(fmu):
    names = [v.get("name") for v in fmu.variables]
    yield from twice(names)
    yield from (name for name in names if not name or re.search(r"[\r\n\t]", name))


@rule("C066")
def names_have_no_line_break(fmu):
    yield from (v.get("name") for v in fmu.variables if "\n" in v.get("name"))


@damage("C034", "C066")
def name_with_a_line_break(root):
    root.find("ModelVariables/ScalarVariable").set("name", "a\nb")


@damage("C034")
def name_twice(root):
    variables = root.findall("ModelVariables/ScalarVariable")
    variables[0].set("name", variables[1].get("name"))


def aliases(fmu):
    """Sets of variables with one value reference, by base."""
    sets = {}
    for v in fmu.variables:
        space = "Integer" if base(v) == "Enumeration" else base(v)
        sets.setdefault((space, v.get("valueReference")), []).append(v)
    return [found for found in sets.values() if len(found) > 1]


@rule("C035")
def shared_references_are_aliases(fmu):
    for found in aliases(fmu):
        if len({(typed(v).get("unit"), base(v)) for v in found}) > 1:
            yield [v.get("name") for v in found]
        if sum(typed(v).get("start") is not None for v in found) > 1:
            if not all(variability(v) == "constant" for v in found):
                yield [v.get("name") for v in found]


@rule("C058")
def constants_are_aliases_of_equal_constants(fmu):
    for found in aliases(fmu):
        constant = [variability(v) == "constant" for v in found]
        if any(constant) and len({typed(v).get("start") for v in found}) > 1:
            yield [v.get("name") for v in found]


@damage("C035", "C058")
def one_reference_for_two(root):
    variables = root.findall("ModelVariables/ScalarVariable")
    real = [v for v in variables if base(v) == "Real"][:2]
    for v, start in zip(real, ["1.0", "2.0"]):
        v.set("valueReference", "77777")
        v.set("variability", "constant")
        typed(v).set("start", start)
        typed(v).set("unit", start)


CAUSALITIES = [
    "parameter",
    "calculatedParameter",
    "input",
    "output",
    "local",
    "independent",
]
VARIABILITIES = ["constant", "fixed", "tunable", "discrete", "continuous"]
# The allowed combinations from the table in section 2.2.7.
PAIRS = {
    "parameter": ["fixed", "tunable"],
    "calculatedParameter": ["fixed", "tunable"],
    "input": ["discrete", "continuous"],
    "output": ["constant", "discrete", "continuous"],
    "local": VARIABILITIES,
    "independent": ["continuous"],
}


@rule("C036")
def causality_and_variability_are_known(fmu):
    for v in fmu.variables:
        if causality(v) not in CAUSALITIES or variability(v) not in VARIABILITIES:
            yield v.get("name")


@rule("C037")
def causality_and_variability_fit(fmu):
    for v in fmu.variables:
        if variability(v) not in PAIRS.get(causality(v), []):
            yield v.get("name")


@damage("C036", "C037")
def unknown_causality(root):
    root.find("ModelVariables/ScalarVariable").set("causality", "cause")


@damage("C037", "C039")
def continuous_parameter(root):
    v = root.find('ModelVariables/ScalarVariable[@causality="parameter"]')
    del v.attrib["variability"]


@rule("C038")
def only_reals_are_continuous(fmu):
    for v in fmu.variables:
        if base(v) != "Real" and variability(v) == "continuous":
            yield v.get("name")


@damage("C038")
def continuous_mode(root):
    root.find("ModelVariables/ScalarVariable/Enumeration").getparent().set(
        "variability", "continuous"
    )


@rule("C039")
def parameters_state_their_variability(fmu):
    for v in fmu.variables:
        if "arameter" in causality(v) and "variability" not in v.attrib:
            yield v.get("name")


def initials(v):
    """The values that the tables in section 2.2.7 allow."""
    if causality(v) == "parameter" or variability(v) == "constant":
        return ["exact"]
    if causality(v) in ["input", "independent"]:
        return [None]
    if causality(v) == "calculatedParameter" or variability(v) in ["fixed", "tunable"]:
        return ["calculated", "approx"]
    return ["calculated", "approx", "exact"]


@rule("C040")
def initials_are_allowed(fmu):
    yield from (v.get("name") for v in fmu.variables if initial(v) not in initials(v))


@damage("C040", "C043")
def calculated_parameter_value(root):
    v = root.find('ModelVariables/ScalarVariable[@causality="parameter"]')
    v.set("initial", "calculated")


@rule("C041")
def inputs_have_no_initial(fmu):
    for v in fmu.variables:
        if causality(v) in ["input", "independent"] and v.get("initial"):
            yield v.get("name")


@damage("C041")
def input_with_initial(root):
    v = root.find('ModelVariables/ScalarVariable[@causality="parameter"]')
    v.set("causality", "input")
    v.set("initial", "exact")


@rule("C042")
def starts_are_there_where_they_are_needed(fmu):
    for v in fmu.variables:
        needs = initial(v) in ["exact", "approx"] or causality(v) in ["parameter", "input"]
        if (needs or variability(v) == "constant") and typed(v).get("start") is None:
            yield v.get("name")


@damage("C042")
def parameter_without_start(root):
    v = root.find('ModelVariables/ScalarVariable[@causality="parameter"]')
    del typed(v).attrib["start"]


@rule("C043")
def starts_are_absent_where_they_may_not_be(fmu):
    for v in fmu.variables:
        forbidden = initial(v) == "calculated" or causality(v) == "independent"
        if forbidden and typed(v).get("start") is not None:
            yield v.get("name")


@rule("C044")
def starts_are_in_range(fmu):
    for v in fmu.variables:
        of = typed(v)
        start = number(of.get("start"))
        if start < number(of.get("min")) or start > number(of.get("max")):
            yield v.get("name")


@damage("C044")
def start_out_of_range(root):
    real = root.find("ModelVariables/ScalarVariable/Real[@start]")
    real.set("min", str(float(real.get("start")) + 1))


@rule("C045")
def independent_variable_is_one_real(fmu):
    found = [v for v in fmu.variables if causality(v) == "independent"]
    if len(found) > 1:
        yield "more than one"
    for v in found:
        if base(v) != "Real" or typed(v).get("start") is not None:
            yield v.get("name")


@damage("C045")
def independent_with_a_start(root):
    root.find("ModelVariables/ScalarVariable/Real[@start]").getparent().set(
        "causality", "independent"
    )


@rule("C046")
def states_are_outputs_or_local(fmu):
    for index in filter(None, fmu.states()):
        v = fmu.variable(index)
        if v is None or causality(v) not in ["output", "local"]:
            yield index


@rule("C047")
def derivatives_are_of_other_continuous_reals(fmu):
    for i, v in enumerate(fmu.variables, 1):
        index = typed(v).get("derivative")
        if index is not None:
            of = fmu.variable(index)
            good = of is not None and base(of) == base(v) == "Real" and int(index) != i
            if not good or {variability(v), variability(of)} != {"continuous"}:
                yield v.get("name")


@damage("C046", "C047")
def derivative_of_a_parameter(root):
    variables = root.findall("ModelVariables/ScalarVariable")
    first = next(i for i, v in enumerate(variables, 1) if causality(v) == "parameter")
    index = int(root.find("ModelStructure/Derivatives/Unknown").get("index"))
    typed(variables[index - 1]).set("derivative", str(first))


@rule("C048")
def only_states_are_reinitialized(fmu):
    states = {fmu.variable(index) for index in filter(None, fmu.states())}
    for v in fmu.variables:
        if typed(v).get("reinit") is not None:
            if v not in states or not fmu.root.findall("ModelExchange"):
                yield v.get("name")


@damage("C048")
def reinitialized_parameter(root):
    v = root.find('ModelVariables/ScalarVariable[@causality="parameter"]')
    typed(v).set("reinit", "true")


@rule("C049")
def only_inputs_are_set_more_than_once(fmu):
    for v in fmu.variables:
        if v.get("canHandleMultipleSetPerTimeInstant") and causality(v) != "input":
            yield v.get("name")


@damage("C049")
def parameter_that_is_set_once(root):
    v = root.find('ModelVariables/ScalarVariable[@causality="parameter"]')
    v.set("canHandleMultipleSetPerTimeInstant", "false")


@rule("C053")
def literals_have_their_form(fmu):
    for element in map(typed, fmu.variables):
        for value in filter(None, map(element.get, ["start", "min", "max"])):
            if element.tag == "Boolean" and value not in ["true", "false", "0", "1"]:
                yield value
            if element.tag in ["Integer", "Enumeration"] and not is_whole(value):
                yield value


@damage("C053")
def broken_integer(root):
    root.find("ModelVariables/ScalarVariable/Enumeration").set("start", "0.5")
