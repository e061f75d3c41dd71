import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { readVersion } from "../lib/version.ts";
import { noteConfiguration } from "../store/audit/note-configuration.ts";
import type { Store } from "../store/types/store.ts";

/**
 * Tells the audit log where another version or another configuration serves than before. What is another one for each
 * replica, such as its address, counts as the same.
 */
export async function noteServed(store: Store, config: Config, log: Pick<Logger, "warn">): Promise<void> {
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
