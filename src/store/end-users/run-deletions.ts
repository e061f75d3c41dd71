import { LockMode } from "@mikro-orm/core";
import { isTransient } from "../../lib/database-state.ts";
import { newId } from "../../lib/ids.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { databaseTime, readClock } from "../database/clock.ts";
import { awaitRecords, type DeletedData, type DeletionOptions } from "../deletions/delete-inferences.ts";
import { toOrigin } from "../deletions/to-origin.ts";
import { EndUserDeletion, type EndUserDeletionRow } from "../entities/end-user-deletion.ts";
import { Project } from "../entities/project.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { deleteEndUser, type EndUser } from "./delete-end-user.ts";

/** A process that was not heard of for so long has died: another one goes on. */
const DEAD_MS = 60_000;

/** The time for which deletions are listed after they were asked for; the audit log has them longer. */
const LISTED_MS = 90 * 86_400_000;

/** The ports of deletions. */
interface DeletionPorts extends Pick<DeletionOptions, "awaitRecords" | "signal"> {
  /** Told of a deletion that failed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Goes on with a deletion whose process has died. Returns it as it is then; undefined where the end user has none of
 * this id.
 */
export async function continueDeletion(
  store: Store,
  { id, ...user }: EndUser & { readonly id: string },
  ports: DeletionPorts,
): Promise<EndUserDeletionRow | undefined> {
  const known = await findDeletion(store, { id, ...user });
  if (known?.state === "running" && (await takeOver(store, known))) {
    void run(store.as(toOrigin(known)), known, ports);
  }
  return known;
}

/** Finds a deletion of an end user by its id. */
export async function findDeletion(store: Store, { id, projectId, endUserId }: EndUser & { readonly id: string }) {
  return (await store.fork().findOne(EndUserDeletion, { id, projectId, endUserId })) ?? undefined;
}

/**
 * Begins a deletion in the background, by whom the store's origin names. Resolves once it is noted, with a promise of
 * its end; where one of the end user runs already, with that one, and a promise of nothing. One whose process has died
 * goes on here.
 */
export async function beginDeletion(
  store: Store,
  user: EndUser,
  ports: DeletionPorts,
): Promise<{ readonly deletion: EndUserDeletionRow; readonly ended: Promise<void> }> {
  const { projectId, endUserId } = user;
  const now = await readClock(store);
  const row = newDeletion(store, user, new Date(now));
  const found = await store.unitOfWork(async (em) => {
    // Of several who ask at once, the others see the first one's.
    await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const known = await em.findOne(EndUserDeletion, { projectId, endUserId, state: "running" });
    if (known !== null) return { known, isDead: await takeOver(store, known, em) };
    const old = { projectId, state: { $ne: "running" }, requestedAt: { $lt: new Date(now - LISTED_MS) } };
    await em.nativeDelete(EndUserDeletion, old);
    em.create(EndUserDeletion, row);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "endUsers.requestDeletion",
      before: null,
      after: {},
      target: { kind: "end-user", id: endUserId, name: endUserId },
    });
    return undefined;
  });
  if (found === undefined) return { deletion: row, ended: run(store, row, ports) };
  const { known, isDead } = found;
  return { deletion: known, ended: isDead ? run(store.as(toOrigin(known)), known, ports) : Promise.resolve() };
}

/** Takes a deletion over whose process has died; of several who see that, one does. Resolves to true in that one. */
async function takeOver(store: Store, { id, beatAt }: EndUserDeletionRow, em = store.fork()): Promise<boolean> {
  const now = databaseTime(store);
  const known = query(em).updateTable("EndUserDeletion").set({ beatAt: now }).where("id", "=", id);
  const dead = known.where("beatAt", "=", beatAt).where("beatAt", "<", databaseTime(store, -DEAD_MS));
  return (await dead.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** Returns a deletion as it begins, by whom the store's origin names. */
export function newDeletion(
  { origin: { actor, via } }: Store,
  { projectId, endUserId }: EndUser,
  now = new Date(),
): EndUserDeletionRow {
  return {
    id: newId(),
    projectId,
    endUserId,
    requestedAt: now,
    beatAt: now,
    state: "running",
    actorKind: actor.kind,
    actorId: actor.id,
    actorLabel: actor.label,
    via,
    inferences: 0,
    feedback: 0,
    conversations: 0,
  };
}

/** Goes on with deletions whose process has died; resolves once they are taken over. */
export async function resumeDeletions(store: Store, ports: DeletionPorts): Promise<void> {
  const dead = { state: "running", beatAt: { $lt: new Date((await readClock(store)) - DEAD_MS) } };
  for (const row of await store.fork().find(EndUserDeletion, dead)) {
    if (await takeOver(store, row)) void run(store.as(toOrigin(row)), row, ports);
  }
}

/** A part of a list of deletions. */
interface DeletionQuery {
  readonly projectId: string;
  /** Only those of this end user; of all if absent. */
  readonly endUserId?: string;
  /** Only those before this one; the latest if absent. */
  readonly before?: string;
  readonly limit: number;
}

/** Lists the deletions of a project, the latest first. */
export async function listDeletions(store: Store, query: DeletionQuery): Promise<EndUserDeletionRow[]> {
  const { projectId, endUserId, before, limit } = query;
  const where = {
    projectId,
    ...(endUserId !== undefined && { endUserId }),
    ...(before !== undefined && { id: { $lt: before } }),
  };
  return await store.fork().find(EndUserDeletion, where, { orderBy: { id: "desc" }, limit });
}

async function run(store: Store, row: EndUserDeletionRow, ports: DeletionPorts): Promise<void> {
  const { id, projectId, endUserId } = row;
  const note = async (deleted: DeletedData, state: EndUserDeletionRow["state"]) => {
    const counts = {
      inferences: row.inferences + deleted.inferences,
      feedback: row.feedback + deleted.feedback,
      conversations: row.conversations + deleted.conversations,
    };
    const noted = { ...counts, state, beatAt: databaseTime(store) };
    await store.query().updateTable("EndUserDeletion").set(noted).where("id", "=", id).execute();
  };
  try {
    const onProgress = (deleted: DeletedData) => note(deleted, "running");
    await note(await deleteEndUser(store, { projectId, endUserId }, { onProgress, awaitRecords, ...ports }), "done");
  } catch (error) {
    // A process that ends leaves it to another one.
    if (ports.signal?.aborted) return;
    ports.onFailure(error);
    // It still counts as running, and whoever looks for those of dead processes goes on with it.
    if (isTransient(error)) return;
    await store
      .fork()
      .nativeUpdate(EndUserDeletion, { id }, { state: "failed" })
      .catch(() => {});
  }
}
