#!/bin/sh
# check_fmus.sh FOLDER FORMAT REPORT
#
# Checks the FMUs of a folder with the program `fmu`, and writes a report. Findings that are listed
# in baseline.json of the folder are accepted. If there is a table of the same name beside an FMU
# (Pump.csv beside Pump.fmu), the FMU is simulated and compared with it.
set -eu
folder=$1 format=$2 report=$3
set --
if [ -f "$folder/baseline.json" ]; then
    set -- --baseline "$folder/baseline.json"
fi
failed=0
fmu check --format "$format" "$@" "$folder"/*.fmu >"$report" || failed=1
for file in "$folder"/*.fmu; do
    reference=${file%.fmu}.csv
    if [ -f "$reference" ]; then
        fmu compare "$file" "$reference" --limit "${LIMIT:-1e-3}" --no-plot || failed=1
    fi
done
exit "$failed"
