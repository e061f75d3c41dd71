import type { Config } from "../config/config.ts";
import type { Resources } from "./open-resources.ts";
import type { Setup } from "./setup.ts";

/** The settings that a reload applies, and those that mean the same however they are written. */
const RELOADED: ReadonlySet<string> = new Set<keyof Config>([
  "models",
  "upstreams",
  "routing",
  "learning",
  "quotas",
  "alerts",
  "log",
  "file",
  "secretFiles",
]);

/** Serves by another configuration; returns the names of the settings that differ and take a restart. */
export async function reload(
  next: Config,
  { generations, quotaBook }: Pick<Resources, "generations" | "quotaBook">,
  { config, store }: Pick<Setup, "config" | "store">,
): Promise<readonly string[]> {
  // The names of models carry the prefix everywhere.
  await generations.reload({ ...next, prefix: config.prefix });
  store.setQuotas(next.quotas);
  quotaBook.setDefaults(next.quotas);
  return namesOf(config).filter(
    (name) => !RELOADED.has(name) && JSON.stringify(config[name]) !== JSON.stringify(next[name]),
  );
}

function namesOf(config: Config): readonly (keyof Config)[] {
  return Object.keys(config) as (keyof Config)[];
}
