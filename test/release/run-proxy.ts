import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import { waitUntil } from "../support/wait.ts";
import { PROJECT } from "./built-release.ts";

const CERTIFICATES = join(PROJECT, "test", "support", "certificates");
const SHIPPED = join(PROJECT, "packaging", "proxies");

/** A proxy that is tested with the configuration that we ship. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  /** The arguments with which it stays in the foreground. */
  readonly args: (file: string, folder: string) => readonly string[];
}

export const PROXIES: readonly ProxyKind[] = [
  {
    name: "nginx",
    program: "nginx",
    file: "nginx.conf",
    args: (file, folder) => ["-g", `daemon off; pid ${folder}/pid; error_log stderr;`, "-c", file],
  },
  { name: "HAProxy", program: "haproxy", file: "haproxy.cfg", args: (file) => ["-db", "-f", file] },
  { name: "Caddy", program: "caddy", file: "Caddyfile", args: (file) => ["run", "--config", file] },
];

export function isInstalled({ program }: ProxyKind): boolean {
  return spawnSync(program, [program === "caddy" ? "version" : "-v"]).status === 0;
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Runs a proxy in front of an address; of its configuration only addresses and files are other ones. */
export async function runProxy({ program, file, args }: ProxyKind, target: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "attune-proxy-"));
  const port = await freePort();
  const certificate = ["server.crt", "server.key"].map((name) => readFileSync(join(CERTIFICATES, name), "utf8"));
  writeFileSync(join(folder, "attune.pem"), certificate.join(""));
  const shipped = readFileSync(join(SHIPPED, file), "utf8");
  const text = shipped
    .replaceAll("attune:8080", new URL(target).host)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replace("bind :443 ", `bind 127.0.0.1:${port} `)
    .replace("https://:443 ", `https://127.0.0.1:${port} `)
    // Two of them run at once in the tests, and the place of this one would be the same.
    .replace("{\n\tservers", "{\n\tadmin off\n\tservers")
    .replace("/etc/nginx/attune.crt", join(CERTIFICATES, "server.crt"))
    .replace("/etc/nginx/attune.key", join(CERTIFICATES, "server.key"))
    .replace("/etc/caddy/attune.crt", join(CERTIFICATES, "server.crt"))
    .replace("/etc/caddy/attune.key", join(CERTIFICATES, "server.key"))
    .replace("/etc/haproxy/attune.pem", join(folder, "attune.pem"));
  writeFileSync(join(folder, file), text);
  const child = spawn(program, args(join(folder, file), folder), { stdio: "inherit" });
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`${program} has ended`);
    return canConnect(port);
  });
  return { url: `https://127.0.0.1:${port}`, close: () => close(child, folder) };
}

async function close(child: ChildProcess, folder: string): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true });
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
