import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "../bodies/body-policy.ts";
import { ProjectSettings as SettingsEntity } from "../entities/project-settings.ts";
import type { Store } from "../types/store.ts";

/** The settings of a project. */
export interface SetSettings {
  /** The parts of requests and answers that are kept. */
  readonly bodies: BodyPolicy;
  /** Names of the optimisations that are switched off. */
  readonly optimizationsOff: readonly string[];
  /** Names of the project's own for models, each with the name of a model. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** The settings of a project. */
export interface ProjectSettings extends SetSettings {
  /** When anything was set; null where all is the default. */
  readonly updatedAt: Date | null;
}

/** The settings of a project of which nothing is set. */
export const NO_SETTINGS: SetSettings = { bodies: DEFAULT_BODY_POLICY, optimizationsOff: [], aliases: {} };

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
