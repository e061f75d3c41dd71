#!/usr/bin/env bash
# Prometheus 2.42 (Debian), as sender and receiver
mkdir deb && (cd deb && apt-get download -q prometheus >apt.log 2>&1 && dpkg -x prometheus_*.deb .)
free() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'; }
receiver=$(free); sender=$(free); other=$(free)
# Attune's metrics have no exemplars; this shows that they would come through.
cat > other.mjs <<'JS'
import { createServer } from "node:http";
const head = { "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8" };
const text = '# TYPE other counter\nother_total 7 # {trace_id="4bf92f3577b34da6a3ce929d0e0e4736"} 0.5\n# EOF\n';
createServer((_, response) => response.writeHead(200, head).end(text)).listen(Number(process.argv[2]), "127.0.0.1");
JS
node other.mjs "$other" & pids=$!
echo 'global: {}' > receiver.yaml
cat > sender.yaml <<YAML
global: { scrape_interval: 1s }
scrape_configs:
  - { job_name: attune, static_configs: [{ targets: ["${ATTUNE_ADMIN_URL#http://}"] }] }
  - { job_name: other, static_configs: [{ targets: ["127.0.0.1:$other"] }] }
remote_write:
  - { url: "http://127.0.0.1:$receiver/api/v1/write", send_exemplars: true, send_native_histograms: true }
YAML
features=exemplar-storage,native-histograms
deb/usr/bin/prometheus --config.file=receiver.yaml --storage.tsdb.path=received --enable-feature=$features --web.enable-remote-write-receiver --web.listen-address="127.0.0.1:$receiver" >receiver.log 2>&1 & pids="$pids $!"
deb/usr/bin/prometheus --config.file=sender.yaml --storage.tsdb.path=sent --enable-feature=$features --web.listen-address="127.0.0.1:$sender" >sender.log 2>&1 & pids="$pids $!"
trap 'kill $pids' EXIT
for port in "$receiver" "$sender"; do curl -sf --retry 60 --retry-delay 1 --retry-connrefused --retry-all-errors "http://127.0.0.1:$port/-/ready" >ready.log; done
node "$ATTUNE_ROOT/compat/tools/play-scenes.ts" > ids.json
sleep 20
cat > read.mjs <<'JS'
const [, , sender, receiver] = process.argv;
const check = (step, held, seen) => console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)?.slice(0, 160)}`);
// As of some seconds ago: what was scraped since then may be under way.
const time = Date.now() / 1000 - 8;
const get = async (port, path, fields) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(fields)}`)).json();
const read = async (port, query) => {
  const { data } = await get(port, "query", { query, time });
  return new Map(data.result.map(({ metric, value, histogram }) => [JSON.stringify(Object.entries(metric).sort()), { value: value?.[1], histogram }]));
};
const [sent, received] = [await read(sender, '{job="attune"}'), await read(receiver, '{job="attune"}')];
const differing = [...sent].filter(([name, value]) => JSON.stringify(received.get(name)) !== JSON.stringify(value));
const calls = [...sent.keys()].filter((name) => name.includes('"attune_inferences_total"'));
check("all series of Attune arrive with their values", sent.size > 200 && calls.length > 0 && received.size === sent.size && differing.length === 0, { sent: sent.size, received: received.size, differing: differing.slice(0, 1) });
const p95 = { query: 'histogram_quantile(0.95, sum by (le) (attune_request_duration_seconds_bucket{job="attune"}))', time };
const [here, there] = [await get(sender, "query", p95), await get(receiver, "query", p95)].map(({ data }) => data.result[0]?.value[1]);
check("a quantile is the same at both", Number(here) > 0 && here === there, { here, there });
const native = [...sent.values()].filter(({ histogram }) => histogram !== undefined).length;
check("Attune's histograms have buckets, none is native", native === 0, native);
const exemplars = async (port, query) => (await get(port, "query_exemplars", { query, start: time - 60, end: time + 8 })).data.map(({ seriesLabels, exemplars: [first] }) => ({ name: seriesLabels.__name__, labels: first.labels, value: first.value }));
const of = { other: await exemplars(sender, "other_total"), arrived: await exemplars(receiver, "other_total") };
check("an exemplar of another exporter arrives", of.other.length === 1 && JSON.stringify(of.other) === JSON.stringify(of.arrived), of);
const own = await exemplars(sender, '{__name__=~"attune_.+"}');
check("Attune writes no exemplars", own.length === 0, own);
const { data: meta } = await get(receiver, "metadata", {});
console.error(JSON.stringify({ series: sent.size, metadata: Object.keys(meta).length, p95: here }));
JS
node read.mjs "$sender" "$receiver"
