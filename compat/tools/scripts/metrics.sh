#!/usr/bin/env bash
# prometheus_client 0.26.0, promtool 2.42 (Debian)
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check prometheus_client==0.26.0
for stream in true false; do curl -s "$ATTUNE_URL/v1/chat/completions" -H "authorization: Bearer $ATTUNE_KEY" -H 'content-type: application/json' -d '{"model":"attune/chat-model","stream":'$stream',"messages":[{"role":"user","content":"hi"}]}' >answer; done
curl -s "$ATTUNE_ADMIN_URL/metrics" > metrics.txt
curl -s -H 'accept: application/openmetrics-text; version=1.0.0' "$ATTUNE_ADMIN_URL/metrics" -D openmetrics.head > openmetrics.txt
cat > read.py <<'PY'
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser
families = list(parser.text_string_to_metric_families(open("metrics.txt").read()))
names = {sample.name for family in families for sample in family.samples}
print("held prometheus_client" if len(names) > 20 else f"failed prometheus_client: {names}")
if "openmetrics" in open("openmetrics.head").read():
    print("held prometheus_client openmetrics" if len(list(openmetrics.text_string_to_metric_families(open("openmetrics.txt").read()))) > 5 else "failed openmetrics")
PY
venv/bin/python read.py
mkdir deb && (cd deb && apt-get download -q prometheus >apt.log 2>&1 && dpkg -x prometheus_*.deb .)
# Names of prom-client's own gauges of Node have a suffix that promtool advises against.
deb/usr/bin/promtool check metrics < metrics.txt 2>&1 | grep -v "^nodejs_" >promtool.log || true
[ -s promtool.log ] && echo "failed promtool check metrics: $(head -2 promtool.log | xargs)" || echo "held promtool check metrics"
deb/usr/bin/promtool check rules "$ATTUNE_ROOT/packaging/prometheus-alerts.yaml" >rules.log 2>&1 && echo "held promtool check rules" || echo "failed promtool check rules: $(tail -2 rules.log | xargs)"
cp "$ATTUNE_ROOT"/packaging/prometheus-alerts*.yaml . && deb/usr/bin/promtool test rules prometheus-alerts.test.yaml >tests.log 2>&1 && echo "held promtool test rules" || echo "failed promtool test rules: $(tail -2 tests.log | xargs)"
