import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { recordToAttempts, recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { decodeEntry, encodeInference } from "../../../../src/store/write/spool/entry.ts";
import { encodeFrame, readFrames } from "../../../../src/store/write/spool/frame.ts";
import { segmentName } from "../../../../src/store/write/spool/position.ts";
import { leftProvisional, ProvisionalFiles } from "../../../../src/store/write/spool/provisional-files.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";
import { useTemporaryFolders } from "../../../support/temporary-folder.ts";

const payloadOf = (id: string, model = "m") => {
  const record = inferenceRecord({ id, model });
  return encodeInference({
    row: recordToRow(record),
    attempts: recordToAttempts(record),
    request: undefined,
    response: undefined,
  });
};

function modelIn(path: string): string | undefined {
  const { frames } = readFrames(readFileSync(path), { frames: 10, isComplete: true });
  expect(frames).toHaveLength(1);
  const entry = frames[0] && decodeEntry(frames[0].payload);
  return entry?.kind === "inference" ? entry.inference.row.model : undefined;
}

describe("ProvisionalFiles", () => {
  const newFolder = useTemporaryFolders();

  it("keep one entry for each inference, the latest", () => {
    const folder = newFolder();
    const files = new ProvisionalFiles(folder);
    const [one, other] = [newId(), newId()];
    files.put(one, payloadOf(one, "before"), 3);
    files.put(other, payloadOf(other), 3);
    files.put(one, payloadOf(one, "after"), 4);
    expect(files.size).toBe(2);
    const left = leftProvisional(folder, []);
    expect(left.map(modelIn).sort()).toEqual(["after", "m"]);
    files.delete(one);
    files.delete(one);
    expect(leftProvisional(folder, []).map(modelIn)).toEqual(["m"]);
    files.delete(other);
    expect([files.size, readdirSync(folder)]).toEqual([0, []]);
  });

  it("leave what was there where the disk takes nothing", () => {
    const folder = newFolder();
    const files = new ProvisionalFiles(folder);
    const id = newId();
    files.put(id, payloadOf(id, "before"), 1);
    const [name = ""] = readdirSync(folder);
    // Nothing can be written in its place.
    mkdirSync(join(folder, `${name}.new`));
    expect(() => files.put(id, payloadOf(id, "after"), 1)).toThrow();
    expect(leftProvisional(folder, []).map(modelIn)).toEqual(["before"]);
  });

  it("are passed over where the record itself is in the segments, from the one on in which it can be", () => {
    const folder = newFolder();
    const files = new ProvisionalFiles(folder);
    const ids = { before: newId(), after: newId(), torn: newId(), none: newId() };
    for (const [, id] of Object.entries(ids)) files.put(id, payloadOf(id), 2);
    const frame = (id: string) => encodeFrame(payloadOf(id, "itself"));
    // No record is older than what stands for it: this one belongs to an inference of the same id in no world.
    writeFileSync(join(folder, segmentName(1)), frame(ids.before));
    writeFileSync(join(folder, segmentName(2)), frame(newId()));
    writeFileSync(join(folder, segmentName(5)), Buffer.concat([frame(ids.after), frame(ids.torn).subarray(0, 90)]));
    writeFileSync(join(folder, "half.provisional.new"), "half");
    const left = leftProvisional(folder, [1, 2, 5]);
    expect(left.map((path) => Object.values(ids).find((id) => path.includes(id))).sort()).toEqual(
      [ids.before, ids.torn, ids.none].sort(),
    );
    expect(left.every((path) => existsSync(path))).toBe(true);
    // Whoever is killed here does the same again.
    expect(leftProvisional(folder, [1, 2, 5])).toEqual(left);
  });
});
