import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRows } from "./read-rows.ts";
import { toLines } from "./synthetic-rows.ts";

const ROWS = [
  { dataset: "a", prompt_id: "1", prompt: "x", scores: { m: 0.5, n: 1 }, cost: { m: 1, n: 2 } },
  { dataset: "b", prompt_id: "2", prompt: "y", scores: { n: 0, m: 1 }, cost: { m: 3, n: 4 } },
] as const;
const [FIRST, SECOND] = ROWS;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "attune-rows-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: string | Buffer): string {
  const file = join(folder, "rows");
  writeFileSync(file, content);
  return file;
}

describe("readRows()", () => {
  it.each([
    ["JSON lines", (text: string) => text],
    ["gzip", (text: string) => gzipSync(text)],
    [
      "lines that end as on Windows, with empty ones between",
      (text: string) => `\r\n${text.replaceAll("\n", "\r\n\r\n")}`,
    ],
  ])("reads %s", async (_, encode) => {
    expect(await readRows(fileOf(encode(toLines(ROWS))))).toEqual({
      models: ["m", "n"],
      families: ["a", "b"],
      familyOf: Int32Array.of(0, 1),
      prompts: ["x", "y"],
      scores: Float64Array.of(0.5, 1, 1, 0),
      costs: Float64Array.of(1, 2, 3, 4),
    });
  });

  it.each([
    ["JSON lines", (text: string) => text],
    ["gzip", (text: string) => gzipSync(text)],
  ])("keeps U+2028 and U+2029 inside strings of %s", async (_, encode) => {
    const prompt = "one\u2028two\u2029three\u0085four";
    const set = await readRows(fileOf(encode(toLines([{ ...FIRST, prompt }, SECOND]))));
    expect(set.prompts).toEqual([prompt, "y"]);
  });

  it("refuses a line of more than 16 MiB", async () => {
    await expect(readRows(fileOf(" ".repeat(17 * 1024 * 1024)))).rejects.toThrow("line 1 is longer than 16777216");
  });

  it("reads rows without costs", async () => {
    const rows = ROWS.map(({ cost: _, ...row }) => row);
    expect((await readRows(fileOf(toLines(rows)))).costs).toBeUndefined();
  });

  it.each([
    ["no JSON", "{", "line 3: is no JSON"],
    ["no object", "[]", "line 3: the row must be an object"],
    ["no family", { ...SECOND, dataset: undefined }, "line 3: dataset is missing"],
    ["a prompt that is no text", { ...SECOND, prompt: 1 }, "line 3: prompt must be a text"],
    ["no scores", { ...SECOND, scores: undefined }, "line 3: scores must be an object"],
    ["a model less", { ...SECOND, scores: { m: 1 } }, "line 3: scores.n is missing"],
    [
      "a model more",
      { ...SECOND, scores: { m: 1, n: 1, o: 1 } },
      "line 3: scores.o: the first row does not have this model",
    ],
    ["a score above 1", { ...SECOND, scores: { m: 1, n: 1.5 } }, "line 3: scores.n must be a number from 0 to 1"],
    [
      "a score that is no number",
      { ...SECOND, scores: { m: 1, n: "1" } },
      "line 3: scores.n must be a number from 0 to 1",
    ],
    ["a negative cost", { ...SECOND, cost: { m: -1, n: 1 } }, "line 3: cost.m must be a number from 0"],
    [
      "no cost where others have one",
      { ...SECOND, cost: undefined },
      "line 3: cost is missing, and earlier rows have it",
    ],
  ])("rejects a row with %s, by its line and field", async (_, row, message) => {
    const text = typeof row === "string" ? `${row}\n` : toLines([row]);
    await expect(readRows(fileOf(`${toLines([FIRST])}\n${text}`))).rejects.toThrow(message);
  });

  it("rejects files that are not there, are empty, or are cut off", async () => {
    await expect(readRows(join(folder, "nowhere"))).rejects.toThrow("ENOENT");
    await expect(readRows(fileOf(""))).rejects.toThrow("the file has no rows");
    await expect(readRows(fileOf(gzipSync(toLines(ROWS)).subarray(0, 60)))).rejects.toThrow(
      "the file is no sound gzip",
    );
  });
});
