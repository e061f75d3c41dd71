import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../../lib/ids.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { segmentName, segmentNumber } from "./position.ts";
import { leftProvisional } from "./provisional-files.ts";
import { rejectedFiles } from "./rejected.ts";

/** The options of taking segments over. */
export interface Adoption {
  /** Returns the number that the next one gets. */
  readonly nextSegment: () => number;
  readonly onAdopted: (segment: number, bytes: number) => void;
  /** Told once of each folder that cannot be taken over now, such as one of another user. */
  readonly onFailure: (folder: string, error: unknown) => void;
}

/** A folder without its name is made in a moment: one that is older belongs to a process that died meanwhile. */
const UNNAMED_MS = 60_000;

/** The folder of one process below the spool's root. */
export class SpoolFolder {
  readonly path: string;
  readonly #root: string;
  readonly #lock: FolderLock;
  /** The folders that could not be taken over. */
  readonly #failed = new Set<string>();

  /** Makes a folder of this process below `root`. Throws what the system says. */
  constructor(root: string) {
    this.#root = root;
    mkdirSync(root, { recursive: true });
    const name = newId();
    // It gets its name once it is locked: until then no other process takes it for one that was left.
    const unnamed = join(root, `.${name}`);
    mkdirSync(unnamed);
    const lock = lockFolder(unnamed);
    if (lock === undefined) throw new Error(`another process locked ${unnamed}, which is new`);
    this.#lock = lock;
    this.path = join(root, name);
    renameSync(unnamed, this.path);
  }

  /**
   * Moves the segments of processes that have ended into this folder, in their order, and what stands for records that
   * they had yet to make, and tells of each.
   */
  adoptOrphans(adoption: Adoption): void {
    for (const folder of this.#folders(/^[0-9a-f-]{36}$/)) {
      try {
        ifLeft(folder, () => this.#adopt(folder, adoption));
      } catch (error) {
        // A neighbour may go away while it is looked at, and one folder holds up no other.
        if (!existsSync(folder) || this.#failed.has(folder)) continue;
        this.#failed.add(folder);
        adoption.onFailure(folder, error);
      }
    }
    for (const folder of this.#folders(/^\.[0-9a-f-]{36}$/)) {
      if (!isOld(folder)) continue;
      try {
        ifLeft(folder, () => deleteFolder(folder));
      } catch {
        // Nothing that counts is in it.
      }
    }
  }

  /**
   * Moves what was put aside by processes that have ended into this folder, and tells of each file: it is tried again.
   */
  adoptRejected({ nextSegment, onAdopted }: Adoption): void {
    for (const { file, folder } of rejectedFiles(this.#root)) {
      const size = existsSync(folder) ? undefined : statSync(file, { throwIfNoEntry: false })?.size;
      if (size === undefined) continue;
      const segment = nextSegment();
      // Another process that starts at the same moment may have been faster.
      unlessGone(() => {
        renameSync(file, join(this.path, segmentName(segment)));
        onAdopted(segment, size);
      });
    }
  }

  /** Gives the folder up, and deletes it if `isEmpty` says that nothing is left in it. */
  release(isEmpty: boolean): void {
    if (isEmpty) rmSync(this.path, { recursive: true, force: true });
    this.#lock.release();
  }

  #folders(form: RegExp): string[] {
    return readdirSync(this.#root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && form.test(entry.name) && join(this.#root, entry.name) !== this.path)
      .map(({ name }) => join(this.#root, name))
      .sort();
  }

  #adopt(folder: string, { nextSegment, onAdopted }: Adoption): void {
    const segments = listSegments(folder);
    const provisional = leftProvisional(folder, segments);
    for (const from of [...segments.map((segment) => join(folder, segmentName(segment))), ...provisional]) {
      const { size } = statSync(from);
      if (size === 0) continue;
      const segment = nextSegment();
      renameSync(from, join(this.path, segmentName(segment)));
      onAdopted(segment, size);
    }
    deleteFolder(folder);
  }
}

function unlessGone(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/** Another process may look for the lock in it at the same moment: then the next look around deletes it. */
function deleteFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Nothing that counts is left in it.
  }
}

function isOld(folder: string): boolean {
  const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > UNNAMED_MS;
}

/** Does something with a folder that no living process has; no other process does so meanwhile. */
function ifLeft(folder: string, work: () => void): void {
  const lock = lockFolder(folder);
  if (lock === undefined) return;
  try {
    // The lock may be the one of a process that took the folder over just now, and deleted it with its lock.
    unlessGone(work);
  } finally {
    lock.release();
  }
}

/** Returns the numbers of the segments in a folder, in order. */
export function listSegments(folder: string): number[] {
  return readdirSync(folder)
    .map(segmentNumber)
    .filter((segment) => segment !== undefined)
    .sort((a, b) => a - b);
}
