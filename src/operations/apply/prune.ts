import { ChangeAction } from "../../../gen/attune/admin/v1/document_pb.ts";
import { describeOwner } from "../../quotas/describe-quota.ts";
import { replaceQuota } from "../../quotas/quota-settings.ts";
import { findProject } from "../../store/administration/find-project.ts";
import { createInvitations } from "../../store/dashboard/invitations.ts";
import { createMemberships } from "../../store/dashboard/memberships.ts";
import { NO_SETTINGS } from "../../store/dashboard/project-settings.ts";
import { findKey, revokeKey } from "../../store/keys/key-repository.ts";
import { setControls } from "../../store/learning/control-store.ts";
import type { ManagedItem, ManagedKind } from "../../store/managed/managed-items.ts";
import { writeQuota } from "../../store/quotas/write-quota.ts";
import { NO_CONTROLS } from "../../vocabulary/control-fields.ts";
import { hasEnded } from "../key-message.ts";
import { withLimit } from "../keys.ts";
import { checkChange } from "../members.ts";
import { isSameSettings, readSettings, setSettings } from "../project-settings.ts";
import { type ApplyContext, atPlace } from "./context.ts";
import { stateOfKey } from "./keys.ts";
import { learningState, readOwnControls } from "./learning.ts";
import { ITEM_KINDS, type ItemState } from "./ledger.ts";
import { limitsState, ownerOfItem, readLimits } from "./limits.ts";
import { settingsState } from "./settings.ts";

/** A managed item that is still there. */
interface Found {
  readonly title: string;
  readonly state: ItemState;
  remove(): Promise<void>;
}

/** Finds a managed item; undefined where it is there no more. */
type Find = (context: ApplyContext, item: ManagedItem) => Promise<Found | undefined>;

/** Projects come last: what is of them goes before. */
const FINDERS: Record<Exclude<ManagedKind, "project">, Find> = {
  key: findManagedKey,
  member: findManagedMember,
  limits: findManagedLimits,
  learning: findManagedLearning,
  settings: findManagedSettings,
};

/**
 * Removes what is managed and not in the document, or with `isOn` false only tells of it. A project is not deleted: of
 * one that the document does not have the keys are revoked, and all else of it is released.
 */
export async function prune(context: ApplyContext, isOn: boolean): Promise<void> {
  const { ledger, work } = context;
  const absent = ledger.unseen;
  const released = new Set(absent.flatMap(({ kind, projectId }) => (kind === "project" ? [projectId] : [])));
  for (const item of absent) {
    if (item.kind === "project") continue;
    const found = await FINDERS[item.kind](context, item);
    const project = item.projectId === "" ? "" : ((await findProject(work.store, item.projectId))?.name ?? "");
    const isKept = released.has(item.projectId) && item.kind !== "key";
    if (found === undefined || (isOn && isKept)) await ledger.forget(item);
    else await pruneOne(context, { item, found, project, isOn });
  }
  for (const item of absent.filter(({ kind }) => kind === "project")) {
    const project = await findProject(work.store, item.projectId);
    if (project === undefined) await ledger.forget(item);
    else if (isOn) await ledger.forget(item, { project: project.name, title: project.name });
    else tellAbsent(context, item, { project: project.name, title: project.name, action: ChangeAction.RELEASE });
  }
}

interface Pruned {
  readonly item: ManagedItem;
  readonly found: Found;
  readonly project: string;
  readonly isOn: boolean;
}

async function pruneOne(context: ApplyContext, { item, found, project, isOn }: Pruned): Promise<void> {
  const { title, state: before } = found;
  if (!isOn) return tellAbsent(context, item, { project, title, action: ChangeAction.REMOVE });
  await atPlace(() => `prune: ${item.kind} ${title} of ${project}`, found.remove);
  await context.ledger.noteRemoved({ item, project, title, place: "", before });
}

function tellAbsent(
  { ledger }: ApplyContext,
  { kind }: ManagedItem,
  { title: name, ...facts }: { readonly project: string; readonly title: string; readonly action: ChangeAction },
): void {
  ledger.absent.push({ kind: ITEM_KINDS[kind], name, ...facts });
}

async function findManagedKey({ work }: ApplyContext, { name: publicId }: ManagedItem): Promise<Found | undefined> {
  const key = await findKey(work.store, publicId);
  if (key === undefined || hasEnded(key)) return undefined;
  const remove = async () => void (await revokeKey(work.store, publicId));
  return { title: key.name, state: stateOfKey(await withLimit(work, key)), remove };
}

async function findManagedMember({ work: { store } }: ApplyContext, item: ManagedItem): Promise<Found | undefined> {
  const { projectId, name: email } = item;
  const memberships = createMemberships(store);
  const member = (await memberships.listMembers(projectId)).find((each) => each.email === email);
  if (member !== undefined) {
    const remove = async () => checkChange(await memberships.remove({ projectId, userId: member.userId }));
    return { title: email, state: { role: member.role }, remove };
  }
  const invitations = createInvitations(store);
  const invited = (await invitations.list(projectId)).find((each) => each.email === email);
  const remove = async () => void (await invitations.revoke(projectId, invited?.id ?? ""));
  return invited && { title: email, state: { role: invited.role }, remove };
}

async function findManagedLimits({ work: { store } }: ApplyContext, item: ManagedItem): Promise<Found | undefined> {
  const owner = ownerOfItem(item);
  const limits = await readLimits(store, owner);
  const remove = async () => void (await writeQuota(store, { owner, change: replaceQuota({}) }));
  return limits && { title: describeOwner(owner), state: limitsState(limits), remove };
}

async function findManagedLearning({ work: { store } }: ApplyContext, item: ManagedItem): Promise<Found | undefined> {
  const key = { projectId: item.projectId, model: item.name };
  const state = learningState(await readOwnControls(store, key));
  const remove = () => setControls(store, key, NO_CONTROLS, store.origin.actor.label);
  return Object.keys(state).length === 0 ? undefined : { title: item.name, state, remove };
}

async function findManagedSettings({ work }: ApplyContext, { projectId }: ManagedItem): Promise<Found | undefined> {
  const settings = await readSettings(work, projectId);
  if (isSameSettings(settings, NO_SETTINGS)) return undefined;
  return { title: "", state: settingsState(settings), remove: () => setSettings(work, projectId, NO_SETTINGS) };
}
