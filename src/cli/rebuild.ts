import { setTimeout as delay } from "node:timers/promises";
import { RebuildState } from "../../gen/attune/admin/v1/admin_pb.ts";
import type { Project } from "../../gen/attune/admin/v1/project_pb.ts";
import { decodeError } from "../facade/client/decode-error.ts";
import { ErrorReason } from "../hub/error.ts";
import { type AdminClient, type Local, readProjects } from "./admin-client.ts";
import { describeProject } from "./options.ts";
import { print, tell } from "./output.ts";

interface RebuildOptions {
  readonly project: string | undefined;
  /** False to ask for it only. */
  readonly wait: boolean;
}

const POLL_MS = 500;
const TOLD_EVERY_MS = 5000;

/** Has the workloads of a project, or of all, learned anew, and waits for it unless told otherwise. */
export async function rebuild(
  admin: AdminClient,
  { project: projectName, wait }: RebuildOptions,
  local: Local | undefined,
): Promise<void> {
  const requested: Project[] = [];
  for (const project of await readNamedProjects(admin, projectName)) {
    if (await request(admin, project, projectName === undefined)) requested.push(project);
  }
  if (!wait) return;
  const ended = new AbortController();
  const awaitAll = async () => {
    for (const project of requested) await waitFor(admin, project);
  };
  await Promise.all([awaitAll().finally(() => ended.abort()), local && work(local, ended.signal)]);
}

/** Cancels the rebuild of a project; the command fails where none waits or runs. */
export async function cancelRebuild(admin: AdminClient, { project }: { readonly project: string }): Promise<void> {
  const { rebuild } = await admin.cancelRebuild({ project });
  const name = describeProject(project);
  if (rebuild?.state === RebuildState.CANCELED) print(`${name}: the rebuild is canceled, and nothing was replaced`);
  else complain(name, "no rebuild waits or runs");
}

/** Runs rebuilds in this process: where a command works on the database itself, no service may be there to do so. */
async function work({ store, config }: Local, ended: AbortSignal): Promise<void> {
  const { readRebuildSettings } = await import("../main/rebuild-learning.ts");
  const { runNextRebuild } = await import("../store/learning/run-rebuild.ts");
  const settings = (on: Local["store"]) => readRebuildSettings(config, on);
  const onFailure = (error: unknown) => tell(error instanceof Error ? error.message : String(error));
  while (!ended.aborted) {
    if (!(await runNextRebuild(store, { settings, onFailure }))) await delay(POLL_MS);
  }
}

async function readNamedProjects(admin: AdminClient, projectName: string | undefined): Promise<readonly Project[]> {
  if (projectName === undefined) return await readProjects(admin);
  const { project } = await admin.getProject({ project: projectName });
  return project === undefined ? [] : [project];
}

/** Asks for a rebuild. Of several, one that has to rest after its last one does not keep the others from it. */
async function request(admin: AdminClient, { id, name }: Project, isOneOfSeveral: boolean): Promise<boolean> {
  try {
    await admin.rebuildWorkloads({ project: id });
    return true;
  } catch (thrown) {
    const { reason, message } = decodeError(thrown);
    if (!isOneOfSeveral || reason !== ErrorReason.RATE_LIMITED) throw thrown;
    complain(name, message);
    return false;
  }
}

/** Tells how a rebuild goes, until it ends. */
async function waitFor(admin: AdminClient, { id, name }: Project): Promise<void> {
  for (let toldAt = performance.now(); ; await delay(POLL_MS)) {
    const { rebuild } = await admin.getRebuild({ project: id });
    if (rebuild === undefined) return;
    const { state, workloads, events, problem } = rebuild;
    const learned = `learned from ${events.toLocaleString("en")} events`;
    if (state === RebuildState.DONE) return print(`${name}: ${workloads} workloads, ${learned}`);
    if (state === RebuildState.CANCELED) return complain(name, "it was canceled, and nothing was replaced");
    if (state === RebuildState.FAILED) return complain(name, `nothing was replaced: ${problem}`);
    if (performance.now() - toldAt < TOLD_EVERY_MS) continue;
    toldAt = performance.now();
    tell(state === RebuildState.RUNNING ? `${name}: ${learned}` : `${name}: waits for earlier rebuilds`);
  }
}

/** Tells of a project whose state was not rebuilt; the command fails at its end. */
function complain(name: string, problem: string): void {
  tell(`${name}: ${problem}`);
  process.exitCode = 1;
}
