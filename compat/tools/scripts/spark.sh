#!/usr/bin/env bash
# pyspark 4.3.0, OpenJDK 17 (Debian)
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check pyspark==4.3.0
. "$ATTUNE_ROOT/compat/tools/make-exports.sh"
cat > read.py <<'PY'
import json
from pyspark.sql import SparkSession, functions as f
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.memory", "512m").config("spark.sql.shuffle.partitions", "1").getOrCreate()
total = json.load(open("usage.json"))["total"]
expected = (total["calls"], total["input_tokens"] + total["cache_read_tokens"] + total["cache_write_tokens"], total["output_tokens"], round(float(total["cost_usd"]), 9))
def of(table, prompt="prompt_tokens", output="output_tokens", cost=f.col("cost_usd")):
    count, tokens, out, usd = table.select(f.count("*"), f.sum(prompt), f.sum(output), f.sum(cost)).collect()[0]
    return count, int(tokens), int(out), round(float(usd), 9)
def csv(**options): return spark.read.csv("export.csv", header=True, inferSchema=True, **options)
readers = {
    "csv": lambda: of(csv(multiLine=True, escape='"')),
    "jsonl": lambda: of(spark.read.json("export.jsonl")),
    "records": lambda: of(spark.read.json("export.records"), "facts.promptTokens", "facts.outputTokens", f.col("facts.costNanos") / 1e9),
}
for name, read in readers.items():
    try: seen = read()
    except Exception as error: seen = str(error)
    print(f"held spark {name}" if seen == expected else f"failed spark {name}: {seen} instead of {expected}")
PY
venv/bin/python read.py 2>spark.log
