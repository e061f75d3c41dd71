import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { DeletionState, type ProjectDeletionSchema } from "../../gen/attune/admin/v1/project_pb.ts";
import { findProject } from "../store/administration/find-project.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import type { ProjectDeletionRow } from "../store/entities/project-deletion.ts";
import { deleteProject, restoreProject } from "../store/project-deletion/delete-project.ts";
import { findWaitingDeletions, listProjectDeletions } from "../store/project-deletion/list-deletions.ts";
import { checkEtag, conflict, notFound } from "./checks.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { readPageSize, toPage } from "./page.ts";
import { etagOfProject, projectToMessage, readProject } from "./projects.ts";

/** The operations on deletions of projects. */
export const projectDeletionHandlers: Handlers<"deleteProject" | "restoreProject" | "listProjectDeletions"> = {
  async deleteProject(work, { project, etag }) {
    if ((await findProject(work.store, project)) === undefined) {
      const known = await findOwnDeletion(work, project);
      if (known !== undefined) return { deletion: deletionToMessage(known) };
    }
    const { id } = await findOwnProject(work, project);
    if (id === DEFAULT_PROJECT.id) throw conflict("project", "is the default project, which cannot be deleted");
    checkEtag(etag, etagOfProject(await readProject(work, id)));
    const deletion = await deleteProject(work.store, id);
    if (deletion === undefined) throw notFound("project", "project");
    return { deletion: deletionToMessage(deletion) };
  },

  async restoreProject(work, { project }) {
    const deletion = await findOwnDeletion(work, project);
    if (deletion === undefined) throw notFound("project", "deletion that can be undone");
    const outcome = await restoreProject(work.store, deletion.projectId);
    if (outcome === undefined) throw notFound("project", "deletion that can be undone");
    if (outcome === "name-taken") {
      throw conflict(
        "project",
        `was called '${deletion.name}', which is the name of another project by now: rename that`,
      );
    }
    return { project: projectToMessage(await readProject(work, deletion.projectId)) };
  },

  async listProjectDeletions({ store, actor }, { pageSize, pageToken }) {
    const size = readPageSize(pageSize);
    const { projectId } = actor;
    const found = await listProjectDeletions(store, {
      ...(projectId !== undefined && { projectIds: [projectId] }),
      after: pageToken.toLowerCase(),
      limit: size + 1,
    });
    const { items, nextPageToken } = toPage(
      found.map((deletion) => ({ ...deletion, id: deletion.projectId })),
      size,
    );
    return { deletions: items.map(deletionToMessage), nextPageToken };
  },
};

/** Finds the deletion of a project that the caller sees, unless its data goes already. Throws CONFLICT. */
async function findOwnDeletion({ store, actor }: Work, idOrName: string): Promise<ProjectDeletionRow | undefined> {
  const found = await findWaitingDeletions(store, idOrName);
  const own = found.filter(({ projectId }) => actor.projectId === undefined || actor.projectId === projectId);
  if (own.length <= 1) return own[0];
  const ids = own.map(({ projectId }) => projectId).join(", ");
  throw conflict("project", `was the name of several projects that were deleted: give the id, one of ${ids}`);
}

const STATES: Readonly<Record<string, DeletionState>> = {
  waiting: DeletionState.WAITING,
  running: DeletionState.RUNNING,
  done: DeletionState.DONE,
};

function deletionToMessage(deletion: ProjectDeletionRow): MessageInitShape<typeof ProjectDeletionSchema> {
  const { projectId, name, state, actorLabel, requestedAt, dueAt, endedAt, ...counts } = deletion;
  return {
    projectId,
    name,
    state: STATES[state] ?? DeletionState.UNSPECIFIED,
    requestedBy: actorLabel,
    requestedAt: timestampFromDate(requestedAt),
    dueAt: timestampFromDate(dueAt),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    inferences: BigInt(counts.inferences),
    feedback: BigInt(counts.feedback),
    conversations: BigInt(counts.conversations),
  };
}
