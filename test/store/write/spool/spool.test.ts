import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { encodeFrame } from "../../../../src/store/write/spool/frame.ts";
import { putAside } from "../../../../src/store/write/spool/rejected.ts";
import { Spool } from "../../../../src/store/write/spool/spool.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";
import { waitFor } from "../../../support/wait.ts";

const bytes = (text: string) => [Buffer.from(text)];

describe("Spool", () => {
  const newFolder = useTemporaryFolders();
  const open = (root: string, segmentBytes = 48) =>
    new Spool({
      root,
      segmentBytes,
      onError(error) {
        throw error;
      },
    });
  const segments = (spool: Spool) => readdirSync(spool.path).filter((name) => name.endsWith(".spool"));
  /** They are deleted in the background. */
  const untilLeft = (spool: Spool, names: readonly string[]) => waitFor(() => expect(segments(spool)).toEqual(names));

  it("begins a segment after one that has its bytes, and deletes each once it is written", async () => {
    const spool = open(newFolder());
    expect(spool.end).toEqual({ segment: 1, offset: 0 });
    const places = ["one", "two", "three", "four"].map((text) => spool.append(bytes(text)));
    expect(places).toEqual([
      { segment: 1, offset: 0, length: 23 },
      { segment: 1, offset: 23, length: 23 },
      { segment: 1, offset: 46, length: 25 },
      { segment: 2, offset: 0, length: 24 },
    ]);
    expect([spool.backlogBytes, spool.end]).toEqual([95, { segment: 2, offset: 24 }]);
    expect(places.map((place) => spool.read(place).toString())).toEqual(["one", "two", "three", "four"]);
    spool.settle({ segment: 1, offset: 46 });
    expect([spool.backlogBytes, segments(spool)]).toEqual([49, ["0000000001.spool", "0000000002.spool"]]);
    spool.settle({ segment: 2, offset: 0 });
    expect(spool.backlogBytes).toBe(24);
    await untilLeft(spool, ["0000000002.spool"]);
    spool.settle({ segment: 2, offset: 24 });
    expect([spool.backlogBytes, spool.isEmpty]).toEqual([0, true]);
    await spool.close();
    expect(existsSync(spool.path)).toBe(false);
  });

  it("reads nothing where no entry is", async () => {
    const spool = open(newFolder());
    const { length } = spool.append(bytes("one"));
    expect(() => spool.read({ segment: 1, offset: 1, length })).toThrow("the entry is not in the spool");
    expect(() => spool.read({ segment: 2, offset: 0, length })).toThrow(/ENOENT/);
    spool.settle(spool.end);
    await spool.close();
  });

  it("leaves what waits to the next one, which puts it behind what it has", async () => {
    const root = newFolder();
    const first = open(root);
    first.append(bytes("of the first"));
    const second = open(root);
    second.append(bytes("of the second"));
    expect(second.adopt()).toBe(0);
    await first.close();
    expect(second.adopt()).toBe(32);
    expect(existsSync(first.path)).toBe(false);
    expect([second.backlogBytes, second.end]).toEqual([65, { segment: 3, offset: 0 }]);
    const later = second.append(bytes("later"));
    expect(later).toEqual({ segment: 3, offset: 0, length: 25 });
    expect(second.read({ segment: 2, offset: 0, length: 32 }).toString()).toBe("of the first");
    second.settle({ segment: 3, offset: 0 });
    expect(second.backlogBytes).toBe(25);
    await untilLeft(second, ["0000000003.spool"]);
    second.settle(second.end);
    await second.close();
  });

  it("takes over what others put aside", async () => {
    const root = newFolder();
    putAside(join(root, newId()), Buffer.from("again"));
    const spool = open(root);
    expect([spool.adoptRejected(), spool.adoptRejected(), spool.backlogBytes]).toEqual([25, 0, 25]);
    expect(spool.read({ segment: 1, offset: 0, length: 25 }).toString()).toBe("again");
    spool.settle(spool.end);
    await spool.close();
    expect(readdirSync(root)).toEqual([]);
  });

  it("takes over entries that were torn by a crash", async () => {
    const root = newFolder();
    const left = join(root, newId());
    mkdirSync(left);
    const [whole, torn] = ["whole", "torn"].map((text) => encodeFrame(bytes(text)));
    writeFileSync(
      join(left, "0000000001.spool"),
      Buffer.concat([whole ?? "", (torn ?? Buffer.alloc(0)).subarray(0, 10)].map(Buffer.from)),
    );
    const spool = open(root);
    expect(spool.adopt()).toBe(35);
    spool.settle(spool.end);
    await spool.close();
  });

  it("gives a segment up after a minute, if all of it is written", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const spool = open(newFolder(), 1000);
      spool.append(bytes("one"));
      vi.advanceTimersByTime(59_000);
      spool.settle(spool.end);
      spool.append(bytes("two"));
      vi.advanceTimersByTime(2000);
      spool.sync();
      expect(segments(spool)).toEqual(["0000000001.spool"]);
      spool.settle(spool.end);
      expect([spool.end, spool.backlogBytes]).toEqual([{ segment: 2, offset: 0 }, 0]);
      await untilLeft(spool, []);
      expect(spool.append(bytes("three")).segment).toBe(2);
      spool.settle(spool.end);
      vi.advanceTimersByTime(61_000);
      spool.sync();
      expect(spool.isEmpty).toBe(true);
      await untilLeft(spool, []);
      await spool.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it("takes nothing where its folder is gone, or once it is closed", async () => {
    const root = newFolder();
    const spool = open(root);
    rmSync(spool.path, { recursive: true });
    expect(() => spool.append(bytes("one"))).toThrow(/ENOENT/);
    expect(spool.isEmpty).toBe(true);
    await spool.close();
    expect(() => spool.append(bytes("two"))).toThrow("the spool is closed");
  });

  it("cannot be made where there is a file", () => {
    const root = join(newFolder(), "file");
    writeFileSync(root, "");
    expect(() => open(root)).toThrow(/EEXIST|ENOTDIR/);
  });
});
