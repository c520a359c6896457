"""Requirements of the archive."""

import re
import struct
import zipfile
import zlib

from fmu import FMU_TYPES, RULES, damage, rule, twice

PLATFORMS = {
    "linux32": ".so",
    "linux64": ".so",
    "darwin64": ".dylib",
    "win32": ".dll",
    "win64": ".dll",
}


def libraries(fmu):
    found = {}
    for name in (name for name in fmu.names if name.startswith("binaries/")):
        _, platform, *rest = name.split("/")
        found.setdefault(platform, []).append("/".join(rest))
    return found


@rule("D001")
def entries_are_stored_or_deflated(fmu):
    plain = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]
    yield from (entry.filename for entry in fmu.entries if entry.compress_type not in plain)
    broken = fmu.archive.testzip()
    if broken:
        yield broken


@damage("D001")
def compressed_otherwise(fmu, files):
    return {"compression": zipfile.ZIP_BZIP2}


@rule("D002")
def nothing_is_encrypted_or_linked(fmu):
    for entry in fmu.entries:
        is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
        if entry.flag_bits & 0x41 or entry.volume or is_link:
            yield entry.filename


@damage("D002")
def link(fmu, files):
    entry = zipfile.ZipInfo("resources/link")
    entry.create_system = 3
    entry.external_attr = 0o120777 << 16
    files[entry] = b"/"


@rule("D003")
def sizes_stand_before_the_data(fmu):
    for entry in fmu.entries:
        local = struct.unpack("<IHHHHHIII", fmu.data[entry.header_offset :][:30 - 4])
        if local[2] & 8 or local[8] != entry.file_size:
            yield entry.filename


@damage("D003")
def sizes_behind_the_data(fmu, files):
    return {"streamed": True}


@rule("D004")
def names_are_relative_and_unique(fmu):
    yield from twice(fmu.names)
    for entry in fmu.entries:
        name = entry.orig_filename
        parts = name.rstrip("/").split("/")
        if "\\" in name or ":" in name or "" in parts or ".." in parts or "." in parts:
            yield name


@damage("D004")
def name_with_dots(fmu, files):
    files["resources/../a"] = b""


@rule("D005")
def description_is_at_the_root(fmu):
    if fmu.names.count("modelDescription.xml") != 1:
        yield str(fmu.names)


@damage("D005")
def description_twice(fmu, files):
    files[zipfile.ZipInfo("modelDescription.xml")] = fmu.text


@rule("D006")
def there_is_a_binary_or_source(fmu):
    if not any(name.startswith(("binaries/", "sources/")) for name in fmu.names):
        yield str(fmu.names)


@rule("D008")
def libraries_are_named_by_their_identifier(fmu):
    identifiers = {interface.get("modelIdentifier") for interface in fmu.interfaces}
    for platform, names in libraries(fmu).items():
        wanted = {identifier + PLATFORMS.get(platform, "") for identifier in identifiers}
        if not wanted & set(names):
            yield f"{platform}: {names}"


@rule("D009")
def libraries_of_both_fmu_types_are_there(fmu):
    for platform, names in libraries(fmu).items():
        for interface in fmu.interfaces:
            if interface.get("modelIdentifier") + PLATFORMS.get(platform, "") not in names:
                yield f"{platform}: {interface.tag}"


@damage("D006", "D014", "D015", "D016")
def only_a_description(fmu, files):
    for name in list(files):
        if name != "modelDescription.xml":
            del files[name]


@damage("D008", "D009")
def library_of_another_name(root):
    for fmu_type in FMU_TYPES:
        root.find(fmu_type).set("modelIdentifier", "another")


@rule("D007")
def platforms_are_known(fmu):
    yield from (platform for platform in libraries(fmu) if platform not in PLATFORMS)


@damage("D007")
def unknown_platform(fmu, files):
    files["binaries/amiga/a.library"] = b""


@rule("D014")
def documentation_begins_with_index(fmu):
    if "documentation/index.html" not in fmu.names:
        yield "no documentation/index.html"


@rule("D015")
def licences_are_in_their_folder(fmu):
    if not any(re.fullmatch(r"documentation/licenses/license\.(txt|html)", n) for n in fmu.names):
        yield "no documentation/licenses/license.txt"


@rule("D016")
def icon_is_a_picture(fmu):
    if "model.png" not in fmu.names:
        yield "no model.png"
        return
    data = fmu.archive.read("model.png")
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        yield "no PNG"
        return
    place, kinds = 8, []
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        chunk = data[place + 4 : place + 8 + length]
        (crc,) = struct.unpack(">I", data[place + 8 + length : place + 12 + length])
        if zlib.crc32(chunk) != crc:
            yield f"chunk {chunk[:4]} is damaged"
        kinds.append(chunk[:4])
        place += 12 + length
    if kinds[:1] != [b"IHDR"] or b"IDAT" not in kinds or kinds[-1] != b"IEND":
        yield str(kinds)


@damage("D016")
def picture_of_text(fmu, files):
    files["model.png"] = b"a picture"


def absent(folder):
    def found(fmu):
        yield from (name for name in fmu.names if name.startswith(folder))

    return found


# No FMU here has sources, terminals or extra files, so they cannot be wrong.
RULES["D017"] = absent("sources/")
RULES["D018"] = absent("sources/buildDescription.xml")
RULES["D019"] = absent("terminalsAndIcons/")
RULES["D020"] = absent("extra/")


@damage("D017", "D018", "D019", "D020")
def parts_that_are_optional(fmu, files):
    for name in ["sources/buildDescription.xml", "terminalsAndIcons/a.xml", "extra/a"]:
        files[name] = b""


@rule("D022")
def headers_and_schemas_stay_out(fmu):
    yield from (name for name in fmu.names if re.search(r"(fmi2\w*\.h|\.xsd)$", name))


@damage("D022")
def header(fmu, files):
    files["resources/fmi2Functions.h"] = b""


@rule("D024")
def names_are_short_and_differ_in_letters(fmu):
    yield from twice(name.lower() for name in fmu.names)
    yield from (name for name in fmu.names if len(name) > 200)


@damage("D024")
def names_that_differ_by_case(fmu, files):
    files["MODEL.PNG"] = b""
