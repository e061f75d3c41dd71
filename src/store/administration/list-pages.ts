import { ApiKey } from "../entities/api-key.ts";
import { type KeyInfo, toKeyInfo } from "../keys/key-repository.ts";
import type { Store } from "../types/store.ts";
import type { ProjectInfo } from "./find-project.ts";

/** A page of a list. */
interface PageQuery {
  /** The id that the page before ended with; empty for the first one. */
  readonly after: string;
  /** Most rows. */
  readonly most: number;
  /** Only those of this name; empty for all. */
  readonly name: string;
  /** Only of this project; undefined for all. */
  readonly projectId: string | undefined;
}

/** Lists projects, the oldest first. */
export async function listProjectPage(
  store: Store,
  { after, most, name, projectId }: PageQuery,
): Promise<readonly ProjectInfo[]> {
  let rows = store.query().selectFrom("Project").select(["id", "name", "createdAt"]).where("deletedAt", "is", null);
  if (projectId !== undefined) rows = rows.where("id", "=", projectId);
  if (name !== "") rows = rows.where("name", "=", name);
  if (after !== "") rows = rows.where("id", ">", after);
  return await rows.orderBy("id").limit(most).execute();
}

/** The state of a key at a time. */
export type KeyStateName = "active" | "expired" | "revoked" | "paused";

/** Lists API keys, the latest first; "unended" ones are active or paused. */
export async function listKeyPage(
  store: Store,
  { after, most, name, projectId, state }: PageQuery & { readonly state: KeyStateName | "unended" | undefined },
): Promise<readonly KeyInfo[]> {
  const where = {
    ...(projectId !== undefined && { project: projectId }),
    ...(name !== "" && { name }),
    ...(after !== "" && { id: { $lt: after } }),
    ...(state !== undefined && IN_STATE[state](new Date())),
  };
  const keys = await store.fork().find(ApiKey, where, { orderBy: { id: "desc" }, limit: most });
  return keys.map(toKeyInfo);
}

const unended = (now: Date) => ({ revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] });

const IN_STATE = {
  unended,
  active: (now: Date) => ({ ...unended(now), pausedAt: null }),
  paused: (now: Date) => ({ ...unended(now), pausedAt: { $ne: null } }),
  expired: (now: Date) => ({ revokedAt: null, expiresAt: { $lte: now } }),
  revoked: () => ({ revokedAt: { $ne: null } }),
} as const;
