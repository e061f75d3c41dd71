import { describe, expect, it } from "vitest";
import { ChunkList } from "../../src/lib/chunk-list.ts";

describe("ChunkList", () => {
  it.each([
    [[]],
    [[5]],
    [[0, 3]],
    [[1, 1, 1]],
    [[4096, 1, 1, 5000, 2]],
    [Array.from({ length: 40_000 }, () => 1)],
    [Array.from({ length: 20 }, () => 4095)],
  ])("joins chunks of these sizes in their order (%#)", (sizes) => {
    const chunks = sizes.map((size, at) => Buffer.alloc(size, at % 251));
    const list = new ChunkList();
    for (const chunk of chunks) list.push(chunk);
    expect(list.take().equals(Buffer.concat(chunks))).toBe(true);
  });

  it.each(["take", "clear"] as const)("keeps no chunk after %s()", (method) => {
    const list = new ChunkList();
    for (const size of [5000, 1]) list.push(Buffer.alloc(size, 1));
    list[method]();
    list.push(Buffer.from("x"));
    expect(list.take().toString()).toBe("x");
  });

  it("keeps nothing alive of what a small chunk was read with", () => {
    const read = Buffer.alloc(100, 1);
    const list = new ChunkList();
    for (let at = 0; at < 100; at++) list.push(read.subarray(at, at + 1));
    read.fill(2, 1);
    expect(list.take().equals(Buffer.alloc(100, 1))).toBe(true);
  });

  it.each([1, 16_384])("keeps nothing alive of a read of many streams, of which it has %d bytes", (size) => {
    const reads = [Buffer.alloc(65_536, 1), Buffer.alloc(65_536, 1)];
    const list = new ChunkList();
    for (const read of reads) list.push(read.subarray(0, size));
    for (const read of reads) read.fill(2);
    expect(list.take().equals(Buffer.alloc(2 * size, 1))).toBe(true);
  });
});
