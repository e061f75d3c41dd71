import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { lockFolder } from "../../../../src/store/write/spool/folder-lock.ts";
import { segmentName } from "../../../../src/store/write/spool/position.ts";
import { putAside } from "../../../../src/store/write/spool/rejected.ts";
import { SpoolFolder } from "../../../../src/store/write/spool/spool-folder.ts";
import { runModule } from "../../../support/run-module.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";

/** Makes the folder that a process left, with segments of these contents. */
function leave(root: string, segments: Record<number, string>, name: string = newId()): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [segment, text] of Object.entries(segments))
    writeFileSync(join(folder, segmentName(Number(segment))), text);
  return folder;
}

/** Adopts into a folder; returns what it then has, in the order of the segments. */
function adopt(folder: SpoolFolder, kind: "adoptOrphans" | "adoptRejected" = "adoptOrphans", failed: string[] = []) {
  const adopted: [number, number][] = [];
  let next = 1;
  folder[kind]({
    nextSegment: () => next++,
    onAdopted: (segment, bytes) => adopted.push([segment, bytes]),
    onFailure: (left) => failed.push(left),
  });
  return adopted.map(([segment, bytes]) => {
    const text = readFileSync(join(folder.path, segmentName(segment)), "utf8");
    expect(text).toHaveLength(bytes);
    return text;
  });
}

describe("SpoolFolder", () => {
  const newFolder = useTemporaryFolders();

  it("takes over what was left, in the order of processes and of segments", () => {
    const root = newFolder();
    const [first, second] = [newId(), newId()];
    leave(root, { 10: "d", 2: "c" }, second);
    leave(root, { 9: "b", 3: "a" }, first);
    const folder = new SpoolFolder(root);
    expect(adopt(folder)).toEqual(["a", "b", "c", "d"]);
    expect(readdirSync(root)).toEqual([folder.path.slice(root.length + 1)]);
    expect(adopt(folder)).toEqual([]);
    folder.release(true);
    expect(readdirSync(root)).toEqual([]);
  });

  it("leaves empty segments and other files behind", () => {
    const root = newFolder();
    leave(root, { 1: "", 2: "a" });
    writeFileSync(join(leave(root, {}), "notes.txt"), "not a segment");
    const folder = new SpoolFolder(root);
    expect(adopt(folder)).toEqual(["a"]);
    expect(readdirSync(root)).toHaveLength(1);
    folder.release(true);
  });

  it("tells once of each folder that it cannot take over, and takes over the others", () => {
    const root = newFolder();
    // A test may run as root, who can open what another user has: a file that is a folder nobody can.
    const locked = leave(root, { 1: "a" });
    mkdirSync(join(locked, "lock"));
    const unreadable = leave(root, {});
    mkdirSync(join(unreadable, segmentName(1)));
    writeFileSync(join(unreadable, `0000000001-${newId()}.provisional`), "b");
    leave(root, { 1: "c" });
    const folder = new SpoolFolder(root);
    const failed: string[] = [];
    expect(adopt(folder, "adoptOrphans", failed)).toEqual(["c"]);
    expect(adopt(folder, "adoptOrphans", failed)).toEqual([]);
    expect(failed).toEqual([locked, unreadable].sort());
    expect(existsSync(join(locked, segmentName(1)))).toBe(true);
    folder.release(true);
  });

  it("takes nothing from a process that lives, or of another name", () => {
    const root = newFolder();
    const alive = leave(root, { 1: "a" });
    const lock = lockFolder(alive);
    leave(root, { 1: "b" }, "lost+found");
    const folder = new SpoolFolder(root);
    expect(adopt(folder)).toEqual([]);
    lock?.release();
    expect(adopt(folder)).toEqual(["a"]);
    expect(existsSync(join(root, "lost+found", segmentName(1)))).toBe(true);
    folder.release(true);
  });

  it("leaves what waits to the next one", () => {
    const root = newFolder();
    const first = new SpoolFolder(root);
    writeFileSync(join(first.path, segmentName(1)), "a");
    const second = new SpoolFolder(root);
    expect(adopt(second)).toEqual([]);
    first.release(false);
    expect(adopt(second)).toEqual(["a"]);
    second.release(true);
  });

  it("deletes folders of processes that died before they gave them a name, after a minute", () => {
    const root = newFolder();
    const [old, young, locked] = [newId(), newId(), newId()].map((id) => leave(root, {}, `.${id}`));
    const long = new Date(Date.now() - 61_000);
    const lock = lockFolder(locked ?? "");
    for (const path of [old, locked]) utimesSync(path ?? "", long, long);
    const folder = new SpoolFolder(root);
    adopt(folder);
    expect([old, young, locked].map((path) => existsSync(path ?? ""))).toEqual([false, true, true]);
    lock?.release();
    folder.release(true);
  });

  it("takes over what processes that ended put aside", () => {
    const root = newFolder();
    const [living, ended] = [leave(root, {}), join(root, newId())];
    putAside(living, Buffer.from("of one that lives"));
    putAside(ended, Buffer.from("of one that ended"));
    const folder = new SpoolFolder(root);
    const own = putAside(folder.path, Buffer.from("own"));
    expect(adopt(folder, "adoptRejected")).toEqual([expect.stringMatching(/^.Attune2.*of one that ended$/s)]);
    expect(readdirSync(root).filter((name) => name.startsWith("rejected-"))).toHaveLength(2);
    expect(existsSync(own)).toBe(true);
    folder.release(true);
  });

  it("is made, and takes each orphan once, by many processes at the same moment", async () => {
    const root = newFolder();
    for (let count = 0; count < 40; count++) leave(root, { 1: `orphan ${count}` });
    const source = JSON.stringify(new URL("../../../../src/store/write/spool/spool-folder.ts", import.meta.url).href);
    const others = Array.from({ length: 4 }, () =>
      runModule(`
        import { SpoolFolder } from ${source};
        console.log("ready");
        process.stdin.once("data", () => {
          const folder = new SpoolFolder(${JSON.stringify(root)});
          let next = 1;
          for (let round = 0; round < 3; round++) {
            folder.adoptOrphans({ nextSegment: () => next++, onAdopted() {}, onFailure() {} });
          }
          console.log(next - 1);
          process.stdin.once("data", () => { folder.release(false); process.exit(0); });
        });
      `),
    );
    for (const other of others) expect(await other.nextLine()).toBe("ready");
    for (const other of others) other.child.stdin?.write("go\n");
    const counts = await Promise.all(others.map(async (other) => Number(await other.nextLine())));
    for (const other of others) other.child.stdin?.write("end\n");
    expect(await Promise.all(others.map((other) => other.ended))).toEqual([0, 0, 0, 0]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
    const folder = new SpoolFolder(root);
    expect(adopt(folder).sort()).toEqual(Array.from({ length: 40 }, (_, count) => `orphan ${count}`).sort());
    folder.release(true);
  });
});
