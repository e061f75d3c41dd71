import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isUuid } from "../../../lib/ids.ts";
import { lockFolder } from "./folder-lock.ts";

/**
 * Returns the folders beside `own`, the spool of a database, in which processes that have ended left records of other
 * databases: those of other ids, and the shared folder itself, where version 0.2 left records that name no database.
 */
export function findOtherSpools(own: string): string[] {
  const shared = dirname(own);
  if (!existsSync(shared)) return [];
  const others = foldersIn(shared).filter((name) => name !== basename(own) && !isUuid(name));
  return [shared, ...others.map((name) => join(shared, name))].filter(isLeft);
}

/** Tells whether a spool has folders of processes that have ended. One that another user alone may read counts as such. */
function isLeft(spool: string): boolean {
  try {
    return foldersIn(spool).some((name) => isUuid(name) && hasEnded(join(spool, name)));
  } catch {
    return true;
  }
}

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function hasEnded(folder: string): boolean {
  const lock = lockFolder(folder);
  lock?.release();
  return lock !== undefined;
}
