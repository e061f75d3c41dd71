import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";

/** The progress of a backup, in pages of the file. */
export interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

/** The options of a backup. */
interface BackupOptions {
  readonly onProgress?: (progress: BackupProgress) => void;
  /** Pages that are copied before others of this process have their turn. */
  readonly pagesPerStep?: number;
}

const PAGES_PER_STEP = 1000;
const LOCK_TIMEOUT_MS = 5000;

/**
 * Copies the database in a file as it is at one moment into a new file, while others read and write it. The new file
 * has its name once it is whole and was checked. Rejects where it exists, and where there is no Attune in the database.
 */
export async function backupSqlite(
  file: string,
  target: string,
  { onProgress, pagesPerStep = PAGES_PER_STEP }: BackupOptions = {},
): Promise<void> {
  if (!existsSync(file)) throw new Error(`there is no ${file}`);
  checkFree(target);
  // Of two that are begun for one file, neither touches what the other writes.
  const partial = `${target}.${randomUUID()}.partial`;
  const source = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    beginSnapshot(source, file);
    // Nobody else of the host reads it: it has prompts and the key of the installation.
    writeFileSync(partial, "", { mode: 0o600, flag: "wx" });
    await backup(source, partial, { rate: pagesPerStep, ...(onProgress && { progress: onProgress }) });
    checkCopy(partial);
    checkFree(target);
    renameSync(partial, target);
  } finally {
    source.close();
    for (const left of [partial, `${partial}-wal`, `${partial}-shm`]) rmSync(left, { force: true });
  }
}

function checkFree(target: string): void {
  if (existsSync(target)) throw new Error(`${target} exists: name a new file, or delete it first`);
}

/** Begins to read: a copy of what is read so does not begin anew whenever somebody writes. */
function beginSnapshot(source: DatabaseSync, file: string): void {
  source.exec("begin");
  const table = source.prepare("select name from sqlite_schema where name = 'mikro_orm_migrations'").get();
  if (table === undefined) throw new Error(`there is no Attune in ${file}`);
}

function checkCopy(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    const verdict = Object.values(copy.prepare("pragma quick_check(1)").get() ?? {}).join();
    if (verdict !== "ok") throw new Error(`the copy is damaged, and so may be the database: ${verdict}`);
  } finally {
    copy.close();
  }
}
