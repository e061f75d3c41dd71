import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FolderLock, lockFolder } from "../../../../src/store/write/spool/folder-lock.ts";
import { runModule } from "../../../support/run-module.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";

const module = new URL("../../../../src/store/write/spool/folder-lock.ts", import.meta.url).href;

/** Locks a folder in another process, which then waits for its end. */
function lockElsewhere(folder: string) {
  return runModule(`
    import { lockFolder } from ${JSON.stringify(module)};
    globalThis.lock = lockFolder(${JSON.stringify(folder)});
    console.log(globalThis.lock === undefined ? "taken" : "locked");
    process.stdin.resume().on("end", () => process.exit(0));
  `);
}

describe("lockFolder()", () => {
  const newFolder = useTemporaryFolders();
  const release = (lock: FolderLock | undefined) => lock?.release();

  it("gives a folder to one of two processes, until it is released", async () => {
    const folder = newFolder();
    const lock = lockFolder(folder);
    expect(lock).toBeDefined();
    const first = lockElsewhere(folder);
    expect(await first.nextLine()).toBe("taken");
    first.child.stdin?.end();
    await first.ended;
    release(lock);
    const second = lockElsewhere(folder);
    expect(await second.nextLine()).toBe("locked");
    expect(lockFolder(folder)).toBeUndefined();
    second.child.stdin?.end();
    await second.ended;
    const again = lockFolder(folder);
    expect(again).toBeDefined();
    release(again);
  });

  it("drops the lock of a process that is killed", async () => {
    const folder = newFolder();
    const other = lockElsewhere(folder);
    expect(await other.nextLine()).toBe("locked");
    expect(lockFolder(folder)).toBeUndefined();
    other.child.kill("SIGKILL");
    expect(await other.ended).toBe("SIGKILL");
    const lock = lockFolder(folder);
    expect(lock).toBeDefined();
    release(lock);
  });

  it("gives a folder once within a process", () => {
    const folder = newFolder();
    const lock = lockFolder(folder);
    expect(lockFolder(folder)).toBeUndefined();
    // The one that was refused has closed its file, which must not drop the lock of the first.
    expect(lockFolder(folder)).toBeUndefined();
    release(lock);
    const again = lockFolder(folder);
    expect(again).toBeDefined();
    release(again);
  });

  it("holds while the folder gets another name", async () => {
    const root = newFolder();
    const [before, after] = [join(root, ".name"), join(root, "name")];
    mkdirSync(before);
    const lock = lockFolder(before);
    renameSync(before, after);
    expect(lockFolder(after)).toBeUndefined();
    const other = lockElsewhere(after);
    expect(await other.nextLine()).toBe("taken");
    other.child.stdin?.end();
    await other.ended;
    release(lock);
  });

  it("throws where there is no folder", () => {
    expect(() => lockFolder(join(newFolder(), "none"))).toThrow(/unable to open database file/);
  });
});
