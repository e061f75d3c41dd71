import type { Limits } from "../../../gen/attune/admin/v1/limits_pb.ts";
import { describeOwner, toWrittenQuota } from "../../quotas/describe-quota.ts";
import type { QuotaOwner, QuotaSettings } from "../../quotas/quota.ts";
import { changeQuota, isUnlimited, replaceQuota } from "../../quotas/quota-settings.ts";
import type { ManagedItem } from "../../store/managed/managed-items.ts";
import { readQuotas } from "../../store/quotas/read-quotas.ts";
import { writeQuota } from "../../store/quotas/write-quota.ts";
import { isLimitSet, isSameQuota, LIMIT_PATHS, limitsChange, limitsToQuota } from "../limits.ts";
import { mentionedPaths } from "./cleared.ts";
import type { ApplyContext } from "./context.ts";
import type { ItemState } from "./ledger.ts";

/** The limits of an owner, as a document has them; undefined where it does not mention them. */
interface WantedLimits {
  readonly owner: QuotaOwner;
  readonly limits: Limits | undefined;
  /** Name of the project; empty where they are of none. */
  readonly project: string;
  readonly place: string;
}

const LIMIT_NAMES = LIMIT_PATHS.filter((path) => path !== "limits").map((path) => path.slice("limits.".length));

/** Sets the limits of an owner as a document has them; those that it does not mention stay. */
export async function applyLimits(context: ApplyContext, wanted: WantedLimits): Promise<void> {
  const { work, ledger } = context;
  const { owner, limits, project, place } = wanted;
  if (limits === undefined) return;
  const known = await readLimits(work.store, owner);
  const { settings, kept } = mergeLimits(context, { limits, place }, known ?? {});
  if (known === undefined && isUnlimited(settings)) return;
  if (!isSameQuota(known ?? {}, settings)) {
    await writeQuota(work.store, { owner, change: replaceQuota(settings) });
  }
  const item = limitsItem(owner);
  const noted = { item, project, title: describeOwner(owner), place };
  const before = known === undefined ? null : limitsState(known);
  if (before !== null && isUnlimited(settings)) await ledger.noteRemoved({ ...noted, before });
  else await ledger.note({ ...noted, before, after: limitsState(settings), kept: limitsState(kept) });
}

/** Returns limits after a document, and those of them that it does not mention. Throws INVALID_REQUEST. */
export function mergeLimits(
  { work, cleared }: ApplyContext,
  { limits, place }: { readonly limits: Limits; readonly place: string },
  known: QuotaSettings,
): { readonly settings: QuotaSettings; readonly kept: QuotaSettings } {
  const sentLimits = limitsToQuota(work, limits, place);
  const names = cleared.membersOf(place);
  if (isUnlimited(sentLimits) && names.length === 0) return { settings: {}, kept: {} };
  const paths = mentionedPaths(LIMIT_NAMES, (name) => isLimitSet(limits, `limits.${name}`), { names, place });
  const change = limitsChange(
    sentLimits,
    paths.map((name) => `limits.${name}`),
  );
  const without = Object.fromEntries(Object.keys(change ?? {}).map((rule) => [rule, null]));
  return { settings: changeQuota(known, change ?? {}), kept: changeQuota(known, without) };
}

/** Reads the limits of an owner; undefined where there are none. */
export async function readLimits(
  store: ApplyContext["work"]["store"],
  { kind, projectId, name }: QuotaOwner,
): Promise<QuotaSettings | undefined> {
  const [found] = await readQuotas(store, { kinds: [kind], projectId, name });
  return found?.settings;
}

/** Returns limits as a diff has them. */
export function limitsState(settings: QuotaSettings): ItemState {
  const { models, ...limits } = toWrittenQuota(settings);
  return { ...limits, ...(models && { models: [...models].sort() }) };
}

/** Returns the managed item of the limits of an owner. */
function limitsItem({ kind, projectId, name }: QuotaOwner): ManagedItem {
  return { kind: "limits", projectId, name: `${kind}:${name}` };
}

/** Returns the owner of the limits of a managed item. */
export function ownerOfItem({ projectId, name }: ManagedItem): QuotaOwner {
  const at = name.indexOf(":");
  return { kind: name.slice(0, at) as QuotaOwner["kind"], projectId, name: name.slice(at + 1) };
}
