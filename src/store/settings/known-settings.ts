import { type BodyPolicy, DEFAULT_BODY_POLICY, parseBodyPolicy } from "../bodies/body-policy.ts";
import { CHANNELS, type ChangeFeed, NO_CHANGES } from "../changes/change-feed.ts";
import { createRefresher } from "../changes/create-refresher.ts";
import { type Log, SILENT_LOG } from "../types/log.ts";
import type { Store } from "../types/store.ts";

/** Tells what projects have set; at once, because clients wait meanwhile. */
export interface KnownSettings {
  /** Returns the body policy of a project. */
  bodiesOf(projectId: string): BodyPolicy;
  /** Names of the optimisations that a project has switched off. */
  optimizationsOff(projectId: string): ReadonlySet<string>;
  /** Returns the name of the model that a project calls by a name of its own; undefined where it has none. */
  aliasOf(projectId: string, name: string): string | undefined;
  /** Reads all of them again where a change was told that is not read yet. Never rejects. */
  catchUp(): Promise<void>;
  close(): void;
}

/** The options of known settings. */
interface KnownSettingsOptions {
  readonly log?: Log;
  /** The feed of changes between processes on one database; its owner closes it. */
  readonly changes?: ChangeFeed;
  /** The interval at which they are read; a change by another process without a notification takes effect within it. */
  readonly refreshMs?: number;
}

interface Known {
  readonly bodies: BodyPolicy;
  readonly optimizationsOff: ReadonlySet<string>;
  readonly aliases: ReadonlyMap<string, string>;
}

const REFRESH_MS = 1000;
const DEFAULTS: Known = { bodies: DEFAULT_BODY_POLICY, optimizationsOff: new Set(), aliases: new Map() };

/**
 * Reads the settings of all projects, again when others tell of a change, and from time to time. While the database is
 * away what was read last holds. Rejects if they cannot be read to begin with: what a project wants kept must not be
 * guessed.
 */
export async function openKnownSettings(store: Store, options: KnownSettingsOptions = {}): Promise<KnownSettings> {
  const { log = SILENT_LOG, changes = NO_CHANGES, refreshMs = REFRESH_MS } = options;
  let known = await readAll(store);
  let isBehind = false;
  let latest = 0;
  let reading = Promise.resolve();
  const of = (projectId: string): Known => known.get(projectId) ?? DEFAULTS;
  const read = async () => {
    const at = ++latest;
    const settings = await readAll(store);
    // One that began before another one is of an earlier time.
    if (at === latest) known = settings;
  };
  const refresh = () => {
    isBehind = false;
    reading = read();
    return reading;
  };
  const complaint = "cannot read what projects have set: what was read last holds";
  const refresher = createRefresher(refresh, { log, everyMs: refreshMs, complaint });
  const unsubscribe = changes.subscribe(CHANNELS.settings, () => {
    isBehind = true;
    refresher.soon();
  });
  return {
    bodiesOf: (projectId) => of(projectId).bodies,
    optimizationsOff: (projectId) => of(projectId).optimizationsOff,
    aliasOf: (projectId, name) => known.get(projectId)?.aliases.get(name),
    catchUp: () => (isBehind ? refresh() : reading).catch(() => refresher.soon()),
    close() {
      unsubscribe();
      refresher.close();
    },
  };
}

async function readAll(store: Store): Promise<ReadonlyMap<string, Known>> {
  // No entities: all rows are read, every second, on the thread that serves.
  const rows = await store
    .query()
    .selectFrom("ProjectSettings")
    .select(["project", "bodies", "optimizationsOff", "aliases"])
    .execute();
  return new Map(
    rows.map(({ project, bodies, optimizationsOff, aliases }) => [
      project,
      {
        bodies: parseBodyPolicy(bodies),
        optimizationsOff: new Set(optimizationsOff),
        aliases: new Map(Object.entries(aliases ?? {})),
      },
    ]),
  );
}
