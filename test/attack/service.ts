import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { servingOptions } from "../../scripts/serving-options.mjs";
import { lazyAsync } from "../../src/lib/lazy-async.ts";
import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import type { Store } from "../../src/store/types/store.ts";
import { createPeople } from "../dashboard/people.ts";
import { testBundle, testedProgram } from "../support/tested-program.ts";
import { configuration, METRICS_TOKEN } from "./configuration.ts";
import type { MonitorAnswer, StallReport } from "./monitor-messages.ts";

/** Who can ask the service: keys and sessions of two projects. */
export interface Fixtures {
  readonly url: string;
  readonly port: number;
  readonly projectId: string;
  /** Key of the project. */
  readonly key: string;
  /** Keys of one other project, as many as take all that is shared where each has what a key may have. */
  readonly manyKeys: readonly string[];
  /** A key that was never given out. */
  readonly wrongKey: string;
  /** Cookies of signed-in people of the project, and of one of another. */
  readonly cookies: Readonly<Record<"owner" | "developer" | "viewer" | "stranger", string>>;
  /** What must never be seen in a log or an answer. */
  readonly secrets: readonly string[];
}

/** The service that is attacked, in a process of its own. */
export interface AttackedService extends Fixtures {
  readonly pid: number;
  /** The processes that serve: this one, or its workers. */
  readonly processes: () => readonly number[];
  readonly stalls: StallReport[];
  /** Lines that it logged, as they came; whoever reads them takes them out. */
  readonly logLines: string[];
  /** How it ended, if it has. */
  readonly ended: () => string | undefined;
  read(): Promise<MonitorAnswer>;
  /** The same after its garbage was collected. */
  collect(): Promise<MonitorAnswer>;
  close(): Promise<void>;
}

const MONITOR = join(import.meta.dirname, "monitor.ts");
const START_MS = 90_000;
const MANY_KEYS = 12;

/** Keys of the upstreams, which answers must not repeat. */
export const UPSTREAM_KEYS = [
  "sk-attack-upstream-chat-key",
  "sk-attack-upstream-responses-key",
  "sk-ant-attack-upstream-key",
  "secret-of-all-attacked-webhooks",
];

/** How the service is started. */
export interface ServiceOptions {
  /** Folder that is given processor profiles of its threads. */
  readonly profile?: string | undefined;
  readonly workers?: number;
}

/**
 * Starts a service with a database of its own, whose upstreams are at `upstreamUrl`. Resolves once it serves its
 * dashboard. Its threads leave processor profiles in the folder `profile` when it ends, if there is one.
 */
export async function startService(
  upstreamUrl: string,
  { profile, workers = 1 }: ServiceOptions = {},
): Promise<AttackedService> {
  const folder = mkdtempSync(join(tmpdir(), "attune-attack-"));
  writeFileSync(join(folder, "attune.yaml"), configuration(upstreamUrl, UPSTREAM_KEYS));
  const { fixtures, database } = await prepared.get();
  writeFileSync(join(folder, "attune.db"), database);
  testBundle();
  const serving = servingOptions({});
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ATTUNE_PORT: "0", ...serving.environment };
  const args = [
    ...["--disable-warning=ExperimentalWarning", "--import", MONITOR, ...serving.flags],
    ...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profile)}`, "--cpu-prof-interval=2000"]),
    ...[testedProgram(), "serve", "--log-level", "error", "--workers", String(workers)],
  ];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ATTUNE_DATABASE_URL: `sqlite:${join(folder, "attune.db")}` },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const listened = listen(child);
  try {
    const url = await untilServing(child, listened);
    await untilBuilt(url);
    return {
      ...fixtures,
      ...listened,
      pid: child.pid ?? 0,
      processes: () => (workers > 1 ? childrenOf(child.pid ?? 0) : [child.pid ?? 0]),
      url,
      port: Number(new URL(url).port),
      close: () => close(child, folder),
    };
  } catch (error) {
    await close(child, folder);
    throw error;
  }
}

/** The keys and the people, with the database that has them. */
interface Prepared {
  readonly fixtures: Omit<Fixtures, "url" | "port">;
  readonly database: Buffer;
}

/** Makes the keys and the people once, of which each service gets a copy: SQLite has one writer. */
const prepared = lazyAsync(async (): Promise<Prepared> => {
  const folder = mkdtempSync(join(tmpdir(), "attune-attack-"));
  try {
    const file = join(folder, "attune.db");
    const store = await openStore(`sqlite:${file}`);
    const fixtures = await makeFixtures(store).finally(() => store.close());
    return { fixtures, database: readFileSync(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Makes the keys and the people of a service. */
export async function makeFixtures(store: Store): Promise<Omit<Fixtures, "url" | "port">> {
  const people = await createPeople({ url: "", store, dashboard: createDashboardStore(store) });
  const { key } = await createKey(store, {
    name: "attack",
    projectId: people.projectId,
    permissions: ["control-workloads"],
  });
  const manyKeys: string[] = [];
  for (let count = 0; count < MANY_KEYS; count++) manyKeys.push((await createKey(store, { name: "many" })).key);
  const { owner, developer, viewer } = people.byRole;
  const cookies = {
    owner: owner.cookie ?? "",
    developer: developer.cookie ?? "",
    viewer: viewer.cookie ?? "",
    stranger: people.stranger.cookie ?? "",
  };
  const wrongKey = `att_${randomUUID().replaceAll("-", "").slice(0, 12)}_${"0".repeat(43)}`;
  const sessions = Object.values(cookies).map((cookie) => cookie.slice(cookie.indexOf("=") + 1));
  const secrets = [key.slice(-30), ...sessions, ...UPSTREAM_KEYS, METRICS_TOKEN];
  return { projectId: people.projectId, key, manyKeys, wrongKey, cookies, secrets };
}

type Listened = Pick<AttackedService, "stalls" | "logLines" | "ended" | "read" | "collect"> & {
  readonly printed: () => string;
};

function listen(child: ChildProcess): Listened {
  const stalls: StallReport[] = [];
  const logLines: string[] = [];
  const waiting: PromiseWithResolvers<MonitorAnswer>[] = [];
  let [printed, rest] = ["", ""];
  let ended: string | undefined;
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed = (printed + text).slice(-20_000);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    logLines.push(...lines);
  });
  child.on("message", (message: StallReport | MonitorAnswer) => {
    if (message.kind === "stall") stalls.push(message);
    else waiting.shift()?.resolve(message);
  });
  child.once("exit", (code, signal) => {
    ended = `the process ended with ${code ?? signal}`;
    for (const { reject } of waiting) reject(new Error(ended));
  });
  const ask = (question: "read" | "collect"): Promise<MonitorAnswer> => {
    const answer = Promise.withResolvers<MonitorAnswer>();
    if (ended !== undefined || !child.connected) answer.reject(new Error(ended ?? "the process is gone"));
    else {
      waiting.push(answer);
      child.send(question);
    }
    return answer.promise;
  };
  return {
    stalls,
    logLines,
    printed: () => printed,
    ended: () => ended,
    read: () => ask("read"),
    collect: () => ask("collect"),
  };
}

async function untilServing(child: ChildProcess, { printed, logLines, ended }: Listened): Promise<string> {
  for (const end = performance.now() + START_MS; performance.now() < end; await sleep(20)) {
    const url = /address {3}(http:\S+)\s/.exec(printed())?.[1];
    if (url !== undefined) return url;
    if (ended() !== undefined) break;
  }
  throw new Error(`the service did not start (process ${child.pid}): ${printed()}${logLines.join("\n")}`);
}

/** The pages are built once for each version, in a process that would take part of the machine. */
async function untilBuilt(url: string): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end; await sleep(100)) {
    if ((await fetch(`${url}/dashboard/`)).status === 200) return;
  }
  throw new Error("the dashboard was not built in time");
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

async function close(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await exited;
    clearTimeout(timer);
  }
  rmSync(folder, { recursive: true, force: true });
}
