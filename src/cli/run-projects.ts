import { describeQuota, toWrittenQuota } from "../quotas/describe-quota.ts";
import { createAccounts } from "../store/dashboard/accounts.ts";
import { createProjects, listProjects } from "../store/dashboard/projects.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { fail, print, printTable } from "./output.ts";
import { type LimitOptions, readChange } from "./quota-options.ts";
import { withModelNames } from "./run-quotas.ts";
import { withStore } from "./with-config.ts";

/** Prints all projects with their limits. */
export async function runProjectsList({ json }: { readonly json?: true }): Promise<void> {
  await withStore(async (store) => {
    const quotas = await readQuotas(store, { kinds: ["project"] });
    const settings = new Map(quotas.map((quota) => [quota.owner.projectId, quota.settings]));
    const projects = await listProjects(store);
    if (json) {
      const data = projects.map((project) => ({ ...project, limits: toWrittenQuota(settings.get(project.id) ?? {}) }));
      print(JSON.stringify({ data }));
      return;
    }
    const rows = projects.map(({ id, name, createdAt }) => [
      ...[id, name, createdAt.toISOString()],
      describeQuota(settings.get(id) ?? {}) || "-",
    ]);
    printTable(["ID", "NAME", "CREATED", "LIMITS"], rows);
  });
}

/** Creates a project, and prints its id; ends the command where the name is taken. */
export async function runProjectsCreate(
  name: string,
  { owner, ...limits }: LimitOptions & { readonly owner?: string },
): Promise<void> {
  await withStore(async (store, config) => {
    const change = readChange(limits);
    const account = owner === undefined ? undefined : await createAccounts(store).findByEmail(owner);
    if (owner !== undefined && account === undefined) {
      fail(`there is no account '${owner}': 'attune users list' lists them`);
    }
    const quota = change && withModelNames(change, config);
    const project = await createProjects(store).create(name, account?.id, quota);
    print((project ?? fail(`there is a project '${name}' already`)).id);
  });
}
