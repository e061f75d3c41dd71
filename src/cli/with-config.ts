import { hostname, userInfo } from "node:os";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { ConfigError } from "../config/mistake.ts";
import { openStore } from "../store/database/open-store.ts";
import { openStoreWhenReady, type WaitOptions } from "../store/database/open-when-ready.ts";
import { QuotaError } from "../store/types/quotas.ts";
import type { Store } from "../store/types/store.ts";
import type { ChangeOrigin } from "../vocabulary/change-origin.ts";
import { fail } from "./output.ts";

/** Reads the configuration; ends the command with every mistake in it. */
export function readConfig(): Config {
  try {
    return loadConfig(process.env, process.cwd());
  } catch (thrown) {
    if (thrown instanceof ConfigError) fail(`the configuration has mistakes\n${thrown.message}`);
    throw thrown;
  }
}

/** Opens the database of the configuration, and waits for it as long as is said; ends the command if that fails. */
export async function openConfiguredStore(config: Config, wait?: WaitOptions): Promise<Store> {
  try {
    const { url } = config.database;
    const facts = { ...config.figures, quotas: config.quotas, origin: commandOrigin() };
    return wait === undefined ? await openStore(url, facts) : await openStoreWhenReady(url, { ...wait, ...facts });
  } catch (thrown) {
    fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** Returns the origin of what commands change: the user of the system who runs them. */
function commandOrigin(): ChangeOrigin {
  const id = systemUser();
  return { actor: { kind: "command", id, label: `${id}@${hostname()}` }, via: "command" };
}

/** A container may run as a user that the system has no name for. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "");
  }
}

/** Opens the database for one piece of work; ends the command where a quota leaves no room for it. */
export async function withStore(work: (store: Store, config: Config) => Promise<void>): Promise<void> {
  const config = readConfig();
  const store = await openConfiguredStore(config);
  try {
    await work(store, config);
  } catch (thrown) {
    if (thrown instanceof QuotaError) fail(thrown.message);
    throw thrown;
  } finally {
    await store.close();
  }
}
