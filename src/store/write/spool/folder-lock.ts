import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A folder that belongs to this process. */
export interface FolderLock {
  /** Gives the folder up. The end of the process does the same, however it ends. */
  release(): void;
}

const LOCK_FILE = "lock";

/**
 * Takes a folder for this process; undefined if another one has it. Node offers no locks of the system, but SQLite
 * takes them for its files: they hold across containers that share a disk, and the system drops them with the process.
 */
export function lockFolder(folder: string): FolderLock | undefined {
  const database = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    database.exec("pragma journal_mode = memory; begin exclusive");
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isLocked(error)) return undefined;
    throw error;
  }
}

/** SQLITE_BUSY, whatever the extended part of the code says. */
function isLocked(error: unknown): boolean {
  return (
    error instanceof Error && "errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === 5
  );
}
