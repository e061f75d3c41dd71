import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { DeletionState } from "../../gen/attune/admin/v1/project_pb.ts";
import type { EndUserDeletionSchema } from "../../gen/attune/admin/v1/quota_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { endUserProblem } from "../quotas/owner-name.ts";
import { listEndUsers } from "../store/administration/list-end-users.ts";
import type { EndUser } from "../store/end-users/delete-end-user.ts";
import { noteExport } from "../store/end-users/read-end-user.ts";
import {
  beginDeletion,
  continueDeletion,
  findDeletion,
  listDeletions,
  newDeletion,
} from "../store/end-users/run-deletions.ts";
import type { EndUserDeletionRow } from "../store/entities/end-user-deletion.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { findOwnProject } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { quotaToLimits } from "./limits.ts";
import { readPageSize, readPlace, toPage } from "./page.ts";

type EndUserMethod = "listEndUsers" | "exportEndUser" | "deleteEndUser" | "listEndUserDeletions";

/** The operations on end users and their data. */
export const endUserHandlers: Handlers<EndUserMethod> = {
  async listEndUsers(work, { project, pageSize, pageToken }) {
    const size = readPageSize(pageSize);
    const { id: projectId } = await findOwnProject(work, project);
    const found = await listEndUsers(work.store, { projectId, after: pageToken, most: size + 1 });
    const { items, nextPageToken } = toPage(
      found.map((id) => ({ id })),
      size,
    );
    const names = items.map(({ id }) => id);
    const quotas = await readQuotas(work.store, { kinds: ["endUser"], projectId, names });
    const limits = new Map(quotas.map(({ owner, settings }) => [owner.name, settings]));
    const endUsers = names.map((id) => ({ id, limits: quotaToLimits(limits.get(id) ?? {}) }));
    return { endUsers, nextPageToken };
  },

  async exportEndUser(work, { pageToken, dryRun, ...request }) {
    const user = await readUser(work, request);
    const after = readPlace(pageToken);
    if (dryRun) return {};
    // A page begins after whichever id the caller names: each is noted, not the first one alone.
    await noteExport(work.store, user, after);
    const { items, next } = await work.endUsers.readPage(work.store, user, after);
    return { items: [...items], nextPageToken: next };
  },

  async deleteEndUser(work, { dryRun, deletionId, ...request }) {
    const user = await readUser(work, request);
    if (deletionId !== "") return { deletion: await goOn(work, { ...user, id: deletionId }, dryRun) };
    if (dryRun) return { deletion: deletionToMessage(newDeletion(work.store, user)) };
    const { deletion } = await beginDeletion(work.store, user, { onFailure: work.endUsers.onFailure });
    return { deletion: deletionToMessage(deletion) };
  },

  async listEndUserDeletions(work, { project, endUserId, pageSize, pageToken }) {
    const size = readPageSize(pageSize);
    const { id: projectId } = await findOwnProject(work, project);
    const before = readPlace(pageToken);
    const found = await listDeletions(work.store, {
      projectId,
      limit: size + 1,
      ...(endUserId !== "" && { endUserId }),
      ...(before !== "" && { before }),
    });
    const { items, nextPageToken } = toPage(found, size);
    return { deletions: items.map(deletionToMessage), nextPageToken };
  },
};

async function goOn(work: Work, deletion: EndUser & { readonly id: string }, isDryRun: boolean) {
  const { store, endUsers } = work;
  const found = isDryRun
    ? await findDeletion(store, deletion)
    : await continueDeletion(store, deletion, { onFailure: endUsers.onFailure });
  if (found === undefined) throw InferenceError.invalid("deletion_id", "is of no deletion of this end user");
  return deletionToMessage(found);
}

async function readUser(work: Work, request: { readonly project: string; readonly id: string }): Promise<EndUser> {
  const { id: projectId } = await findOwnProject(work, request.project);
  const problem = endUserProblem(request.id);
  if (problem !== undefined) throw InferenceError.invalid("id", problem);
  return { projectId, endUserId: request.id };
}

const STATES: Readonly<Record<string, DeletionState>> = {
  running: DeletionState.RUNNING,
  done: DeletionState.DONE,
  failed: DeletionState.FAILED,
};

function deletionToMessage(deletion: EndUserDeletionRow): MessageInitShape<typeof EndUserDeletionSchema> {
  const { id, endUserId, state, actorLabel, requestedAt, inferences, feedback, conversations } = deletion;
  return {
    id,
    endUserId,
    state: STATES[state] ?? DeletionState.UNSPECIFIED,
    requestedBy: actorLabel,
    requestedAt: timestampFromDate(requestedAt),
    inferences: BigInt(inferences),
    feedback: BigInt(feedback),
    conversations: BigInt(conversations),
  };
}
