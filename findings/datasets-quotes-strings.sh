#!/usr/bin/env bash
# Hugging Face's datasets puts quotes around strings of JSON lines that come in the same batch as a list under the same name.
# Version: PyPI datasets 5.2.0 (pyarrow 26.0.1).
# Guess: a column of strings that has a list behind the first 10 MB ends the load with an error, as a member that comes so late does.
# Seen on 2026-11-30: the load succeeds; the list is its JSON text, and the strings beside it, some 8,000 lines before it, are "\"yes\"" instead of "yes"; those of earlier batches stay. With chunksize=1<<30 all values are JSON, and strings stay as they were.
# Prints the answers of the first line, of one before the list and of the one with the list; exits 1 if they have changed. Needs python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check datasets==5.2.0 pyarrow==26.0.1
cat > read.py <<'PY'
import json, sys, datasets
datasets.disable_progress_bars()
with open("lines.jsonl", "w") as file:
    for _ in range(12000): file.write(json.dumps({"pad": "x" * 1000, "answer": "yes"}) + "\n")
    file.write(json.dumps({"pad": "x" * 1000, "answer": [{"type": "text", "text": "yes"}]}) + "\n")
def read(**options):
    rows = datasets.load_dataset("json", data_files="lines.jsonl", split="train", cache_dir=f"cache{len(options)}", **options)
    return [rows[0]["answer"], rows[11999]["answer"], rows[12000]["answer"]]
seen = read()
expected = ["yes", '"yes"', '[{"type":"text","text":"yes"}]']
whole = read(chunksize=1 << 30)
print("as seen" if seen == expected else "CHANGED", json.dumps(seen), "read whole:", json.dumps(whole), "(seen on 2026-11-30:", json.dumps(expected) + ")")
sys.exit(seen != expected or whole[1] != "yes")
PY
HF_HUB_OFFLINE=1 HF_HOME="$folder/hf" venv/bin/python read.py
