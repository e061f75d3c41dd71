import type { BodyPolicies } from "../bodies/body-policies.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "../bodies/body-policy.ts";
import { ProjectSettings as SettingsEntity } from "../entities/project-settings.ts";
import type { Store } from "../types/store.ts";

export { BODY_POLICIES, type BodyPolicy } from "../bodies/body-policy.ts";

/** What the owners of a project have set. */
export interface ProjectSettings {
  /** What is kept of requests and answers. */
  readonly bodies: BodyPolicy;
  /** When it was set; null where it is the default. */
  readonly updatedAt: Date | null;
}

/** Settings of projects. */
export interface ProjectSettingsStore {
  read(projectId: string): Promise<ProjectSettings>;
  /** Sets what is kept from now on; what is already kept stays. */
  setBodies(projectId: string, bodies: BodyPolicy): Promise<void>;
}

/** Creates the settings of a database. `policies` is told of changes, so that they take effect here at once. */
export function createProjectSettings(store: Store, policies?: Pick<BodyPolicies, "set">): ProjectSettingsStore {
  return {
    async read(projectId) {
      const settings = await store.fork().findOne(SettingsEntity, { project: projectId });
      if (settings === null) return { bodies: DEFAULT_BODY_POLICY, updatedAt: null };
      return { bodies: parseBodyPolicy(settings.bodies), updatedAt: settings.updatedAt };
    },
    async setBodies(projectId, bodies) {
      // One statement: of two owners who set it at once, the later one decides.
      await store.fork().upsert(SettingsEntity, { project: projectId, bodies, updatedAt: new Date() });
      policies?.set(projectId, bodies);
    },
  };
}
