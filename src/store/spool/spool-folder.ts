import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../lib/ids.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
import { segmentName, segmentNumber } from "./position.ts";

/** How segments are taken over. */
export interface Adoption {
  /** Returns the number that the next one gets. */
  readonly nextSegment: () => number;
  readonly onAdopted: (segment: number, bytes: number) => void;
}

/** The folder of one process below the spool's root. */
export class SpoolFolder {
  readonly path: string;
  readonly #root: string;
  readonly #lock: FolderLock;

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

  /** Moves the segments of processes that have ended into this folder, in their order, and tells of each. */
  adoptOrphans({ nextSegment, onAdopted }: Adoption): void {
    for (const name of this.#neighbours()) {
      const folder = join(this.#root, name);
      const lock = tryLock(folder);
      if (lock === undefined) continue;
      for (const orphan of listSegments(folder)) {
        const from = join(folder, segmentName(orphan));
        const { size } = statSync(from);
        if (size === 0) continue;
        const segment = nextSegment();
        renameSync(from, join(this.path, segmentName(segment)));
        onAdopted(segment, size);
      }
      rmSync(folder, { recursive: true, force: true });
      lock.release();
    }
  }

  /** Gives the folder up, and deletes it if `isEmpty` says that nothing waits in it. */
  release(isEmpty: boolean): void {
    if (isEmpty) rmSync(this.path, { recursive: true, force: true });
    this.#lock.release();
  }

  #neighbours(): string[] {
    return readdirSync(this.#root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && join(this.#root, entry.name) !== this.path && isFolderName(entry.name))
      .map(({ name }) => name)
      .sort();
  }
}

/** Names are ids; a dot before it is a process that died while it made its folder, or one that is at it. */
function isFolderName(name: string): boolean {
  return /^[0-9a-f-]{36}$/.test(name);
}

/** A neighbour may go away while it is looked at. */
function tryLock(folder: string): FolderLock | undefined {
  try {
    return lockFolder(folder);
  } catch {
    return undefined;
  }
}

/** Returns the numbers of the segments in a folder, in order. */
export function listSegments(folder: string): number[] {
  return readdirSync(folder)
    .map(segmentNumber)
    .filter((segment) => segment !== undefined)
    .sort((a, b) => a - b);
}
