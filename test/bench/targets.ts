import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startDashboardBuild } from "../../src/dashboard/build/dashboard-build.ts";
import { startPostgres } from "../support/postgres.ts";
import { type MeasuredProcess, startMeasured, startServing, TRACE_GARBAGE } from "./measured-process.ts";
import { familyOf } from "./process-family.ts";
import { startProgram } from "./serve-program.ts";

/** What is measured in the same rounds: the bare pipe, which is the first, and services. */
export interface Target {
  readonly name: string;
  readonly process: MeasuredProcess;
}

/** Which targets there are. */
export interface TargetOptions {
  /** Where records are written; the service is measured on each. */
  readonly engines: readonly string[];
  /** A checkout of another commit. */
  readonly against?: string | undefined;
  /** Flags of Node with which the service is measured as well. */
  readonly flags?: string | undefined;
  readonly floor?: boolean | undefined;
  readonly garbage?: boolean | undefined;
  readonly plainMemory?: boolean | undefined;
  readonly withoutLearning?: boolean | undefined;
  /** Numbers of workers with which `attune serve` is measured as well. */
  readonly workers?: readonly string[] | undefined;
  /** Gateways of others, each started before the upstream with this address. */
  readonly gateways?: Readonly<Record<string, (upstream: string) => Promise<MeasuredProcess>>>;
  /** Cores that each target and its threads have; the load, the upstream and PostgreSQL have the others. All if absent. */
  readonly cores?: number | undefined;
}

/** Targets that run, and what ends them with all that they have written. */
export interface Targets {
  readonly targets: readonly Target[];
  stop(): Promise<void>;
}

/** Starts the upstream, the pipe and the services that options name, each with a folder and a database of its own. */
export async function startTargets(options: TargetOptions): Promise<Targets> {
  const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
  const upstream = await startMeasured("upstream-process.ts");
  const postgres = options.engines.includes("postgres") ? await startPostgres() : undefined;
  const databaseOn = (engine = "") => ({
    BENCH_DATABASE: engine === "postgres" ? postgres?.createDatabaseUrl() : undefined,
  });
  const traced = options.garbage ? [TRACE_GARBAGE] : [];
  const [engine, ...otherEngines] = options.engines;
  const targets: Target[] = [];
  const add = (name: string, process: MeasuredProcess) => targets.push({ name, process });

  async function addAttune(name: string, start = startServing, environment = {}, module = "attune-process.ts") {
    const own = { BENCH_UPSTREAM: upstream.url, BENCH_FOLDER: mkdtempSync(join(folder, "service-")) };
    add(name, await start(module, { ...own, ...databaseOn(engine), ...environment }, traced));
  }

  add("bare pipe", await startMeasured("pipe-process.ts", { BENCH_UPSTREAM: upstream.url }));
  await addAttune("attune");
  for (const other of otherEngines) await addAttune(`attune on ${other}`, startServing, databaseOn(other));
  if (options.against !== undefined) {
    const module = pathToFileURL(resolve(options.against, "test/bench/attune-process.ts")).href;
    await addAttune("the other checkout", startServing, {}, module);
  }
  if (options.flags !== undefined) {
    const more = options.flags.split(" ");
    await addAttune(`attune ${options.flags}`, (module, own, given = []) =>
      startServing(module, own, [...given, ...more]),
    );
  }
  if (options.floor) {
    await addAttune("floor, record in a file", startServing, {}, "floor-process.ts");
    await addAttune("floor, record in SQLite", startServing, { BENCH_FLOOR: "database" }, "floor-process.ts");
  }
  if (options.plainMemory) await addAttune("attune, plain memory", startMeasured, { BENCH_MEMORY: "plain" });
  if (options.withoutLearning) await addAttune("attune, without learning", startServing, { BENCH_LEARNING: "off" });
  for (const workers of options.workers ?? []) {
    // Its build would be counted otherwise.
    await startDashboardBuild((line) => console.error(line)).done;
    const program = await startProgram(Number(workers), {
      upstream: upstream.url,
      database: databaseOn(engine).BENCH_DATABASE,
    });
    add(workers === "0" ? "attune serve" : `attune serve --workers ${workers}`, program);
  }
  for (const [name, start] of Object.entries(options.gateways ?? {})) add(name, await start(upstream.url));
  if (options.cores !== undefined) pin([...targets.map((target) => target.process)], upstream, options.cores);

  return {
    targets,
    async stop() {
      await Promise.all([...targets.map((target) => target.process.stop()), upstream.stop()]);
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Gives targets and their threads the first cores, and the load and the upstream those that are left. */
function pin(processes: readonly MeasuredProcess[], upstream: MeasuredProcess, cores: number): void {
  const last = availableParallelism() - 1;
  // The load is the parent of all others.
  for (const pid of [process.pid, upstream.pid]) setCores(pid, cores > last ? `0-${last}` : `${cores}-${last}`);
  for (const { pid } of processes) setCores(pid, `0-${cores - 1}`);
}

function setCores(pid: number | undefined, cores: string): void {
  if (pid === undefined) throw new Error("--cores takes no --workers: they are several processes");
  for (const each of familyOf(pid)) {
    const { status, stderr } = spawnSync("taskset", ["-a", "-c", "-p", cores, String(each)], { encoding: "utf8" });
    if (status !== 0) throw new Error(`taskset could not give process ${each} the cores ${cores}: ${stderr}`);
  }
}
