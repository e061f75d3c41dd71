import { watchFile } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/load-config.ts";
import { ConfigError } from "../../config/mistake.ts";
import type { RunningService } from "../../main.ts";

/** The interval of looking whether the file has changed. */
const WATCH_MS = 2000;

interface ReloadOptions {
  readonly service: Pick<RunningService, "reload">;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Is told of the configuration that was read, and of the settings in it that take a restart. */
  readonly onReloaded?: (config: Config, unchanged: readonly string[]) => Promise<void>;
}

/**
 * Returns a function that reads the configuration again and serves by it. One with mistakes changes nothing; the log
 * says which. Calls that come while one is under way are one more, after it.
 */
export function createReload(options: ReloadOptions): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isDue = false;
  const reloadDue = async (): Promise<void> => {
    while (isDue) {
      isDue = false;
      await reloadOnce(options);
    }
    running = undefined;
  };
  return () => {
    isDue = true;
    running ??= reloadDue();
    return running;
  };
}

/** Reloads when the configuration's file or a file of a secret that it names changes, where it asks for that. */
export function watchConfig({ file, secretFiles, server }: Config, reload: () => Promise<void>): void {
  if (!server.watchConfig || file === undefined) return;
  for (const path of [resolve(file), ...secretFiles]) {
    watchFile(path, { interval: WATCH_MS, persistent: false }, () => void reload());
  }
}

async function reloadOnce({ service, log, onReloaded }: ReloadOptions): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    const unchanged = await service.reload(config);
    log.info("the configuration was read again: new requests are served by it");
    if (unchanged.length > 0) log.warn({ settings: unchanged }, "these settings have changed and take a restart");
    await onReloaded?.(config, unchanged);
  } catch (thrown) {
    const why = thrown instanceof ConfigError ? `the configuration has mistakes\n${thrown.message}` : String(thrown);
    log.error(`the configuration was not read again, and nothing changes: ${why}`);
  }
}
