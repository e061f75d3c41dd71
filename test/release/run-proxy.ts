import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, fetch } from "undici";
import { freePort } from "../support/free-port.ts";
import { waitUntil } from "../support/wait.ts";
import { PROJECT } from "./built-release.ts";

const CERTIFICATES = join(PROJECT, "test", "support", "certificates");
const SHIPPED = join(PROJECT, "packaging", "proxies");

/** The path of a host below which the proxies can have Attune, as the comments in their files do. */
export const BELOW = "/attune";

/** What a proxy does with the path of its host. */
export type PathRule = "leaves the path" | "takes the path off";

/** What is replaced in a shipped file: the former text, and the new one. */
type Change = readonly [former: string, next: string];

/** A proxy that is tested with the configuration that we ship. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string;
  /** The argument with which it prints its version. */
  readonly version: string;
  /** Its files; the first one is the one that it is started with. */
  readonly files: readonly string[];
  /** The arguments with which it stays in the foreground. */
  readonly args: (file: string, folder: string) => readonly string[];
  /** What docs/proxies.md has for Attune below a path. */
  readonly below: Readonly<Record<PathRule, readonly Change[]>>;
}

export const PROXIES: readonly ProxyKind[] = [
  {
    name: "nginx",
    program: "nginx",
    version: "-v",
    files: ["nginx.conf"],
    args: (file, folder) => ["-g", `daemon off; pid ${folder}/pid; error_log stderr;`, "-c", file],
    below: {
      "leaves the path": [["location / {", `location ${BELOW}/ {`]],
      "takes the path off": [
        ["location / {", `location ${BELOW}/ {`],
        ["proxy_pass http://attune;", "proxy_pass http://attune/;"],
      ],
    },
  },
  {
    name: "HAProxy",
    program: "haproxy",
    version: "-v",
    files: ["haproxy.cfg"],
    args: (file) => ["-db", "-f", file],
    below: {
      "leaves the path": [["default_backend http", `use_backend http if { path_beg ${BELOW}/ }`]],
      "takes the path off": [
        ["default_backend http", `use_backend http if { path_beg ${BELOW}/ }`],
        ["backend http\n", `backend http\n  http-request replace-path ${BELOW}(/.*) \\1\n`],
      ],
    },
  },
  {
    name: "Caddy",
    program: "caddy",
    version: "version",
    files: ["Caddyfile"],
    args: (file) => ["run", "--config", file],
    below: {
      "leaves the path": [["\thandle {", `\thandle ${BELOW}/* {`]],
      "takes the path off": [["\thandle {", `\thandle_path ${BELOW}/* {`]],
    },
  },
  {
    name: "Traefik",
    program: "traefik",
    version: "version",
    files: ["traefik.yaml", "traefik-routes.yaml"],
    args: (file) => ["--configFile", file],
    below: {
      "leaves the path": [["rule: PathPrefix(`/`)", `rule: PathPrefix(\`${BELOW}/\`)`]],
      "takes the path off": [
        ["rule: PathPrefix(`/`)", `rule: PathPrefix(\`${BELOW}/\`)\n      middlewares: [below]`],
        ["  services:\n", `  middlewares:\n    below: { stripPrefix: { prefixes: [${BELOW}] } }\n  services:\n`],
      ],
    },
  },
  {
    name: "Envoy",
    program: "envoy",
    version: "--version",
    files: ["envoy.yaml"],
    args: (file) => ["--config-path", file, "--log-level", "warn", "--concurrency", "2", "--use-dynamic-base-id"],
    below: {
      "leaves the path": [["- match: { prefix: / }", `- match: { prefix: ${BELOW}/ }`]],
      "takes the path off": [
        ["- match: { prefix: / }", `- match: { prefix: ${BELOW}/ }`],
        ["{ cluster: http, timeout: 0s }", "{ cluster: http, timeout: 0s, prefix_rewrite: / }"],
      ],
    },
  },
];

export function isInstalled({ program, version }: ProxyKind): boolean {
  return spawnSync(program, [version]).status === 0;
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Where a proxy listens, and what it does with a path. */
interface ProxyPlace {
  readonly port?: number;
  readonly rule?: PathRule;
}

/** Runs a proxy in front of an address; of its configuration only addresses, files and the path are other ones. */
export async function runProxy(kind: ProxyKind, target: string, place: ProxyPlace = {}): Promise<RunningProxy> {
  const { program, files, args, below } = kind;
  const folder = mkdtempSync(join(tmpdir(), "attune-proxy-"));
  const port = place.port ?? (await freePort());
  const certificate = ["server.crt", "server.key"].map((name) => readFileSync(join(CERTIFICATES, name), "utf8"));
  writeFileSync(join(folder, "attune.pem"), certificate.join(""));
  const changes = place.rule === undefined ? [] : [...below[place.rule]];
  for (const file of files) {
    let text = readFileSync(join(SHIPPED, file), "utf8");
    for (const [former, next] of changes) text = text.replace(former, () => next);
    writeFileSync(join(folder, file), atAddresses(text, { folder, port, target: new URL(target) }));
  }
  const child = spawn(program, args(join(folder, files[0] ?? ""), folder), { stdio: "inherit" });
  const url = `https://127.0.0.1:${port}`;
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`${program} has ended`);
    return isReady(`${url}${place.rule === undefined ? "" : BELOW}/readyz`);
  });
  return { url, close: () => close(child, folder) };
}

interface Addresses {
  readonly folder: string;
  readonly port: number;
  readonly target: URL;
}

function atAddresses(text: string, { folder, port, target }: Addresses): string {
  return (
    text
      .replaceAll("attune:8080", target.host)
      .replaceAll("address: attune, port_value: 8080", `address: ${target.hostname}, port_value: ${target.port}`)
      .replace("listen 443 ", `listen 127.0.0.1:${port} `)
      .replace("bind :443 ", `bind 127.0.0.1:${port} `)
      .replace("https://:443 ", `https://127.0.0.1:${port} `)
      .replace('address: ":443"', `address: "127.0.0.1:${port}"`)
      .replace("address: 0.0.0.0, port_value: 443", `address: 127.0.0.1, port_value: ${port}`)
      // Two of them run at once in the tests, and the place of this one would be the same.
      .replace("{\n\tservers", "{\n\tadmin off\n\tservers")
      .replace(/\/etc\/\w+\/attune\.(crt|key)/g, (_path, kind: string) => join(CERTIFICATES, `server.${kind}`))
      .replace("/etc/haproxy/attune.pem", join(folder, "attune.pem"))
      .replace("/etc/traefik/", `${folder}/`)
  );
}

async function close(child: ChildProcess, folder: string): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true });
}

/** Some listen before they have their certificate and know the service. */
async function isReady(url: string): Promise<boolean> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const { ok } = await fetch(url, { dispatcher }).catch(() => ({ ok: false }));
  await dispatcher.destroy();
  return ok;
}
