import type { CallOwners, QuotaBook, QuotaKind, QuotaOwner, QuotaSettings, SubjectQuota } from "./quota.ts";
import { isUnlimited, type QuotaDefaults } from "./quota-settings.ts";

/** A quota with its owner. */
export interface OwnedQuota {
  readonly owner: QuotaOwner;
  readonly settings: QuotaSettings;
}

/** The defaults of one project. */
type ProjectDefaults = Omit<QuotaDefaults, "installation">;

const NONE: readonly SubjectQuota[] = Object.freeze([]);

/** Most projects without quotas of their own, and keys of a project, whose subjects are kept at hand. */
const MAX_MEMOISED = 10_000;

/** Finds the quotas of a call among those that are set. A limit by name goes before a default, rule by rule. */
export class QuotaIndex implements QuotaBook {
  readonly #installation: SubjectQuota | undefined;
  readonly #defaults: ProjectDefaults;
  /** Projects that have quotas of their own. */
  readonly #projects = new Map<string, ProjectQuotas>();
  readonly #others = new Map<string, ProjectQuotas>();
  readonly #isEmpty: boolean;

  constructor(quotas: Iterable<OwnedQuota>, defaults: QuotaDefaults) {
    const byProject = new Map<string, OwnedQuota[]>();
    for (const quota of quotas) {
      const known = byProject.get(quota.owner.projectId);
      if (known === undefined) byProject.set(quota.owner.projectId, [quota]);
      else known.push(quota);
    }
    const general = byProject.get("") ?? [];
    byProject.delete("");
    this.#installation = subjectQuota("installation", "", {
      ...defaults.installation,
      ...settingsOf(general, "installation"),
    });
    this.#defaults = mergeDefaults(general, defaults);
    for (const [id, own] of byProject) this.#projects.set(id, new ProjectQuotas(id, own, this.#defaults));
    const { eachProject, eachKey, eachEndUser } = this.#defaults;
    this.#isEmpty =
      this.#installation === undefined &&
      this.#projects.size === 0 &&
      [eachProject, eachKey, eachEndUser].every(isUnlimited);
  }

  find(owners: CallOwners): readonly SubjectQuota[] {
    if (this.#isEmpty) return NONE;
    const found = this.#installation === undefined ? [] : [this.#installation];
    this.#project(owners.projectId).find(owners, found);
    return found;
  }

  #project(id: string): ProjectQuotas {
    const known = this.#projects.get(id) ?? this.#others.get(id);
    if (known !== undefined) return known;
    const made = new ProjectQuotas(id, [], this.#defaults);
    if (this.#others.size < MAX_MEMOISED) this.#others.set(id, made);
    return made;
  }
}

/** The quotas of a project and of all that is in it. */
class ProjectQuotas {
  readonly #id: string;
  readonly #project: SubjectQuota | undefined;
  readonly #eachKey: QuotaSettings;
  readonly #keys = new Map<string, SubjectQuota>();
  readonly #eachEndUser: QuotaSettings | undefined;
  readonly #endUsers = new Map<string, SubjectQuota>();
  /** By name and value. */
  readonly #tags = new Map<string, Map<string, SubjectQuota>>();

  constructor(id: string, quotas: readonly OwnedQuota[], general: ProjectDefaults) {
    const defaults = mergeDefaults(quotas, general);
    this.#id = id;
    this.#project = subjectQuota("project", id, defaults.eachProject);
    this.#eachKey = defaults.eachKey;
    this.#eachEndUser = isUnlimited(defaults.eachEndUser) ? undefined : defaults.eachEndUser;
    for (const { owner, settings } of quotas) if (owner.name !== "") this.#add(owner, settings);
  }

  /** Adds what applies to a call. */
  find({ keyId, endUserId, tags }: CallOwners, found: SubjectQuota[]): void {
    if (this.#project !== undefined) found.push(this.#project);
    const key = this.#keys.get(keyId) ?? this.#addKey(keyId);
    if (key !== undefined) found.push(key);
    if (endUserId !== undefined) {
      const endUser = this.#endUsers.get(endUserId) ?? this.#anyEndUser(endUserId);
      if (endUser !== undefined) found.push(endUser);
    }
    if (this.#tags.size === 0) return;
    for (const [name, value] of Object.entries(tags)) {
      const tag = this.#tags.get(name)?.get(value);
      if (tag !== undefined) found.push(tag);
    }
  }

  #add({ kind, name }: QuotaOwner, settings: QuotaSettings): void {
    if (kind === "key") this.#addKey(name, settings);
    if (kind === "endUser") this.#endUsers.set(name, this.#endUser(name, { ...this.#eachEndUser, ...settings }));
    if (kind !== "tag") return;
    const at = name.indexOf("=");
    const [tag, value] = [name.slice(0, at), name.slice(at + 1)];
    const values = this.#tags.get(tag) ?? new Map<string, SubjectQuota>();
    this.#tags.set(tag, values.set(value, { kind: "tag", subject: `tag:${this.#id}/${name}`, quota: settings }));
  }

  #addKey(id: string, settings?: QuotaSettings): SubjectQuota | undefined {
    // One object for all keys without a quota of their own: what is derived of it is derived once.
    const quota = subjectQuota("key", id, settings === undefined ? this.#eachKey : { ...this.#eachKey, ...settings });
    // Keys that are named are always kept.
    const isKept = settings !== undefined || this.#keys.size < MAX_MEMOISED;
    if (quota !== undefined && isKept) this.#keys.set(id, quota);
    return quota;
  }

  /** End users may be any number: nothing is kept of those without a quota by name. */
  #anyEndUser(id: string): SubjectQuota | undefined {
    return this.#eachEndUser === undefined ? undefined : this.#endUser(id, this.#eachEndUser);
  }

  #endUser(id: string, quota: QuotaSettings): SubjectQuota {
    // Joined, the text is one piece; a template's keeps its pieces too, for each of many counters.
    return { kind: "endUser", subject: ["end-user:", this.#id, "/", id].join(""), quota };
  }
}

/** Returns what goes for all of a kind: what is set without a name, then the defaults above. */
export function mergeDefaults(quotas: readonly OwnedQuota[], above: ProjectDefaults): ProjectDefaults {
  return {
    eachProject: { ...above.eachProject, ...settingsOf(quotas, "project") },
    eachKey: { ...above.eachKey, ...settingsOf(quotas, "key") },
    eachEndUser: { ...above.eachEndUser, ...settingsOf(quotas, "endUser") },
  };
}

function settingsOf(quotas: readonly OwnedQuota[], kind: QuotaKind): QuotaSettings | undefined {
  return quotas.find(({ owner }) => owner.kind === kind && owner.name === "")?.settings;
}

function subjectQuota(
  kind: "installation" | "project" | "key",
  id: string,
  quota: QuotaSettings,
): SubjectQuota | undefined {
  if (isUnlimited(quota)) return undefined;
  return { kind, subject: kind === "installation" ? kind : `${kind}:${id}`, quota };
}
