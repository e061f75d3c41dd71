import { createRebuild } from "../main/rebuild-learning.ts";
import { listProjects } from "../store/dashboard/projects.ts";
import { type AdminClient, readProjects, withAdmin } from "./admin-client.ts";
import { findProject } from "./find-project.ts";
import { fail, print, tell } from "./output.ts";
import { openConfiguredStore, readConfig } from "./with-config.ts";
import type { WorkloadOptions } from "./workload-options.ts";

const TOLD_EVERY_MS = 5000;

/** The longest rebuild that a command waits for; the service goes on. */
const REMOTE_LIMIT_MS = 6 * 3_600_000;

/** Learns the workloads of a project, or of all, anew. */
export async function runRebuild({ project: asked, ...options }: WorkloadOptions): Promise<void> {
  if (options.url !== undefined) {
    return await withAdmin(options, { project: asked }, async (admin) => await rebuildRemotely(admin, asked));
  }
  const config = readConfig();
  const store = await openConfiguredStore(config);
  const rebuild = createRebuild(() => config);
  try {
    const projects = asked === undefined ? await listProjects(store) : [await findProject(store, asked)];
    for (const { id, name } of projects) {
      let toldAt = performance.now();
      const result = await rebuild(store, id, (count) => {
        if (performance.now() - toldAt < TOLD_EVERY_MS) return;
        toldAt = performance.now();
        tell(`${name}: learned from ${count.toLocaleString("en")} events`);
      });
      print(describe(name, result));
    }
  } catch (thrown) {
    fail(`nothing was replaced: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  } finally {
    await store.close();
  }
}

async function rebuildRemotely(admin: AdminClient, asked: string | undefined): Promise<void> {
  const projects =
    asked === undefined ? await readProjects(admin) : [(await admin.getProject({ project: asked })).project];
  for (const project of projects) {
    if (project === undefined) continue;
    const result = await admin.rebuildWorkloads({ project: project.id }, { timeoutMs: REMOTE_LIMIT_MS });
    print(describe(project.name, result));
  }
}

function describe(
  name: string,
  { workloads, events }: Readonly<Record<"workloads" | "events", number | bigint>>,
): string {
  return `${name}: ${workloads} workloads, learned from ${events.toLocaleString("en")} events`;
}
