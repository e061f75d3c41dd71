import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { DocumentKey } from "../../../gen/attune/admin/v1/document_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { newId } from "../../lib/ids.ts";
import { replaceQuota } from "../../quotas/quota-settings.ts";
import { listKeyPage } from "../../store/administration/list-pages.ts";
import { PLAYGROUND_PREFIX } from "../../store/keys/key-format.ts";
import { createKey, findKey, type HashedKey, hasKey, updateKey } from "../../store/keys/key-repository.ts";
import { writeQuota } from "../../store/quotas/write-quota.ts";
import { conflict, readName } from "../checks.ts";
import { getKeyState, hasEnded, type LimitedKey, sortedTags } from "../key-message.ts";
import { readPermissions, readTags, withLimit } from "../keys.ts";
import { type AppliedProject, type ApplyContext, checkUnique } from "./context.ts";
import type { ItemState } from "./ledger.ts";
import { limitsState, mergeLimits } from "./limits.ts";

/** Makes the keys of a project as a document has them. */
export async function applyKeys(
  context: ApplyContext,
  project: AppliedProject,
  keys: readonly DocumentKey[],
): Promise<void> {
  const places = keys.map((_, at) => `${project.place}.keys[${at}]`);
  checkUnique(
    keys,
    ({ id, name }) => (id === "" ? name.trim() : undefined),
    (at) => `${places[at]}.name`,
  );
  checkUnique(
    keys,
    ({ id }) => id || undefined,
    (at) => `${places[at]}.id`,
  );
  const ids = new Set(keys.map(({ id }) => id));
  for (const [at, key] of keys.entries()) await applyKey(context, project, { key, place: places[at] ?? "", ids });
}

interface PlacedKey {
  readonly key: DocumentKey;
  readonly place: string;
  /** The ids that entries of the project have. */
  readonly ids: ReadonlySet<string>;
}

/** The settings of a key. */
type Settings = Pick<LimitedKey, "name" | "permissions" | "tags" | "expiresAt" | "limits">;

async function applyKey(context: ApplyContext, project: AppliedProject, placed: PlacedKey): Promise<void> {
  const { ledger } = context;
  const { key, place } = placed;
  const existing = await findExisting(context, project, placed);
  const { wanted, kept } = readSettings(context, placed, existing);
  // A key whose time is over is as the document has it.
  const isOver = wanted.expiresAt !== null && wanted.expiresAt.getTime() <= Date.now();
  if (existing === undefined && isOver) return;
  if (isOver) throw InferenceError.invalid(`${place}.expires_at`, "is over: revoke the key, or give another time");
  const name = existing === undefined ? await create(context, project, { placed, wanted }) : existing.publicId;
  if (existing !== undefined) await update(context, existing, wanted);
  await ledger.note({
    item: { kind: "key", projectId: project.id, name },
    project: project.name,
    title: wanted.name,
    place,
    before: existing === undefined ? null : stateOfKey(existing),
    after: stateOfKey(wanted),
    kept,
    needsHash: existing === undefined && key.hash === "",
  });
}

/** Reads the settings of an entry; what it does not mention is as the key has it, and kept. */
function readSettings(context: ApplyContext, { key, place }: PlacedKey, existing: Settings = NEW_KEY) {
  const { cleared, permissions, tags, expiresAt, limits } = key;
  const setsPermissions = permissions.length > 0 || cleared.includes("permissions");
  const setsTags = Object.keys(tags).length > 0 || cleared.includes("tags");
  const setsEnd = expiresAt !== undefined || cleared.includes("expires_at");
  const merged = limits && mergeLimits(context, { limits, place: `${place}.limits` }, existing.limits);
  const wanted: Settings = {
    name: readName(key.name, `${place}.name`),
    permissions: setsPermissions ? readPermissions(permissions, `${place}.permissions`) : existing.permissions,
    tags: setsTags ? readTags(tags, `${place}.tags`) : existing.tags,
    expiresAt: setsEnd ? (expiresAt === undefined ? null : timestampDate(expiresAt)) : existing.expiresAt,
    limits: merged?.settings ?? existing.limits,
  };
  const { name: _, ...kept } = stateOfKey({
    name: "",
    permissions: setsPermissions ? [] : existing.permissions,
    tags: setsTags ? {} : existing.tags,
    expiresAt: setsEnd ? null : existing.expiresAt,
    limits: merged?.kept ?? existing.limits,
  });
  return { wanted, kept };
}

const NEW_KEY: Settings = { name: "", permissions: [], tags: {}, expiresAt: null, limits: {} };

/** Finds the key that an entry is of, active or paused. Throws CONFLICT where that is not clear. */
async function findExisting({ work }: ApplyContext, { id: projectId }: AppliedProject, { key, place, ids }: PlacedKey) {
  if (key.id !== "") {
    const found = await findKey(work.store, key.id);
    if (found === undefined) return await checkName(work, { projectId, key, place, ids });
    if (found.projectId !== projectId) throw conflict(`${place}.id`, "is of a key of another project");
    if (hasEnded(found)) throw conflict(`${place}.id`, `is of a key that is ${getKeyState(found)}`);
    return await withLimit(work, found);
  }
  const [found, ...others] = await findUnended(work, projectId, key.name);
  if (others.length > 0) throw conflict(`${place}.name`, "is the name of several keys: say by its id which it is");
  return found && (await withLimit(work, found));
}

/** A secret that is given for a key that has another one would not work. */
async function checkName(
  work: ApplyContext["work"],
  { projectId, key, place, ids }: PlacedKey & { readonly projectId: string },
): Promise<undefined> {
  const found = (await findUnended(work, projectId, key.name)).find(({ publicId }) => !ids.has(publicId));
  if (found === undefined) return undefined;
  throw conflict(
    `${place}.id`,
    `is not that of the key of this name, which is ${found.publicId}: revoke that one first`,
  );
}

async function findUnended({ store }: ApplyContext["work"], projectId: string, name: string) {
  const found = await listKeyPage(store, { after: "", most: 2, name: name.trim(), projectId, state: "unended" });
  return found.filter(({ publicId }) => !publicId.startsWith(PLAYGROUND_PREFIX));
}

async function create(
  { work, isDryRun }: ApplyContext,
  { id: projectId }: AppliedProject,
  { placed, wanted }: { readonly placed: PlacedKey; readonly wanted: Settings },
): Promise<string> {
  const hashed = readHashed(placed, isDryRun);
  if (hashed !== undefined && (await hasKey(work.store, hashed))) {
    throw conflict(`${placed.place}.id`, "is of another key, or the secret is: make another one");
  }
  const { limits, expiresAt, ...settings } = wanted;
  const { info } = await createKey(work.store, {
    projectId,
    quota: limits,
    ...settings,
    ...(hashed && { hashed }),
    ...(expiresAt !== null && { expiresAt }),
  });
  return info.publicId;
}

/** A dry run needs no secret: nobody will ever use it. */
function readHashed({ key, place }: PlacedKey, isDryRun: boolean): HashedKey | undefined {
  const { id, hash } = key;
  if (id.startsWith(PLAYGROUND_PREFIX)) throw InferenceError.invalid(`${place}.id`, "must not begin with play");
  if (hash !== "" && id !== "") return { publicId: id, hash };
  if (hash !== "") throw InferenceError.invalid(`${place}.id`, "is required with hash: it is a part of the key");
  if (isDryRun) return id === "" ? undefined : { publicId: id, hash: newId() };
  throw InferenceError.invalid(`${place}.hash`, "is required to create a key");
}

async function update({ work }: ApplyContext, existing: LimitedKey, wanted: Settings): Promise<void> {
  const [before, after] = [stateOfKey(existing), stateOfKey(wanted)];
  const isSame = (name: string) => JSON.stringify(before[name]) === JSON.stringify(after[name]);
  const { publicId, projectId } = existing;
  const { name, permissions, tags, expiresAt } = wanted;
  if (!(isSame("name") && isSame("permissions") && isSame("tags") && isSame("expiresAt"))) {
    await updateKey(work.store, publicId, { name, permissions, tags, expiresAt });
  }
  const owner = { kind: "key", projectId, name: publicId } as const;
  if (JSON.stringify(limitsState(existing.limits)) === JSON.stringify(limitsState(wanted.limits))) return;
  await writeQuota(work.store, { owner, change: replaceQuota(wanted.limits) });
}

/** Returns a key as a diff has it. */
export function stateOfKey({ name, permissions, tags, expiresAt, limits }: Settings): ItemState {
  const named = Object.entries(limitsState(limits)).map(([limit, value]) => [`limits.${limit}`, value]);
  return {
    name,
    ...(permissions.length > 0 && { permissions: [...permissions].sort() }),
    ...(Object.keys(tags).length > 0 && { tags: Object.fromEntries(sortedTags(tags)) }),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
    ...Object.fromEntries(named),
  };
}
