#!/usr/bin/env bash
# Prometheus 2.42 (Debian)
mkdir deb && (cd deb && apt-get download -q prometheus >apt.log 2>&1 && dpkg -x prometheus_*.deb .)
cp "$ATTUNE_ROOT/packaging/prometheus-alerts.yaml" rules.yaml
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
cat > prometheus.yaml <<YAML
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
scrape_configs: [{ job_name: attune, static_configs: [{ targets: ["${ATTUNE_ADMIN_URL#http://}"] }] }]
YAML
deb/usr/bin/prometheus --config.file=prometheus.yaml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$port" >prometheus.log 2>&1 &
trap 'kill %1' EXIT
address="http://127.0.0.1:$port"
curl -sf --retry 60 --retry-delay 1 --retry-connrefused --retry-all-errors "$address/-/ready" >ready.log
# A rate needs a first value before it.
for _ in 1 2; do node "$ATTUNE_ROOT/compat/tools/play-scenes.ts" > ids.json; sleep 3; done
cat > read.mjs <<'JS'
import { readFileSync } from "node:fs";
const [, , address] = process.argv;
const check = (step, held, seen) => console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)?.slice(0, 160)}`);
const get = async (path) => (await fetch(address + path)).json();
const query = (expr) => get(`/api/v1/query?query=${encodeURIComponent(expr)}`);
const value = async (expr) => Number((await query(expr)).data?.result[0]?.value[1]);
const { data: { activeTargets: [target] } } = await get("/api/v1/targets");
check("scrapes", target.health === "up" && target.lastError === "", target);
const calls = await value('sum(attune_inferences_total)');
check("counts 24 inferences of 24", calls === 24, calls);
const p95 = await value('histogram_quantile(0.95, sum by (le) (rate(attune_request_duration_seconds_bucket[1m])))');
check("a quantile of durations", p95 > 0, p95);
const rules = (await get("/api/v1/rules")).data.groups.flatMap((group) => group.rules);
check(`${rules.length} rules are well`, rules.length > 0 && rules.every(({ health, lastError }) => health === "ok" && !lastError), rules.find(({ health }) => health !== "ok"));
const panels = JSON.parse(readFileSync(`${process.env.ATTUNE_ROOT}/packaging/grafana-dashboard.json`, "utf8")).panels;
const exprs = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", "attune")));
const answers = await Promise.all(exprs.map(async (expr) => ({ expr, ...(await query(expr)) })));
const refused = answers.filter(({ status, warnings = [] }) => status !== "success" || warnings.length > 0);
check(`${exprs.length} queries of the board`, exprs.length > 0 && refused.length === 0, refused[0]);
// Counters without a value yet have their description alone.
const names = Object.keys((await get("/api/v1/metadata")).data);
const absent = exprs.flatMap((expr) => expr.match(/\b(?:attune|nodejs|process)_\w+/g)).filter((name) => !names.includes(name.replace(/_bucket$/, "")));
check("the board's metrics are there", absent.length === 0, absent);
JS
node read.mjs "$address"
