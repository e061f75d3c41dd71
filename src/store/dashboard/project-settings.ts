import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "../bodies/body-policy.ts";
import { ProjectSettings as SettingsEntity } from "../entities/project-settings.ts";
import type { KnownSettings } from "../settings/known-settings.ts";
import { type SettingsChange, writeSettings } from "../settings/write-settings.ts";
import type { Store } from "../types/store.ts";

export { BODY_POLICIES, type BodyPolicy } from "../bodies/body-policy.ts";

/** The settings of a project. */
export interface ProjectSettings {
  /** The parts of requests and answers that are kept. */
  readonly bodies: BodyPolicy;
  /** Names of the optimisations that are switched off. */
  readonly optimizationsOff: readonly string[];
  /** When anything was set; null where all is the default. */
  readonly updatedAt: Date | null;
}

/** Settings of projects. */
export interface ProjectSettingsStore {
  read(projectId: string): Promise<ProjectSettings>;
  /** Sets what holds from now on; what is already kept stays. */
  set(projectId: string, change: SettingsChange): Promise<void>;
}

/** Creates the settings of a database. `known` is told of changes, so that they take effect here at once. */
export function createProjectSettings(store: Store, known?: Pick<KnownSettings, "note">): ProjectSettingsStore {
  return {
    async read(projectId) {
      const settings = await store.fork().findOne(SettingsEntity, { project: projectId });
      if (settings === null) return { bodies: DEFAULT_BODY_POLICY, optimizationsOff: [], updatedAt: null };
      const { bodies, optimizationsOff, updatedAt } = settings;
      return { bodies: parseBodyPolicy(bodies), optimizationsOff: optimizationsOff ?? [], updatedAt };
    },
    async set(projectId, change) {
      await writeSettings(store, projectId, change);
      known?.note(projectId, change);
    },
  };
}
