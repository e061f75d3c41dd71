/**
 * `npm run bench:start`: how long `attune serve` takes from its start to its first 200 of /readyz on a database that is
 * there, and what it holds while nothing happens; from the bundle, as `npm start` does, and from the sources. In
 * interleaved rounds of one run: ratios hold on a busy machine, absolute numbers do not. Linux only: processes are read
 * in /proc.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startDashboardBuild } from "../../src/dashboard/build/dashboard-build.ts";
import { freePort } from "../support/free-port.ts";
import { median } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { cpuMsOf, familyOf, rssMiBOf } from "./process-family.ts";

const USAGE = "usage: npm run bench:start -- [--rounds 7] [--seconds 5]\n\n  --seconds  for how long nothing happens";
const options = readOptions(USAGE, {
  rounds: { type: "string", default: "7" },
  seconds: { type: "string", default: "5" },
});

const ROOT = join(import.meta.dirname, "..", "..");
const LIMIT_MS = 120_000;

interface Target {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Sample {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly rssMiB: number;
  readonly launcherMiB: number;
}

const folder = mkdtempSync(join(tmpdir(), "attune-start-"));
const source = join(ROOT, "src", "cli.ts");
const targets: readonly Target[] = [
  { name: "sources", command: [source], environment: { NODE_DISABLE_COMPILE_CACHE: "1" } },
  {
    name: "sources, compile cache",
    command: [source],
    environment: { NODE_COMPILE_CACHE: join(folder, "compile-cache") },
  },
  { name: "bundle, by npm start's program", command: [join(ROOT, "scripts", "attune.mjs")] },
];

async function measure({ name, command, environment = {} }: Target): Promise<Sample> {
  const cwd = join(folder, name.replaceAll(/\W+/g, "-"));
  mkdirSync(cwd, { recursive: true });
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(process.execPath, [...command, "serve", "--log-level", "error"], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ATTUNE_PORT: String(port), ...environment },
  });
  await untilReady(child, port);
  const readyMs = performance.now() - begin;
  const processes = familyOf(child.pid ?? 0);
  const cpuMs = processes.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  await delay(Number(options.seconds) * 1000);
  // A launcher waits for the process that serves.
  const [launcher, server = launcher] = processes;
  const sample = {
    readyMs,
    cpuMs,
    rssMiB: rssMiBOf(server ?? 0),
    launcherMiB: processes.length > 1 ? rssMiBOf(launcher ?? 0) : 0,
  };
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return sample;
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while ((await statusOf(port)) !== 200) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error("attune serve did not start");
    }
    await delay(2);
  }
}

function statusOf(port: number): Promise<number> {
  return new Promise((resolve) => {
    const asked = request({ port, host: "127.0.0.1", path: "/readyz", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once("error", () => resolve(0));
    asked.end();
  });
}

// Its build would be counted otherwise.
await startDashboardBuild((line) => console.error(line)).done;
const samples = new Map<string, Sample[]>();
// The first round makes the databases, the bundle and what Node keeps of each file, and is not counted.
for (let round = 0; round <= Number(options.rounds); round++) {
  for (const target of targets) {
    const sample = await measure(target);
    if (round > 0) samples.set(target.name, [...(samples.get(target.name) ?? []), sample]);
  }
  console.error(`round ${round} of ${options.rounds}${round === 0 ? " (not counted)" : ""}`);
}
const rows = [...samples].map(([name, own]) => ({
  "started from": name,
  "ready after ms": Math.round(median(own.map(({ readyMs }) => readyMs))),
  "fastest ms": Math.round(Math.min(...own.map(({ readyMs }) => readyMs))),
  "CPU ms until then": Math.round(median(own.map(({ cpuMs }) => cpuMs))),
  "RSS idle MiB": Math.round(median(own.map(({ rssMiB }) => rssMiB))),
  "RSS of the launcher MiB": Math.round(median(own.map(({ launcherMiB }) => launcherMiB))),
}));
console.table(rows);
console.log(JSON.stringify({ rounds: Number(options.rounds), rows }));
rmSync(folder, { recursive: true, force: true });
