import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ModelLists } from "./model-lists.ts";

/** Name of the operator's own lists. */
export const LISTS_FILE = "attune.models.jsonl";

/** Returns where the operator's own lists stand: beside the configuration. */
export function listsFile(configuration: string, cwd: string): string {
  return join(dirname(resolve(cwd, configuration)), LISTS_FILE);
}

/** Opens the lists that come with Attune, and with them the operator's own where there are any. */
export function openLists(configuration: string, cwd: string): ModelLists {
  const own = listsFile(configuration, cwd);
  if (!existsSync(own)) return ModelLists.read();
  try {
    return ModelLists.read(own);
  } catch (thrown) {
    throw new Error(`cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
