import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { sandboxNames } from "../../config/defaults.ts";
import { listWarnings } from "../../config/list-warnings.ts";
import { startDashboardBuild } from "../../dashboard/build/dashboard-build.ts";
import { loadTokenizer } from "../../hub/tokens/tokenizer.ts";
import { formatAddress } from "../../lib/format-address.ts";
import { createHangup } from "../../lib/hangup.ts";
import { createStop } from "../../lib/stop-signals.ts";
import { readVersion } from "../../lib/version.ts";
import { type RunningService, startService } from "../../main.ts";
import { createLog, type LogFormat, type LogLevel } from "../../observability/log.ts";
import { noteConfiguration } from "../../store/audit/note-configuration.ts";
import { createDashboardStore } from "../../store/dashboard/dashboard-store.ts";
import { createFirstKey } from "../../store/keys/key-repository.ts";
import type { Store } from "../../store/types/store.ts";
import type { WorkerRole } from "../../workers/run-workers.ts";
import { fail, print, tell } from "../output.ts";
import { openConfiguredStore, readConfig } from "../with-config.ts";
import { bannerLines } from "./banner.ts";
import { createConfiguredOwner } from "./create-owner.ts";
import { fitHeaps, lowerCompilers } from "./fit-heaps.ts";
import { createReload, watchConfig } from "./reload-config.ts";

/** The options of starting a service. */
interface ServeOptions {
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** Seconds for which a database that cannot be reached is waited for. */
  readonly databaseWait: number;
  /** True prints an API key and the owner's link also where standard output is no terminal. */
  readonly printSecrets: boolean;
}

/** Serves until a signal ends the process; `role` is what it is among several that share a port. */
export async function start(options: ServeOptions, role?: WorkerRole): Promise<void> {
  const { logLevel, logFormat, databaseWait: waitSeconds } = options;
  fitHeaps();
  lowerCompilers();
  const config = readConfig();
  const log = createLog(logLevel, logFormat);
  const store = await openConfiguredStore(config, {
    waitMs: waitSeconds * 1000,
    onWait: ({ message }) => log.warn(`${message}; trying again for up to ${waitSeconds} s`),
    onSlowMigration: (seconds) => log.warn(`the database migration is still running after ${seconds} s`),
  });
  const isFirst = role?.isFirst !== false;
  const warn = (served: Config) => {
    for (const warning of listWarnings(served)) log.warn(warning);
  };
  if (isFirst) warn(config);
  if (isFirst) await createConfiguredOwner(store, process.env, log);
  const dashboardBuild = config.dashboard.enabled ? startDashboardBuild(tell) : undefined;
  const service = await startService({ config, store, log, dashboardBuild, link: role?.link }).catch(
    (thrown: unknown) => fail(explainListenError(thrown, config)),
  );
  // Before the banner: whoever has read it may end the process at once, and that is in order.
  const onReloaded = (next: Config, unchanged: readonly string[]) => {
    warn(next);
    const former = Object.entries(config).filter(([name]) => unchanged.includes(name));
    return noteServed(store, { ...next, ...Object.fromEntries(former) }, log);
  };
  const reload = createReload({ service, log, ...(isFirst && { onReloaded }) });
  obeySignals({ service, store, role, reload });
  watchConfig(config, reload);
  role?.link.serving();
  // It takes a quarter of a second, and the first caller should not wait for it; whoever needs it is told of a failure.
  if (asksSandbox(config)) setImmediate(() => void loadTokenizer().catch(() => {}));
  if (!isFirst) return;
  void noteServed(store, config, log);
  const { url, adminUrl } = service;
  // Output that goes to no terminal is as a rule stored, and read by others.
  const secrets = await makeSecrets({ config, store, areShown: process.stdout.isTTY || options.printSecrets });
  // In one write, so that a program that waits for the address finds the key beside it.
  print(bannerLines({ config, url, adminUrl, location: store.location, ...secrets }).join("\n"));
}

function asksSandbox({ upstreams, models }: Config): boolean {
  const sandboxes = sandboxNames(upstreams);
  return models.some(({ deployments }) => deployments.some(({ upstream }) => sandboxes.has(upstream)));
}

interface SecretsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly areShown: boolean;
}

/**
 * Makes the key and the link that a first start shows, so that the first call needs no other command. Only once it
 * serves: a key that is made before a start that fails is never shown.
 */
async function makeSecrets({ config, store, areShown }: SecretsOptions) {
  const { accounts, setup } = createDashboardStore(store);
  const needsKey = areShown && config.bootstrapKey === undefined;
  const newKey = needsKey ? (await createFirstKey(store, { name: "first" }))?.key : undefined;
  const needsOwner = config.dashboard.enabled && (await accounts.isEmpty());
  const setupSecret = areShown && needsOwner ? await setup.firstLink() : undefined;
  return { newKey, needsOwner, setupSecret };
}

function explainListenError(thrown: unknown, { server }: Config): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  const isAdmin = thrown instanceof Error && "port" in thrown && thrown.port === server.adminPort;
  if (isAdmin && server.adminPort !== server.port) return explainAdminError(code, server);
  const place = formatAddress(server.host, server.port);
  if (code === "EADDRINUSE") {
    if (server.reusePort) return `${place} is in use by a process that does not share it: it lacks server.reusePort`;
    const remedy = "set ATTUNE_PORT to another port, or share it: server.reusePort";
    return `${place} is in use: stop what listens there, ${remedy}`;
  }
  if (code === "ENOTSUP" && server.reusePort) {
    return "this system cannot share a port between processes: leave server.reusePort out";
  }
  if (code === "EACCES") return `${place} may not be used by this user: set ATTUNE_PORT to a port above 1023`;
  if (code === "EADDRNOTAVAIL") return `${place} isn't an address of this machine: set ATTUNE_HOST`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function explainAdminError(code: unknown, { adminHost, adminPort }: Config["server"]): string {
  const place = `${adminHost}:${adminPort}`;
  if (code === "EADDRINUSE") return `${place} is in use: set server.adminPort or ATTUNE_ADMIN_PORT to another port`;
  return `${place} cannot be listened on (${code}): change server.adminHost and server.adminPort`;
}

interface Signalled {
  readonly service: RunningService;
  readonly store: Store;
  readonly role: WorkerRole | undefined;
  readonly reload: () => Promise<void>;
}

/**
 * The first SIGTERM or SIGINT ends in order, a second one at once. SIGHUP reads the configuration again, and ends where
 * a terminal was closed.
 */
function obeySignals({ service, store, role, reload }: Signalled): void {
  let isEnding = false;
  const end = async (close: () => Promise<void>): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await close();
    await store.close();
    process.exit(0);
  };
  const stop = createStop({ end: () => void end(service.close), endNow: () => process.exit(1) });
  process.on("SIGTERM", stop);
  if (role === undefined) {
    process.on("SIGINT", stop);
    process.on("SIGHUP", createHangup({ end: stop, reload: () => void reload() }));
  }
  // A terminal sends its signals to all processes: what started the workers says to them what they mean.
  else for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
  role?.link.onLeave(() => void end(service.leave));
}

/**
 * Tells the audit log where another version or another configuration serves than before. What is another one for each
 * replica, such as its address, counts as the same.
 */
async function noteServed(store: Store, config: Config, log: Pick<Logger, "warn">): Promise<void> {
  const place = { host: undefined, port: undefined, adminHost: undefined, adminPort: undefined };
  const server = { ...config.server, ...place };
  const spool = { ...config.spool, folder: undefined };
  const sections = { ...config, file: undefined, secretFiles: undefined, server, spool };
  try {
    await noteConfiguration(store, { version: readVersion(), sections });
  } catch (thrown) {
    log.warn({ err: thrown }, "the audit log does not have this version and configuration");
  }
}
