import type { Config } from "../config/config.ts";
import type { TlsTerminator } from "../server/tls-terminator.ts";
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

/** The parts that a reload changes. */
interface Reloaded extends Pick<Resources, "generations" | "quotaBook"> {
  /** Undefined, or absent, for a port without TLS. */
  readonly terminator?: Pick<TlsTerminator, "replace"> | undefined;
}

/** Serves by another configuration; returns the names of the settings that differ and take a restart. */
export async function reload(
  next: Config,
  { generations, quotaBook, terminator }: Reloaded,
  { config, store }: Pick<Setup, "config" | "store">,
): Promise<readonly string[]> {
  // First: a pair that is refused leaves all as it was.
  const { tls } = next.server;
  if (tls !== undefined && kindOfTls(tls) === kindOfTls(config.server.tls)) terminator?.replace(tls);
  // The names of models carry the prefix everywhere.
  await generations.reload({ ...next, prefix: config.prefix });
  store.setQuotas(next.quotas);
  quotaBook.setDefaults(next.quotas);
  return getNames(config).filter((name) => !RELOADED.has(name) && comparable(config, name) !== comparable(next, name));
}

/** Certificates change at once; whether there are some, and clients have to show theirs, does not. */
function comparable(config: Config, name: keyof Config): string {
  if (name !== "server") return JSON.stringify(config[name]);
  return JSON.stringify({ ...config.server, tls: kindOfTls(config.server.tls) });
}

function kindOfTls(tls: Config["server"]["tls"]): "none" | "server" | "mutual" {
  if (tls === undefined) return "none";
  return tls.clientCa === undefined ? "server" : "mutual";
}

function getNames(config: Config): readonly (keyof Config)[] {
  return Object.keys(config) as (keyof Config)[];
}
