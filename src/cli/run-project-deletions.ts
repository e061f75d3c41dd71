import { timestampDate } from "@bufbuild/protobuf/wkt";
import { DeletionState, type ProjectDeletion } from "../../gen/attune/admin/v1/project_pb.ts";
import { type RemoteOptions, readPages, withAdmin } from "./admin-client.ts";
import { fail, print, printJsonList, printTable } from "./output.ts";

/** Prints the deletions of projects, those of the latest projects first. */
export async function runDeletionsList(options: RemoteOptions & { readonly json?: true }): Promise<void> {
  await withAdmin(options, {}, async (admin) => {
    const found = await readPages(async (page) => {
      const { deletions: items, nextPageToken } = await admin.listProjectDeletions(page);
      return { items, nextPageToken };
    });
    const deletions = found.map(toFacts);
    if (options.json) return printJsonList(deletions);
    const rows = deletions.map(({ projectId, name, requestedAt, requestedBy, state, inferences }) => [
      ...[projectId, name, requestedAt, requestedBy, state, inferences.toLocaleString("en")],
    ]);
    printTable(["ID", "NAME", "DELETED", "BY", "STATE", "INFERENCES GONE"], rows);
  });
}

/** Deletes a project; without a confirmation it only says what to give. */
export async function runProjectsDelete(
  project: string,
  { confirm, ...options }: RemoteOptions & { readonly confirm?: true },
): Promise<void> {
  if (!confirm)
    fail("this refuses the keys of the project at once, and deletes all its data a day later: give --confirm");
  await withAdmin(options, { project }, async (admin) => {
    const { deletion } = await admin.deleteProject({ project });
    if (deletion === undefined) return;
    const { name, projectId, dueAt } = toFacts(deletion);
    print(`deleted ${name}: 'attune projects restore ${projectId}' undoes it until ${dueAt}`);
  });
}

/** Undoes the deletion of a project. */
export async function runProjectsRestore(idOrName: string, options: RemoteOptions): Promise<void> {
  await withAdmin(options, {}, async (admin) => {
    const { project } = await admin.restoreProject({ project: idOrName });
    print(`restored ${project?.name ?? ""}`);
  });
}

/** The words of states. */
export const DELETION_STATES: Record<DeletionState, string> = {
  [DeletionState.UNSPECIFIED]: "",
  [DeletionState.WAITING]: "waiting",
  [DeletionState.RUNNING]: "running",
  [DeletionState.DONE]: "done",
  [DeletionState.FAILED]: "failed",
};

function toFacts(deletion: ProjectDeletion) {
  const { projectId, name, state, requestedBy, requestedAt, dueAt, endedAt } = deletion;
  const timeOf = (time: typeof dueAt) => (time === undefined ? null : timestampDate(time).toISOString());
  const dueText = timeOf(dueAt) ?? "";
  return {
    ...{ projectId, name, state: DELETION_STATES[state] ?? "", requestedBy, requestedAt: timeOf(requestedAt) ?? "" },
    ...{ dueAt: dueText, endedAt: timeOf(endedAt), inferences: Number(deletion.inferences) },
    ...{ feedback: Number(deletion.feedback), conversations: Number(deletion.conversations) },
  };
}
