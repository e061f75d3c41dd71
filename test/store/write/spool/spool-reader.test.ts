import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeFrame } from "../../../../src/store/write/spool/frame.ts";
import { type Position, segmentName } from "../../../../src/store/write/spool/position.ts";
import { SpoolReader } from "../../../../src/store/write/spool/spool-reader.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";

const frame = (text: string) => encodeFrame([Buffer.from(text)]);
const at = (segment: number, offset: number): Position => ({ segment, offset });

describe("SpoolReader", () => {
  const newFolder = useTemporaryFolders();
  const texts = (reader: SpoolReader, end: Position, limit = 100) =>
    reader.read(end, limit).map(({ payload }) => payload.toString());

  it("reads a segment while it grows, up to where it is told that it ends", () => {
    const folder = newFolder();
    const path = join(folder, segmentName(1));
    writeFileSync(path, Buffer.concat([frame("one"), frame("two")]));
    const reader = new SpoolReader(folder);
    expect(reader.read(at(1, 23), 100)).toEqual([{ payload: Buffer.from("one"), end: at(1, 23) }]);
    expect(texts(reader, at(1, 23))).toEqual([]);
    expect(texts(reader, at(1, 46))).toEqual(["two"]);
    appendFileSync(path, frame("three"));
    expect(texts(reader, at(1, 71))).toEqual(["three"]);
    expect(reader.at).toEqual(at(1, 71));
  });

  it("reads no more than it is told", () => {
    const folder = newFolder();
    writeFileSync(join(folder, segmentName(1)), Buffer.concat(["a", "b", "c"].map(frame)));
    const reader = new SpoolReader(folder);
    expect([2, 2, 2].map((limit) => texts(reader, at(1, 63), limit))).toEqual([["a", "b"], ["c"], []]);
  });

  it("reads into the same memory once it is told that nobody looks at it any more, and not before", () => {
    const folder = newFolder();
    const letters = [..."abcdefgh"];
    writeFileSync(join(folder, segmentName(1)), Buffer.concat(letters.map(frame)));
    const reader = new SpoolReader(folder);
    const read = letters.slice(0, 6).flatMap(() => reader.read(at(1, 168), 1));
    expect(read.map(({ payload }) => payload.toString())).toEqual(letters.slice(0, 6));
    reader.beginAnew();
    const [next] = reader.read(at(1, 168), 1);
    expect(next?.payload.buffer).toBe(read[0]?.payload.buffer);
    expect(next?.payload.toString()).toBe("g");
  });

  it("goes from segment to segment, past those that are not there", () => {
    const folder = newFolder();
    writeFileSync(join(folder, segmentName(2)), Buffer.concat([frame("a"), frame("b")]));
    writeFileSync(join(folder, segmentName(5)), "");
    writeFileSync(join(folder, segmentName(6)), frame("c"));
    writeFileSync(join(folder, segmentName(7)), frame("later"));
    const reader = new SpoolReader(folder);
    expect([1, 2, 3].map(() => texts(reader, at(6, 21)))).toEqual([["a", "b"], ["c"], []]);
    expect(texts(reader, at(9, 0))).toEqual(["later"]);
    expect(texts(reader, at(9, 0))).toEqual([]);
    expect(reader.at).toEqual(at(9, 0));
  });

  it("begins where it is told to", () => {
    const folder = newFolder();
    writeFileSync(join(folder, segmentName(3)), Buffer.concat([frame("a"), frame("b")]));
    expect(texts(new SpoolReader(folder, at(3, 21)), at(4, 0))).toEqual(["b"]);
  });

  it("passes over a record that was torn at the end of a segment", () => {
    const folder = newFolder();
    writeFileSync(join(folder, segmentName(1)), Buffer.concat([frame("a"), frame("torn").subarray(0, 9)]));
    writeFileSync(join(folder, segmentName(2)), frame("b"));
    const reader = new SpoolReader(folder);
    expect([texts(reader, at(3, 0)), texts(reader, at(3, 0)), reader.brokenBytes]).toEqual([["a"], ["b"], 9]);
  });

  it.each([
    ["a segment that is complete", at(2, 0)],
    ["the segment that is written to", at(1, 63)],
  ])("passes over a length that is damaged in %s", (_, end) => {
    const folder = newFolder();
    const damaged = frame("b");
    damaged.writeUInt32LE(0xffff_fff0, 8);
    writeFileSync(join(folder, segmentName(1)), Buffer.concat([frame("a"), damaged, frame("c")]));
    const reader = new SpoolReader(folder);
    const read = [...texts(reader, end, 1), ...texts(reader, end, 1), ...texts(reader, end, 1)];
    expect([read, reader.brokenBytes]).toEqual([["a", "c"], 21]);
  });

  it("reads frames that are larger than what is read at once, between small ones", () => {
    const folder = newFolder();
    const large = "x".repeat(5 * 2 ** 20);
    const bytes = Buffer.concat([frame("a"), frame(large), frame("b")]);
    writeFileSync(join(folder, segmentName(1)), bytes);
    const reader = new SpoolReader(folder);
    const read: string[] = [];
    for (let part = texts(reader, at(1, bytes.length)); part.length > 0; part = texts(reader, at(1, bytes.length))) {
      read.push(...part);
    }
    expect(read.map((text) => text.length)).toEqual([1, large.length, 1]);
  });

  it("passes over megabytes that are no frames", () => {
    const folder = newFolder();
    const garbage = Buffer.alloc(3 * 2 ** 20, "\xffAttune3", "latin1");
    writeFileSync(join(folder, segmentName(1)), Buffer.concat([garbage, frame("a")]));
    const reader = new SpoolReader(folder);
    expect([texts(reader, at(2, 0)), reader.brokenBytes]).toEqual([["a"], garbage.length]);
  });

  it("throws while the segment cannot be read, and goes on once it can be", () => {
    const folder = newFolder();
    const reader = new SpoolReader(folder);
    expect(() => reader.read(at(1, 21), 100)).toThrow(/ENOENT/);
    writeFileSync(join(folder, segmentName(1)), frame("a"));
    expect(texts(reader, at(1, 21))).toEqual(["a"]);
  });
});
