import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Config } from "../../src/config/config.ts";
import type { Environment } from "../../src/config/interpolate.ts";
import { loadConfig } from "../../src/config/load-config.ts";

/** The folder of the test that runs. */
export let folder = "";

/** Gives each test of a file a folder of its own. */
export function useFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "attune-config-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}

/** Loads a configuration file of this text. */
export function load(yaml: string, environment: Environment = {}): Config {
  writeFileSync(join(folder, "attune.yaml"), yaml);
  return loadConfig(environment, folder);
}
