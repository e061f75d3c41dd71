import type { BodyPolicies } from "../bodies/body-policies.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "../bodies/body-policy.ts";
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
      const row = await store
        .query()
        .selectFrom("ProjectSettings")
        .select(["bodies", "updatedAt"])
        .where("projectId", "=", projectId)
        .executeTakeFirst();
      if (row === undefined) return { bodies: DEFAULT_BODY_POLICY, updatedAt: null };
      return { bodies: parseBodyPolicy(row.bodies), updatedAt: row.updatedAt };
    },
    async setBodies(projectId, bodies) {
      const changes = { bodies, updatedAt: new Date() };
      await store
        .query()
        .insertInto("ProjectSettings")
        .values({ projectId, ...changes })
        .onConflict((conflict) => conflict.column("projectId").doUpdateSet(changes))
        .execute();
      policies?.set(projectId, bodies);
    },
  };
}
