#!/usr/bin/env bash
# duckdb 2.0.1, pandas 3.1.1, polars 2.1.0, pyarrow 26.0.1, datasets 5.2.0
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check duckdb==2.0.1 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 datasets==5.2.0
. "$ATTUNE_ROOT/compat/tools/make-exports.sh"
cat > read.py <<'PY'
import json, duckdb, pandas, polars, pyarrow.compute, pyarrow.csv, pyarrow.json, datasets
datasets.disable_progress_bars()
total = json.load(open("usage.json"))["total"]
expected = (total["calls"], total["input_tokens"] + total["cache_read_tokens"] + total["cache_write_tokens"], total["output_tokens"], round(float(total["cost_usd"]), 9))
def sums(table, sum_of): return (len(table), int(sum_of("prompt_tokens")), int(sum_of("output_tokens")), round(float(sum_of("cost_usd")), 9))
def of(table): return sums(table, lambda name: table[name].sum())
def duck(file): return duckdb.sql(f"select count(*), sum(prompt_tokens)::bigint, sum(output_tokens)::bigint, round(sum(cost_usd), 9) from '{file}'").fetchall()[0]
def arrow(table): return sums(table, lambda name: pyarrow.compute.sum(table[name]).as_py())
def huggingface(kind, file): return of(datasets.load_dataset(kind, data_files=file, split="train", cache_dir="cache").to_pandas())
def records(): return duckdb.sql("select count(*), sum(facts.promptTokens)::bigint, sum(facts.outputTokens)::bigint, round(sum(facts.costNanos::double) / 1e9, 9) from read_json('export.records', format='newline_delimited')").fetchall()[0]
readers = {
    "duckdb csv": lambda: duck("export.csv"), "duckdb jsonl": lambda: duckdb.sql("select count(*), sum(prompt_tokens)::bigint, sum(output_tokens)::bigint, round(sum(cost_usd), 9) from read_json('export.jsonl')").fetchall()[0],
    "duckdb records": records, "pandas csv": lambda: of(pandas.read_csv("export.csv")), "pandas jsonl": lambda: of(pandas.read_json("export.jsonl", lines=True)),
    "polars csv": lambda: of(polars.read_csv("export.csv")), "polars jsonl": lambda: of(polars.read_ndjson("export.jsonl")),
    "pyarrow csv": lambda: arrow(pyarrow.csv.read_csv("export.csv")), "pyarrow jsonl": lambda: arrow(pyarrow.json.read_json("export.jsonl")),
    "datasets csv": lambda: huggingface("csv", "export.csv"), "datasets jsonl": lambda: huggingface("json", "export.jsonl"),
}
for name, read in readers.items():
    try: seen = tuple(read())
    except Exception as error: seen = str(error)
    print(f"held {name}" if seen == expected else f"failed {name}: {seen} instead of {expected}")
PY
HF_HUB_OFFLINE=1 HF_HOME="$PWD/hf" venv/bin/python read.py
