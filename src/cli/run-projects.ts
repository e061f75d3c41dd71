import { timestampDate } from "@bufbuild/protobuf/wkt";
import { describeQuota, toWrittenQuota } from "../quotas/describe-quota.ts";
import { type RemoteOptions, readProjects, withAdmin } from "./admin-client.ts";
import { toLimits, toSettings } from "./admin-limits.ts";
import { fail, print, printJsonList, printTable } from "./output.ts";
import { type LimitOptions, readChange } from "./quota-options.ts";

/** Prints all projects with their limits. */
export async function runProjectsList(options: RemoteOptions & { readonly json?: true }): Promise<void> {
  await withAdmin(options, {}, async (admin) => {
    const projects = (await readProjects(admin)).map(({ id, name, createdAt, limits }) => ({
      ...{ id, name, createdAt: createdAt === undefined ? null : timestampDate(createdAt), limits: toSettings(limits) },
    }));
    if (options.json) {
      const data = projects.map((project) => ({ ...project, limits: toWrittenQuota(project.limits) }));
      return printJsonList(data);
    }
    const rows = projects.map(({ id, name, createdAt, limits }) => [
      ...[id, name, createdAt?.toISOString() ?? ""],
      describeQuota(limits) || "-",
    ]);
    printTable(["ID", "NAME", "CREATED", "LIMITS"], rows);
  });
}

/** Creates a project, and prints its id; ends the command where the name is taken. */
export async function runProjectsCreate(
  name: string,
  options: LimitOptions & RemoteOptions & { readonly owner?: string },
): Promise<void> {
  const { owner } = options;
  await withAdmin(options, { owner }, async (admin) => {
    const limits = toLimits(readChange(options) ?? {});
    const { project, created } = await admin.createProject({ project: { name, limits }, owner: owner ?? "" });
    if (!created) fail(`there is a project '${name}' already`);
    print(project?.id ?? "");
  });
}
