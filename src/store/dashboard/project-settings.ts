import { isDeepStrictEqual } from "node:util";
import { lockProject } from "../administration/find-project.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "../bodies/body-policy.ts";
import { ProjectSettings as SettingsEntity } from "../entities/project-settings.ts";
import type { KnownSettings } from "../settings/known-settings.ts";
import { type SettingsChange, writeSettings } from "../settings/write-settings.ts";
import type { Store } from "../types/store.ts";
import { withinTransaction } from "../types/within-transaction.ts";

export { BODY_POLICIES, type BodyPolicy } from "../bodies/body-policy.ts";

/** The settings of a project. */
export interface SetSettings {
  /** The parts of requests and answers that are kept. */
  readonly bodies: BodyPolicy;
  /** Names of the optimisations that are switched off. */
  readonly optimizationsOff: readonly string[];
  readonly aliases: Aliases;
}

/** Names of a project's own for models, each with the name of a model. */
type Aliases = Readonly<Record<string, string>>;

/** The settings of a project. */
interface ProjectSettings extends SetSettings {
  /** When anything was set; null where all is the default. */
  readonly updatedAt: Date | null;
}

/** The settings of a project of which nothing is set. */
export const NO_SETTINGS: SetSettings = { bodies: DEFAULT_BODY_POLICY, optimizationsOff: [], aliases: {} };

/** Settings of projects. */
export interface ProjectSettingsStore {
  read(projectId: string): Promise<ProjectSettings>;
  /** Sets what holds from now on; what is already kept stays. */
  set(projectId: string, change: SettingsChange): Promise<void>;
  /** Changes the names for models; of several who do so at once, each one's change is made to what the others left. */
  changeAliases(projectId: string, change: (aliases: Aliases) => Aliases): Promise<void>;
}

/** Creates the settings of a database. `known` is told of changes, so that they take effect here at once. */
export function createProjectSettings(store: Store, known?: Pick<KnownSettings, "note">): ProjectSettingsStore {
  return {
    async read(projectId) {
      return (await readProjectSettings(store, [projectId])).get(projectId) ?? { ...NO_SETTINGS, updatedAt: null };
    },
    async set(projectId, change) {
      await writeSettings(store, projectId, change);
      known?.note(projectId, change);
    },
    async changeAliases(projectId, change) {
      const aliases = await store.unitOfWork(async (em) => {
        const within = withinTransaction(store, em);
        await lockProject(within, projectId);
        const before = (await readProjectSettings(within, [projectId])).get(projectId)?.aliases ?? {};
        const after = change(before);
        if (!isDeepStrictEqual(before, after)) await writeSettings(within, projectId, { aliases: after });
        return after;
      });
      known?.note(projectId, { aliases });
    },
  };
}

/** Reads the settings of projects by their ids; those of which nothing is set are left out. */
export async function readProjectSettings(
  store: Store,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, ProjectSettings>> {
  const found = await store.fork().find(SettingsEntity, { project: { $in: [...projectIds] } });
  return new Map(
    found.map(({ project, bodies, optimizationsOff, aliases, updatedAt }) => [
      project.id,
      { bodies: parseBodyPolicy(bodies), optimizationsOff: optimizationsOff ?? [], aliases: aliases ?? {}, updatedAt },
    ]),
  );
}
