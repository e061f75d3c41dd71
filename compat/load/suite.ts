import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MeasuredProcess } from "../../test/bench/measured-process.ts";
import { cpuMsOf, familyOf, rssMiBOf } from "../../test/bench/process-family.ts";
import { measureRounds } from "../../test/bench/rounds.ts";
import { SHAPES } from "../../test/bench/shapes.ts";
import { startTargets } from "../../test/bench/targets.ts";
import { startLitellm } from "../servers/litellm.ts";
import { startPortkey } from "../servers/portkey.ts";
import type { Gateway } from "../servers/server.ts";
import { startTensorzero } from "../servers/tensorzero.ts";
import { writePart } from "../write-part.ts";

/** Gateways of others by what the table says of them. None has a key or a record, which Attune has. */
const GATEWAYS: Readonly<Record<string, (folder: string, upstream: string) => Promise<Gateway>>> = {
  "TensorZero 2026.6.0": startTensorzero,
  "Portkey 1.15.2": startPortkey,
  "LiteLLM 1.108.7": startLitellm,
};

const SHAPE_NAMES = ["unary", "stream of 64 chunks", "agent's prompt of 32 KB"];
const [ROUNDS, SECONDS, RATE, RATE_SECONDS] = [3, 4, 100, 10];
/** Requests of each shape before anything is counted. */
const WARM = 12_000;

/**
 * Measures Attune, the bare pipe, the floor and gateways of others, each on one core, in the same rounds, and writes
 * the table of docs/scale.md; all gateways if none is named. Returns whether all calls of Attune succeeded.
 */
export async function run(names: readonly string[]): Promise<boolean> {
  const known = Object.keys(GATEWAYS);
  const chosen = known.filter((name) => names.length === 0 || names.some((word) => isNamed(name, word)));
  const unknown = names.filter((word) => !known.some((name) => isNamed(name, word)));
  if (unknown.length > 0) throw new Error(`no gateway ${unknown.join(", ")}; known: ${known.join(", ")}`);
  const folder = mkdtempSync(join(tmpdir(), "attune-compat-load-"));
  const gateways = Object.fromEntries(
    chosen.map((name) => [name, (upstream: string) => startGateway(name, join(folder, name), upstream)]),
  );
  const { targets, stop } = await startTargets({ engines: ["sqlite", "postgres"], floor: true, cores: 1, gateways });
  try {
    const shapes = SHAPES.filter(({ name }) => SHAPE_NAMES.includes(name));
    const load = { connections: 16, warm: WARM, rounds: ROUNDS, seconds: SECONDS, garbage: false };
    const free = await measureRounds(targets, shapes, load);
    const slow = await measureRounds(targets, shapes.slice(0, 1), {
      ...load,
      warm: 0,
      rate: RATE,
      seconds: RATE_SECONDS,
    });
    const rows = targets.map(({ name }) => {
      const own = free.filter(({ target }) => target === name);
      const cells = SHAPE_NAMES.map((shape) => toCell(own.find((row) => row.shape === shape)));
      const atRate = slow.find(({ target }) => target === name);
      const rss = Math.max(...own.map((row) => Number(row["RSS MiB"])));
      return [name, ...cells, `${atRate?.["p50 ms"]} / ${atRate?.["p99 ms"]}`, `${Math.round(rss)}`];
    });
    const headings = ["target", ...SHAPE_NAMES.map((name) => `us, ${name}`), `p50 / p99 ms at ${RATE}/s`, "RSS MiB"];
    writePart({ page: "docs/scale.md", suite: "load", headings, rows });
    return free.every(({ target, failed }) => failed === 0 || target in GATEWAYS);
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function isNamed(name: string, word: string): boolean {
  return name.toLowerCase().startsWith(word.toLowerCase());
}

async function startGateway(name: string, folder: string, upstream: string): Promise<MeasuredProcess> {
  const start = GATEWAYS[name];
  if (start === undefined) throw new Error(`no gateway ${name}`);
  const { program, url, model, headers } = await start(folder, upstream);
  const { origin, pathname } = new URL(url);
  const sum = (measure: (pid: number) => number) =>
    familyOf(program.pid).reduce((total, pid) => total + measure(pid), 0);
  return {
    url: origin,
    key: "none",
    pid: program.pid,
    gateway: { path: pathname.replace(/\/$/, ""), model, ...(headers && { headers }) },
    read: async () => ({ cpuMicros: sum(cpuMsOf) * 1000, rssBytes: sum(rssMiBOf) * 1024 * 1024 }),
    stop: async () => program.stop(),
  };
}

function toCell(row: Readonly<Record<string, string | number>> | undefined): string {
  if (row === undefined) return "-";
  if (Number(row["failed"]) > 0) return "calls fail";
  const micros = Number(row["CPU us/request"]);
  return Number.isFinite(micros) ? `${Math.round(micros)}` : `none answered in ${SECONDS} s`;
}
