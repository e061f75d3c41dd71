#!/usr/bin/env bash
# Hugging Face's datasets rounds numbers of JSON lines to ten decimals, and reads texts that are JSON as what they say, where rows differ in their members.
# Version: PyPI datasets 5.2.0 (pandas 3.1.1).
# A column whose objects have different members, as the arguments of two tools have, becomes "Json": the loader writes it anew with pandas' ujson, which has ten decimals by default, and reads it again. Objects with the same members stay as they are.
# Guess: fractions are rounded without a warning; "42" and "null" become a number and nothing where an object stands in the same column.
# Seen on 2026-12-01: so it is. 59.91273245678912 is 59.9127324568, 1e-12 is 0.0; "42", "null" and "{\"lat\": 1}" beside an object become 42, None and an object, and "007" becomes 7. With the same members in all rows, every number stays.
# Prints what is read of each; exits 1 if it has changed. Needs python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check datasets==5.2.0 pandas==3.1.1
cat > read.py <<'PY'
import json, sys, datasets
datasets.disable_progress_bars()
def read(*values):
    open("rows.jsonl", "w").write("".join(json.dumps({"arguments": value}) + "\n" for value in values))
    return [row["arguments"] for row in datasets.load_dataset("json", data_files="rows.jsonl", split="train")]
PLACE = {"lat": 59.91273245678912, "step": 1e-12}
cases = {
    "an object beside one of the same members": (read(PLACE, {"lat": 1.5, "step": 0.5})[0], PLACE),
    "an object beside one of other members": (read(PLACE, {"city": "Oslo"})[0], {"lat": 59.9127324568, "step": 0.0}),
    "texts": (read("42", "null", '{"lat": 1}', "007"), ["42", "null", '{"lat": 1}', "007"]),
    "texts beside an object": (read("42", "null", '{"lat": 1}', "007", {"lat": 2})[:4], [42, None, {"lat": 1}, 7]),
}
changed = False
for name, (seen, expected) in cases.items():
    changed = changed or seen != expected
    print(f"{'as seen' if seen == expected else 'CHANGED'}: {name}: {seen} ({expected} on 2026-12-01)")
sys.exit(1 if changed else 0)
PY
HF_HUB_OFFLINE=1 HF_HOME="$folder/hf" venv/bin/python read.py
