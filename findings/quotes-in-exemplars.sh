#!/usr/bin/env bash
# prometheus_client for Python can't read an exemplar that it wrote itself: one quote in a label of it (5" disk) ends the parsing of the whole page.
# Versions: PyPI prometheus_client 0.26.0; npm prom-client 15.1.3 as another writer.
# OpenMetrics: label values of exemplars are escaped as those of metrics: \", \\ and \n.
# Guess: a set of labels above 128 characters is refused by Python's reader alone, and what is escaped is read.
# Seen on 2026-12-01: both writers refuse long sets. Python's reader takes a quote in a label of the metric, \\ and \n in both, and throws at an odd number of \" in an exemplar of either writer; two are read.
# Prints what the reader makes of each; exits 1 if one has changed. Needs Node 20 with npm, and python3 with venv.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund prom-client@15.1.3 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check prometheus_client==0.26.0
cat > write.mjs <<'JS'
import client from "prom-client";
const [where, value] = JSON.parse(process.argv[2]), registry = new client.Registry(); registry.setContentType(client.Registry.OPENMETRICS_CONTENT_TYPE);
const calls = new client.Counter({ name: "calls", help: "Calls", labelNames: ["name"], registers: [registry], enableExemplars: true });
calls.inc({ labels: { name: where === "metric" ? value : "a" }, value: 1, exemplarLabels: { name: where === "exemplar" ? value : "a" } });
process.stdout.write(await registry.metrics());
JS
cat > read.py <<'PY'
import json, subprocess, sys
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
def python(where, value):
    registry = CollectorRegistry(); calls = Counter("calls", "Calls", ["name"], registry=registry)
    calls.labels(value if where == "metric" else "a").inc(1, exemplar={"name": value if where == "exemplar" else "a"})
    return generate_latest(registry).decode()
def javascript(where, value): return subprocess.run(["node", "write.mjs", json.dumps([where, value])], capture_output=True, text=True, check=True).stdout
changed = False
for writer, write in {"prometheus_client": python, "prom-client": javascript}.items():
    for where in ["metric", "exemplar"]:
        for name, value in {"a quote": '5" disk', "two quotes": 'say "hi"', "a backslash": "a\\b", "a line break": "a\nb"}.items():
            try:
                [sample] = [sample for family in parse(write(where, value)) for sample in family.samples if sample.name == "calls_total"]
                seen = "read" if (sample.labels if where == "metric" else sample.exemplar.labels)["name"] == value else "another value"
            except ValueError: seen = "throws"
            wanted = "throws" if where == "exemplar" and name == "a quote" else "read"
            changed = changed or seen != wanted
            print(f"{'as seen' if seen == wanted else 'CHANGED'}: {name} in the {where} of {writer}: {seen} ({wanted} on 2026-12-01)")
sys.exit(1 if changed else 0)
PY
venv/bin/python read.py
