"""Requirements of structured names."""

import re

from fmu import damage, rule


@rule("C063")
def quoted_names_are_made_of_allowed_characters(fmu):
    allowed = r"[A-Za-z0-9_!#$%&()*+,\-./:;<>=?@\[\]^{}|~ ]|\\['\"?\\abfnrtv]"
    for v in fmu.variables if fmu.root.get("variableNamingConvention") == "structured" else []:
        for quoted in re.findall(r"'.*?(?<!\\)'", v.get("name")):
            if not re.fullmatch(f"'({allowed})+'", quoted):
                yield v.get("name")


@damage("C063")
def quoted_umlaut(root):
    root.find("ModelVariables/ScalarVariable").set("name", "'ü'")


# The derivative of a name that has no commas except between the indices of an array.
DERIVATIVE = r"der\(([^(),\[]|\[[\d,]+\])+(,[1-9]\d*)?\)"


@rule("C064")
def derivatives_are_named_as_such(fmu):
    structured = fmu.root.get("variableNamingConvention") == "structured"
    for name in [v.get("name") for v in fmu.variables] if structured else []:
        if "der(" in name and not re.fullmatch(DERIVATIVE, name):
            yield name


@damage("C064")
def derivative_of_order_zero(root):
    root.find("ModelVariables/ScalarVariable").set("name", "der(x,0)")


@rule("C065")
def arrays_stand_together(fmu):
    """Elements of an array are declared together, in the order of their indices."""
    arrays, last = {}, None
    for v in fmu.variables:
        found = re.fullmatch(r"(.*?)\[([\d, ]+)\](\)?)", v.get("name"))
        array = found and (found[1], found[3])
        if array:
            index = [int(i) for i in found[2].split(",")]
            if array in arrays and (array != last or index <= arrays[array]):
                yield v.get("name")
            arrays[array] = index
        last = array


@damage("C065")
def array_in_two_parts(root):
    variables = root.findall("ModelVariables/ScalarVariable")
    for place, name in [(0, "a[1]"), (2, "a[2]")]:
        variables[place].set("name", name)
