#!/usr/bin/env bash
# An answer that was cut in the middle of an emoji ends in an escaped half of it in JSON lines, and four readers of data make four things of it.
# Versions: PyPI polars 2.1.0, pandas 3.1.1, pyarrow 26.0.1, duckdb 2.0.1; the file is as JSON.stringify and Python's json.dumps write it.
# RFC 8259 allows "\ud83d" alone and calls what readers do with it unpredictable; Python's json gives the half back.
# Guess: duckdb and pyarrow refuse the file, polars reads U+FFFD, pandas keeps the half.
# Seen on 2026-11-30: polars reads a NUL character in its place and pandas nothing, both without an error. duckdb and pyarrow refuse the whole file, with all other lines.
# Prints what each reads; exits 1 if it has changed. Needs python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check polars==2.1.0 pandas==3.1.1 pyarrow==26.0.1 duckdb==2.0.1
cat > read.py <<'PY'
import json, sys
import duckdb, pandas, polars, pyarrow, pyarrow.json
file = "answers.jsonl"
open(file, "w").write("".join(json.dumps({"answer": answer}) + "\n" for answer in ["whole", "cut \ud83d"]))
readers = {
    "Python's json": (lambda: [json.loads(line)["answer"] for line in open(file)][1], "'cut \\ud83d'"),
    "polars": (lambda: polars.read_ndjson(file)["answer"][1], "'cut \\x00'"),
    "pandas": (lambda: pandas.read_json(file, lines=True)["answer"][1], "'cut '"),
    "pyarrow": (lambda: pyarrow.json.read_json(file)["answer"][1].as_py(), "ArrowInvalid"),
    "duckdb": (lambda: duckdb.sql(f"select answer from read_json('{file}')").fetchall()[1][0], "InvalidInputException"),
}
changed = False
for name, (read, expected) in readers.items():
    try: seen = ascii(read())
    except Exception as error: seen = type(error).__name__
    changed |= seen != expected
    print(f"{'as seen' if seen == expected else 'CHANGED'}: {name}: {seen} ({expected} on 2026-11-30)")
sys.exit(1 if changed else 0)
PY
venv/bin/python read.py
