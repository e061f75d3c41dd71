#!/usr/bin/env bash
# Two attributes of one metric that differ in a dot, such as "user.id" and "user_id", lose the whole scrape of OpenTelemetry's JavaScript: it writes one label twice.
# Versions: npm @opentelemetry/exporter-prometheus 0.301.0 with sdk-metrics 3.1.1; PyPI opentelemetry-exporter-prometheus 0.66b2 with opentelemetry-sdk 1.45.2; promtool 2.42 (Debian 12).
# OpenTelemetry's compatibility with Prometheus: where names become one label, their values are joined with ";". Prometheus refuses a sample with a label twice, and all others of the page with it.
# Guess: one name of a metric in both languages (JavaScript lacks the unit of times), and joined values.
# Seen on 2026-12-01: JavaScript writes user_id="1",user_id="2", at which promtool ends. Python writes the second value alone, without a word. A duration in s is x_duration in JavaScript and x_duration_seconds in Python, a cost in USD cost_total and cost_USD_total.
# Prints the labels and names of both, and what promtool says of them; exits 1 if one has changed. Needs Node 20 with npm, python3 with venv, and apt-get.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null && npm install --silent --no-audit --no-fund @opentelemetry/exporter-prometheus@0.301.0 @opentelemetry/sdk-metrics@3.1.1 >/dev/null
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check opentelemetry-exporter-prometheus==0.66b2 opentelemetry-sdk==1.45.2
apt-get download -q prometheus >apt.log 2>&1 && dpkg -x prometheus_*.deb deb
cat > javascript.mjs <<'JS'
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus"; import { MeterProvider } from "@opentelemetry/sdk-metrics";
const exporter = new PrometheusExporter({ preventServerStart: true }), meter = new MeterProvider({ readers: [exporter] }).getMeter("m");
meter.createCounter("calls").add(1, { "user.id": "1", user_id: "2" }); meter.createHistogram("x.duration", { unit: "s" }).record(3); meter.createCounter("cost", { unit: "USD" }).add(1.5);
console.log(new PrometheusSerializer().serialize((await exporter.collect()).resourceMetrics));
JS
cat > python.py <<'PY'
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from prometheus_client import REGISTRY, generate_latest
meter = MeterProvider(metric_readers=[PrometheusMetricReader()]).get_meter("m")
meter.create_counter("calls").add(1, {"user.id": "1", "user_id": "2"}); meter.create_histogram("x.duration", unit="s").record(3); meter.create_counter("cost", unit="USD").add(1.5)
print(generate_latest(REGISTRY).decode())
PY
node javascript.mjs > JavaScript.txt; venv/bin/python python.py > Python.txt
changed=0
check() { if [ "$2" = "$3" ]; then echo "as seen: $1: $2"; else echo "CHANGED: $1: $2 ($3 on 2026-12-01)"; changed=1; fi; }
for language in JavaScript Python; do
  labels=$(grep -o '^calls_total{[^}]*' $language.txt | grep -o 'user_id="[0-9]"' | xargs -d '\n' | sed 's/ $//')
  names=$(sed -nE 's/^# TYPE (x_dur[a-z_]*|cost[A-Za-z_]*) .*/\1/p' $language.txt | xargs)
  # promtool's advice is no error; a page that it can't read ends it.
  said=$(deb/usr/bin/promtool check metrics <$language.txt 2>&1 || true); case $said in *"duplicate label names"*) scrape=refused ;; *) scrape=read ;; esac
  check "$language, labels" "$labels" "$([ $language = Python ] && echo 'user_id="2"' || echo 'user_id="1" user_id="2"')"
  check "$language, names" "$names" "$([ $language = Python ] && echo 'x_duration_seconds cost_USD_total' || echo 'x_duration cost_total')"
  check "$language, the page" "$scrape" "$([ $language = Python ] && echo read || echo refused)"
done
exit $changed
