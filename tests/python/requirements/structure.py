"""Requirements of the model structure."""

from fmu import causality, damage, initial, is_whole, rule, twice


@rule("C067")
def indices_are_in_range(fmu):
    for unknown in fmu.unknowns():
        for index in [unknown.get("index"), *(unknown.get("dependencies") or "").split()]:
            if not is_whole(index) or fmu.variable(index) is None:
                yield index


@damage("C067")
def index_out_of_range(root):
    root.find("ModelStructure/InitialUnknowns/Unknown").set("index", "99999")


@rule("C068")
def outputs_are_listed_once(fmu):
    listed = [int(unknown.get("index")) for unknown in fmu.structure["Outputs"]]
    outputs = [i for i, v in enumerate(fmu.variables, 1) if causality(v) == "output"]
    if sorted(listed) != outputs:
        yield f"{listed}, not {outputs}"


@damage("C068", "C072")
def output_that_is_not_listed(root):
    for part in ["Outputs", "InitialUnknowns"]:
        listed = root.find(f"ModelStructure/{part}")
        listed.remove(listed[0])


@rule("C072")
def initial_unknowns_are_complete(fmu):
    listed = [int(unknown.get("index")) for unknown in fmu.structure["InitialUnknowns"]]
    found = set()
    states = {int(index) for index in filter(None, fmu.states())}
    derivatives = {int(unknown.get("index")) for unknown in fmu.structure["Derivatives"]}
    for i, v in enumerate(fmu.variables, 1):
        matters = causality(v) in ["output", "calculatedParameter"] or i in states | derivatives
        if matters and initial(v) in ["approx", "calculated"]:
            found.add(i)
    if sorted(set(listed)) != sorted(found) or twice(listed):
        yield f"{listed}, not {sorted(found)}"


@rule("C073")
def initial_unknowns_ascend(fmu):
    listed = [int(unknown.get("index")) for unknown in fmu.structure["InitialUnknowns"]]
    if listed != sorted(listed):
        yield str(listed)


@damage("C073")
def initial_unknowns_descend(root):
    unknowns = root.find("ModelStructure/InitialUnknowns")
    unknowns[:] = reversed(unknowns[:])


@rule("C074")
def dependencies_ascend_with_single_blanks(fmu):
    for unknown in fmu.unknowns():
        text = unknown.get("dependencies", "")
        listed = text.split()
        if text != " ".join(listed) or [int(i) for i in listed] != sorted({int(i) for i in listed}):
            yield text


@damage("C074")
def dependencies_descend(root):
    root.find("ModelStructure/InitialUnknowns/Unknown").set("dependencies", "2  1")


@rule("C078")
def kinds_of_dependencies_fit(fmu):
    allowed = ["dependent", "constant", "fixed", "tunable", "discrete"]
    for unknown in fmu.unknowns():
        kinds = unknown.get("dependenciesKind")
        if kinds is not None:
            dependencies = (unknown.get("dependencies") or "").split()
            if len(kinds.split()) != len(dependencies) or set(kinds.split()) - set(allowed):
                yield kinds


@rule("C079")
def kinds_of_dependencies_claim_nothing(fmu):
    """If no kind is stated, it is `dependent`, which is true for every dependency."""
    yield from filter(None, (unknown.get("dependenciesKind") for unknown in fmu.unknowns()))


@damage("C078", "C079")
def more_kinds_than_dependencies(root):
    unknown = root.find("ModelStructure/InitialUnknowns/Unknown")
    unknown.set("dependencies", "1")
    unknown.set("dependenciesKind", "fixed fixed")
