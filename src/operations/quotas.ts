import type { MessageInitShape } from "@bufbuild/protobuf";
import type { QuotaSchema } from "../../gen/attune/admin/v1/quota_pb.ts";
import { QuotaKind as KindMessage } from "../../gen/attune/quota/v1/quota_pb.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { endUserProblem, writtenTagProblem } from "../quotas/owner-name.ts";
import type { QuotaKind, QuotaOwner, QuotaSettings } from "../quotas/quota.ts";
import type { OwnedQuota } from "../quotas/quota-index.ts";
import { replaceQuota } from "../quotas/quota-settings.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { writeQuota } from "../store/quotas/write-quota.ts";
import { isPerson } from "./actor.ts";
import { notFound } from "./checks.ts";
import { findOwnKey, findOwnProject, projectOfList } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { isLimitSet, LIMIT_PATHS, limitsChange, limitsToQuota, quotaToLimits } from "./limits.ts";
import { readPageSize, readToken, toPage, writeToken } from "./page.ts";
import { readMask } from "./update-mask.ts";

/** The messages of kinds. */
export const QUOTA_KINDS: Record<QuotaKind, KindMessage> = {
  installation: KindMessage.INSTALLATION,
  project: KindMessage.PROJECT,
  key: KindMessage.KEY,
  endUser: KindMessage.END_USER,
  tag: KindMessage.TAG,
};

/** The operations on limits. */
export const quotaHandlers: Handlers<"listQuotas" | "getQuota" | "setQuota" | "removeQuota"> = {
  async listQuotas(work, { project, kind, pageSize, pageToken }) {
    const size = readPageSize(pageSize);
    const projectId = await projectOfList(work, project);
    const found = await readQuotas(work.store, {
      ...(projectId !== undefined && { projectId }),
      ...(kind !== KindMessage.UNSPECIFIED && { kinds: [readQuotaKind(kind)] }),
      ...(pageToken !== "" && { after: ownerOfToken(pageToken) }),
      limit: size + 1,
    });
    const { items, nextPageToken } = toPage(
      found.map((quota) => ({ ...quota, id: tokenOf(quota.owner) })),
      size,
    );
    return { quotas: items.map(quotaToMessage), nextPageToken };
  },

  async getQuota(work, request) {
    return { quota: await readQuota(work, await readOwner(work, request)) };
  },

  async setQuota(work, request) {
    const owner = await readOwner(work, request);
    const { limits } = request;
    const isSet = (path: string) => isLimitSet(limits, path);
    const paths = request.updateMask === undefined ? ["limits"] : readMask(request.updateMask, LIMIT_PATHS, isSet);
    const change = limitsChange(limitsToQuota(work, limits, "limits"), paths);
    if (change !== undefined) await writeQuota(work.store, { owner, change });
    return { quota: await readQuota(work, owner) };
  },

  async removeQuota(work, request) {
    await writeQuota(work.store, { owner: await readOwner(work, request), change: replaceQuota({}) });
    return {};
  },
};

/** The owner as requests name it. */
interface WrittenOwner {
  readonly kind: KindMessage;
  readonly project: string;
  readonly name: string;
}

/**
 * Finds whom limits are of. Throws INVALID_REQUEST, NOT_FOUND, and PERMISSION_DENIED for what goes for every project.
 */
async function readOwner(work: Work, { kind, project, name }: WrittenOwner): Promise<QuotaOwner> {
  const owner = { kind: readQuotaKind(kind), name };
  checkName(owner);
  if (isPerson(work.actor) && (owner.kind === "project" || owner.kind === "installation")) {
    throw InferenceError.invalid("kind", "must be key, endUser, tag: who runs the service sets the others");
  }
  if (owner.kind === "installation" && project !== "")
    throw InferenceError.invalid("project", "goes with no limits of the installation");
  if (owner.kind === "key" && name !== "") {
    const { projectId } = await findOwnKey(work, name);
    const isOther = project !== "" && (await findOwnProject(work, project)).id !== projectId;
    if (isOther) throw notFound("name", "key in this project");
    return { ...owner, projectId };
  }
  if (project !== "") return { ...owner, projectId: (await findOwnProject(work, project)).id };
  if (owner.kind === "tag" || name !== "") throw InferenceError.invalid("project", "must name the project");
  if (work.actor.projectId === undefined) return { ...owner, projectId: "" };
  const message = `project: the admin key '${work.actor.label}' is bound to one project: name it`;
  throw new InferenceError(ErrorReason.PERMISSION_DENIED, message, { param: "project" });
}

function checkName({ kind, name }: Pick<QuotaOwner, "kind" | "name">): void {
  const isWithout = kind === "installation" || kind === "project";
  if (isWithout && name !== "") throw InferenceError.invalid("name", `must be empty for ${kind}`);
  const problem =
    kind === "tag" ? writtenTagProblem(name) : kind === "endUser" && name !== "" ? endUserProblem(name) : undefined;
  if (problem !== undefined) throw InferenceError.invalid("name", problem);
}

async function readQuota({ store }: Work, owner: QuotaOwner) {
  const { kind, projectId, name } = owner;
  const [found] = await readQuotas(store, { kinds: [kind], projectId, name });
  return quotaToMessage(found ?? { owner, settings: {} as QuotaSettings });
}

function quotaToMessage({ owner, settings }: OwnedQuota): MessageInitShape<typeof QuotaSchema> {
  const { kind, projectId, name } = owner;
  return { kind: QUOTA_KINDS[kind], projectId, name, limits: quotaToLimits(settings) };
}

/** Returns the kind of a message. Throws INVALID_REQUEST. */
export function readQuotaKind(message: KindMessage): QuotaKind {
  const kind = (Object.keys(QUOTA_KINDS) as QuotaKind[]).find((each) => QUOTA_KINDS[each] === message);
  if (kind === undefined) throw InferenceError.invalid("kind", "must be known");
  return kind;
}

function tokenOf({ kind, projectId, name }: QuotaOwner): string {
  return writeToken([kind, projectId, name]);
}

function ownerOfToken(token: string): QuotaOwner {
  const [kind = "", projectId = "", name = ""] = readToken(token, 3);
  if (kind in QUOTA_KINDS) return { kind: kind as QuotaKind, projectId, name };
  throw InferenceError.invalid("page_token", "is not a page token of this service: start again without it");
}
