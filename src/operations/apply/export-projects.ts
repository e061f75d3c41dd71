import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ExportProjectsRequest } from "../../../gen/attune/admin/v1/admin_pb.ts";
import type {
  DocumentKeySchema,
  DocumentProjectSchema,
  DocumentQuotasSchema,
  DocumentSchema,
} from "../../../gen/attune/admin/v1/document_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { settingsToMessage } from "../../learning/control-message.ts";
import type { QuotaKind, QuotaSettings } from "../../quotas/quota.ts";
import type { OwnedQuota } from "../../quotas/quota-index.ts";
import type { ProjectInfo } from "../../store/administration/find-project.ts";
import { listProjectPage } from "../../store/administration/list-pages.ts";
import { NO_SETTINGS } from "../../store/dashboard/project-settings.ts";
import { PLAYGROUND_PREFIX } from "../../store/keys/key-format.ts";
import { type KeyInfo, listProjectKeys, readKeyHashes } from "../../store/keys/key-repository.ts";
import { readControls } from "../../store/learning/control-store.ts";
import { readQuotas } from "../../store/quotas/read-quotas.ts";
import type { Role } from "../../vocabulary/roles.ts";
import { checkScope } from "../actor.ts";
import { projectOfList } from "../find-own.ts";
import type { Work } from "../handlers.ts";
import { hasEnded } from "../key-message.ts";
import { quotaToLimits } from "../limits.ts";
import { MEMBER_ROLES } from "../members.ts";
import { isSameSettings, settingsToMessage as projectSettingsToMessage, readSettings } from "../project-settings.ts";
import { learningState } from "./learning.ts";
import { readPeople } from "./members.ts";

/** Most projects of a document. */
const MOST_PROJECTS = 1000;

/** Returns projects as a document, without secrets: projects by name, and keys in the order of their creation. */
export async function exportProjects(
  work: Work,
  { project, hashes }: Pick<ExportProjectsRequest, "project" | "hashes">,
): Promise<MessageInitShape<typeof DocumentSchema>> {
  const { store, actor } = work;
  if (hashes) checkScope(actor, "keys:write", "hashes");
  const projectId = await projectOfList(work, project);
  const found = await listProjectPage(store, { after: "", most: MOST_PROJECTS + 1, name: "", projectId });
  if (found.length > MOST_PROJECTS) {
    throw InferenceError.invalid("project", `must name one: there are more than ${MOST_PROJECTS}`);
  }
  const projects = [];
  for (const each of found.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    projects.push(await exportProject(work, each, hashes));
  }
  return { projects, ...(projectId === undefined && (await exportQuotas(work))) };
}

async function exportProject(
  work: Work,
  { id: projectId, name }: ProjectInfo,
  hashes: boolean,
): Promise<MessageInitShape<typeof DocumentProjectSchema>> {
  const quotas = await readQuotas(work.store, { projectId });
  const find = (kind: QuotaKind) => toLimits(getSettings(quotas, kind, ""));
  const byName = (kind: QuotaKind) => quotas.filter(({ owner }) => owner.kind === kind && owner.name !== "");
  return {
    name,
    limits: find("project"),
    eachKey: find("key"),
    eachEndUser: find("endUser"),
    keys: await exportKeys(work, { projectId, quotas, hashes }),
    members: await exportMembers(work, projectId),
    endUsers: byName("endUser").map(({ owner, settings }) => ({ id: owner.name, limits: quotaToLimits(settings) })),
    tags: byName("tag").map(({ owner, settings }) => ({ tag: owner.name, limits: quotaToLimits(settings) })),
    ...(await exportLearning(work, projectId)),
    ...(await exportSettings(work, projectId)),
  };
}

async function exportSettings(work: Work, projectId: string) {
  const settings = await readSettings(work, projectId);
  return isSameSettings(settings, NO_SETTINGS) ? {} : { settings: projectSettingsToMessage(settings) };
}

interface ExportedKeys {
  readonly projectId: string;
  readonly quotas: readonly OwnedQuota[];
  readonly hashes: boolean;
}

async function exportKeys(
  { store }: Work,
  { projectId, quotas, hashes }: ExportedKeys,
): Promise<MessageInitShape<typeof DocumentKeySchema>[]> {
  const all = await listProjectKeys(store, projectId);
  const keys = all.filter((key) => !hasEnded(key) && !key.publicId.startsWith(PLAYGROUND_PREFIX)).reverse();
  const known = hashes ? await readKeyHashes(store, projectId) : new Map<string, string>();
  const isAmbiguous = ({ name }: KeyInfo) => keys.filter((key) => key.name === name).length > 1;
  return keys.map((key) => {
    const { publicId, name, permissions, tags, expiresAt } = key;
    return {
      name,
      permissions: [...permissions],
      tags: { ...tags },
      limits: toLimits(getSettings(quotas, "key", publicId)),
      ...(expiresAt !== null && { expiresAt: timestampFromDate(expiresAt) }),
      ...((hashes || isAmbiguous(key)) && { id: publicId, hash: known.get(publicId) ?? "" }),
    };
  });
}

async function exportMembers(work: Work, projectId: string) {
  const { members, invited } = await readPeople({ work }, projectId);
  const all = new Map<string, { readonly role: Role }>([...invited, ...members]);
  return [...all]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([email, { role }]) => ({ email, role: MEMBER_ROLES[role] }));
}

async function exportLearning({ store, prefix }: Work, projectId: string) {
  const rows = await readControls(store, projectId);
  const withSettings = rows.filter(({ key: _, ...settings }) => Object.keys(learningState(settings)).length > 0);
  const toMessage = (row: (typeof rows)[number]) => settingsToMessage(row, (model) => `${prefix}/${model}`);
  const ofProject = withSettings.find(({ key }) => key.model === "");
  const workloads = withSettings
    .filter(({ key }) => key.model !== "")
    .sort((one, other) => (one.key.model < other.key.model ? -1 : 1));
  return {
    ...(ofProject && { learning: toMessage(ofProject) }),
    workloads: workloads.map((row) => ({ model: row.key.model, learning: toMessage(row) })),
  };
}

async function exportQuotas({ store }: Work): Promise<{ quotas?: MessageInitShape<typeof DocumentQuotasSchema> }> {
  const quotas = await readQuotas(store, { projectId: "" });
  if (quotas.length === 0) return {};
  const find = (kind: QuotaKind) => toLimits(getSettings(quotas, kind, ""));
  return {
    quotas: {
      installation: find("installation"),
      eachProject: find("project"),
      eachKey: find("key"),
      eachEndUser: find("endUser"),
    },
  };
}

function getSettings(quotas: readonly OwnedQuota[], kind: QuotaKind, name: string): QuotaSettings | undefined {
  return quotas.find(({ owner }) => owner.kind === kind && owner.name === name)?.settings;
}

function toLimits(settings: QuotaSettings | undefined) {
  return settings && quotaToLimits(settings);
}
