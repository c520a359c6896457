"""Requirements of units and types."""

import math

from lxml import etree

from fmu import base, damage, is_whole, number, rule, twice, typed


@rule("C018")
def units_are_unique(fmu):
    yield from twice(unit.get("name") for unit in fmu.units)


@damage("C018", "C021")
def unit_twice(root):
    unit = root.find("UnitDefinitions/Unit/DisplayUnit").getparent()
    unit.append(etree.fromstring(etree.tostring(unit.find("DisplayUnit"))))
    unit.addnext(etree.fromstring(etree.tostring(unit)))


@rule("C019")
def exponents_are_whole(fmu):
    for b in (b for unit in fmu.units for b in unit.iterfind("BaseUnit")):
        for name, value in b.attrib.items():
            if name not in ["factor", "offset"] and not is_whole(value):
                yield f"{name}={value}"


@damage("C019")
def half_an_exponent(root):
    root.find("UnitDefinitions/Unit/BaseUnit").set("m", "0.5")


@rule("C020")
def factors_are_not_zero(fmu):
    for unit in fmu.units:
        yield from (unit.get("name") for c in unit if number(c.get("factor", "1")) == 0.0)


@damage("C020")
def factor_of_zero(root):
    root.find("UnitDefinitions/Unit/BaseUnit").set("factor", "0")


# The value of one unit in each display unit, from handbooks.
DISPLAYED = {
    ("rad", "deg"): 180 / math.pi,
    ("rad/s", "deg/s"): 180 / math.pi,
    ("rad/s", "rev/min"): 30 / math.pi,
    ("rad/s", "1/min"): 30 / math.pi,
    ("K", "degC"): 1.0,
    ("W", "kW"): 1e-3,
    ("m", "mm"): 1e3,
    ("m/s", "km/h"): 3.6,
    ("N", "kN"): 1e-3,
    ("Pa", "bar"): 1e-5,
    ("J", "kJ"): 1e-3,
    ("C", "Ah"): 1 / 3600,
}


@rule("C021")
def display_units_convert_in_the_right_direction(fmu):
    for unit in fmu.units:
        shown = unit.findall("DisplayUnit")
        yield from twice(display.get("name") for display in shown)
        for display in shown:
            pair = unit.get("name"), display.get("name")
            factor = number(display.get("factor", "1"))
            if pair not in DISPLAYED or not math.isclose(factor, DISPLAYED[pair], rel_tol=1e-12):
                yield f"{pair}: {factor}"
            if pair == ("K", "degC") and number(display.get("offset")) != -273.15:
                yield f"{pair}: {display.get('offset')}"


@damage("C021")
def display_unit_upside_down(root):
    display = root.find("UnitDefinitions/Unit/DisplayUnit")
    display.set("factor", str(1 / float(display.get("factor"))))


@rule("C022")
def units_are_defined(fmu):
    for element in map(typed, fmu.variables + fmu.types):
        if element.get("unit", next(iter(fmu.unit_names))) not in fmu.unit_names:
            yield element.get("unit")


@damage("C022")
def undefined_unit(root):
    root.find("ModelVariables/ScalarVariable/Real").set("unit", "furlong")


@rule("C023")
def display_units_are_defined(fmu):
    for element in map(typed, fmu.variables + fmu.types):
        display, unit = element.get("displayUnit"), fmu.unit_names.get(element.get("unit"))
        known = [] if unit is None else [d.get("name") for d in unit.iterfind("DisplayUnit")]
        if display is not None and display not in known:
            yield display


@damage("C023")
def display_unit_without_unit(root):
    real = root.find("ModelVariables/ScalarVariable/Real")
    real.attrib.pop("unit", None)
    real.set("displayUnit", "deg")


@rule("C025")
def types_are_unique(fmu):
    names = [element.get("name") for element in fmu.types]
    yield from twice(names)
    yield from {v.get("name") for v in fmu.variables} & set(names)


@damage("C025")
def type_twice(root):
    type_ = root.find("TypeDefinitions/SimpleType")
    type_.addnext(etree.fromstring(etree.tostring(type_)))


NUMERIC = {"quantity", "min", "max"}
TYPE_ATTRIBUTES = {
    "Real": NUMERIC | {"unit", "displayUnit", "relativeQuantity", "nominal", "unbounded"},
    "Integer": NUMERIC,
    "Boolean": set(),
    "String": set(),
    "Enumeration": {"quantity"},
}


@rule("C026")
def attributes_of_types(fmu):
    for type_ in fmu.types:
        yield from set(type_.attrib) - {"name", "description"}
        yield from set(typed(type_).attrib) - TYPE_ATTRIBUTES[base(type_)]


@damage("C026")
def type_with_a_start(root):
    typed(root.find("TypeDefinitions/SimpleType")).set("start", "1")


@rule("C027")
def items_are_unique(fmu):
    for type_ in fmu.types:
        items = typed(type_).findall("Item")
        yield from twice(item.get("name") for item in items)
        yield from twice(item.get("value") for item in items)


@damage("C027")
def item_twice(root):
    item = root.find("TypeDefinitions/SimpleType/Enumeration/Item")
    item.addnext(etree.fromstring(etree.tostring(item)))


@rule("C028")
def ranges_are_not_empty_and_nominals_positive(fmu):
    for element in map(typed, fmu.variables + fmu.types):
        if number(element.get("min")) > number(element.get("max")):
            yield str(dict(element.attrib))
        if not number(element.get("nominal", "1")) > 0.0:
            yield str(dict(element.attrib))


@damage("C028")
def empty_range(root):
    real = root.find("ModelVariables/ScalarVariable/Real")
    real.set("min", "1"), real.set("max", "0")


@rule("C029")
def declared_types_are_of_the_base(fmu):
    for v in fmu.variables:
        name = typed(v).get("declaredType")
        if name and (name not in fmu.type_names or base(fmu.type_names[name]) != base(v)):
            yield v.get("name")


@damage("C029")
def declared_type_of_another_base(root):
    name = root.find("TypeDefinitions/SimpleType").get("name")
    root.find("ModelVariables/ScalarVariable/Real").set("declaredType", name)


@rule("C030")
def enumerations_start_with_an_item(fmu):
    for v in (v for v in fmu.variables if base(v) == "Enumeration"):
        type_ = fmu.type_names.get(typed(v).get("declaredType"))
        values = [] if type_ is None else [item.get("value") for item in typed(type_)]
        if not values or typed(v).get("start", values[0]) not in values:
            yield v.get("name")


@damage("C030")
def start_beside_the_items(root):
    root.find("ModelVariables/ScalarVariable/Enumeration").set("start", "77")
