import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationMs, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AdminKeySchema } from "../../gen/attune/admin/v1/admin_key_pb.ts";
import type { CreateAdminKeyRequest } from "../../gen/attune/admin/v1/admin_pb.ts";
import { InferenceError } from "../hub/error.ts";
import {
  type AdminKeyInfo,
  createAdminKey,
  findAdminKey,
  listAdminKeys,
  revokeAdminKey,
} from "../store/admin-keys/admin-key-repository.ts";
import { ADMIN_SCOPES, type AdminScope } from "../vocabulary/administrator.ts";
import { checkScope } from "./actor.ts";
import { notFound, readName } from "./checks.ts";
import { projectOfList } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { pageWithin } from "./page.ts";

type AdminKeyMethod = "listAdminKeys" | "createAdminKey" | "revokeAdminKey";

/** The operations on admin keys. */
export const adminKeyHandlers: Handlers<AdminKeyMethod> = {
  async listAdminKeys({ store, actor }, request) {
    const own = (await listAdminKeys(store)).filter((key) => isOwn(actor, key));
    const { items, nextPageToken } = pageWithin(
      own.map((key) => ({ ...key, id: key.publicId })),
      request,
    );
    return { adminKeys: items.map(toMessage), nextPageToken };
  },

  async createAdminKey(work, request) {
    const { adminKey, project } = request;
    const named = project || (adminKey?.projectId ?? "");
    const { key, info } = await createAdminKey(work.store, {
      name: readName(adminKey?.name ?? "", "admin_key.name"),
      scopes: readScopes(work, adminKey?.scopes ?? []),
      // A key that is bound to a project makes keys of that project alone.
      projectId: await projectOfList(work, named),
      expiresAt: readEnd(request),
    });
    return { adminKey: toMessage(info), secret: request.dryRun ? "" : key };
  },

  async revokeAdminKey({ store, actor }, { id }) {
    const found = await findAdminKey(store, id);
    const revoked = found !== undefined && isOwn(actor, found) ? await revokeAdminKey(store, id) : undefined;
    if (revoked === undefined) throw notFound("id", "admin key");
    return { adminKey: toMessage(revoked) };
  },
};

function isOwn({ projectId }: Work["actor"], key: AdminKeyInfo): boolean {
  return projectId === undefined || key.projectId === projectId;
}

/** Reads the scopes of a new key. Throws INVALID_REQUEST, and PERMISSION_DENIED for one that the caller lacks. */
function readScopes({ actor }: Work, texts: readonly string[]): readonly AdminScope[] {
  if (texts.length === 0) throw InferenceError.invalid("admin_key.scopes", "must have one scope at least");
  return texts.map((text, at) => {
    const scope = ADMIN_SCOPES.find((known) => known === text);
    const place = `admin_key.scopes[${at}]`;
    if (scope === undefined || texts.indexOf(text) !== at) {
      throw InferenceError.invalid(place, `must be one of ${ADMIN_SCOPES.join(", ")}, each once`);
    }
    checkScope(actor, scope, place);
    return scope;
  });
}

function readEnd({ adminKey, lifetime }: CreateAdminKeyRequest): Date | null {
  const end = adminKey?.expiresAt;
  if (lifetime !== undefined && end !== undefined) {
    throw InferenceError.invalid("lifetime", "says when the key ends, as admin_key.expires_at does: send one of them");
  }
  if (lifetime !== undefined) return new Date(Date.now() + durationMs(lifetime));
  if (end === undefined) return null;
  if (timestampDate(end).getTime() > Date.now()) return timestampDate(end);
  throw InferenceError.invalid("admin_key.expires_at", "must be in the future");
}

function toMessage(key: AdminKeyInfo): MessageInitShape<typeof AdminKeySchema> {
  const toTime = (time: Date | null) => (time === null ? undefined : timestampFromDate(time));
  return {
    id: key.publicId,
    name: key.name,
    scopes: [...key.scopes],
    projectId: key.projectId ?? "",
    expiresAt: toTime(key.expiresAt),
    createdAt: toTime(key.createdAt),
    revokedAt: toTime(key.revokedAt),
    lastUsedAt: toTime(key.lastUsedAt),
  };
}
