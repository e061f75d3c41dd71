import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { RecordBatch } from "../../../../src/store/types/record-batch.ts";
import { recordToRow } from "../../../../src/store/write/recorder/record-to-row.ts";
import { type JoinOptions, joinWrites } from "../../../../src/store/write/spool/join-writes.ts";
import { inferenceRecord } from "../../../support/inference-record.ts";

const DATA_FAULT = new TypeError("this value cannot be");
const PASSING = new Error("the connection ended");
const row = recordToRow(inferenceRecord());

interface BatchOptions {
  readonly ids?: readonly string[];
  readonly bytes?: number;
}

function batch({ ids = [newId()], bytes }: BatchOptions = {}): RecordBatch {
  const body = bytes === undefined ? undefined : new Uint8Array(bytes);
  const inferences = ids.map((id) => ({ row: { ...row, id }, attempts: [], request: body, response: body }));
  return { inferences, feedback: [] };
}

const idsOf = ({ inferences }: RecordBatch) => inferences.map((inference) => inference.row.id);

/** A database that takes batches of ids, unless `refuse` throws. */
function start(options: Partial<JoinOptions> = {}, refuse: (ids: readonly string[]) => void = () => {}) {
  const written: string[][] = [];
  const tried: string[][] = [];
  const write = joinWrites({
    async write(given) {
      tried.push(idsOf(given));
      refuse(idsOf(given));
      written.push(idsOf(given));
    },
    isDataFault: (error) => error === DATA_FAULT,
    writers: () => 1,
    mostEntries: 100,
    ...options,
  });
  return { write, written, tried };
}

describe("joinWrites", () => {
  it("writes together what is there at one moment, in the order in which it came", async () => {
    const { write, written } = start();
    await Promise.all([write(batch({ ids: ["a", "b"] })), write(batch({ ids: ["c"] })), write(batch({ ids: ["d"] }))]);
    expect(written).toEqual([["a", "b", "c", "d"]]);
    await write(batch({ ids: ["e"] }));
    expect(written).toEqual([["a", "b", "c", "d"], ["e"]]);
  });

  it("waits a moment for others, where there are any", async () => {
    const { write, written } = start({ writers: () => 2 });
    const first = write(batch({ ids: ["a"] }));
    await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([first, write(batch({ ids: ["b"] }))]);
    expect(written).toEqual([["a", "b"]]);
  });

  it("writes those that come during a write together after it", async () => {
    const gate = Promise.withResolvers<void>();
    const written: string[][] = [];
    const write = joinWrites({
      async write(given) {
        written.push(idsOf(given));
        if (written.length === 1) await gate.promise;
      },
      isDataFault: () => false,
      writers: () => 1,
      mostEntries: 100,
    });
    const first = write(batch({ ids: ["a"] }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const others = [write(batch({ ids: ["b"] })), write(batch({ ids: ["c"] }))];
    gate.resolve();
    await Promise.all([first, ...others]);
    expect(written).toEqual([["a"], ["b", "c"]]);
  });

  it("keeps to the number of entries and of bytes, and writes a larger one alone", async () => {
    const { write, written } = start({ mostEntries: 3 });
    const sizes = [2, 1, 1, 5, 1];
    await Promise.all(sizes.map((size) => write(batch({ ids: Array.from({ length: size }, () => newId()) }))));
    expect(written.map(({ length }) => length)).toEqual([3, 1, 5, 1]);
    const bytes = 3 * 2 ** 20;
    await Promise.all(["a", "b"].map((id) => write(batch({ ids: [id], bytes }))));
    expect(written.slice(-2)).toEqual([["a"], ["b"]]);
  });

  it("finds out whose values are at fault, and writes the others", async () => {
    const { write, tried, written } = start({}, (ids) => {
      if (ids.includes("bad")) throw DATA_FAULT;
    });
    const results = await Promise.allSettled(["a", "bad", "c"].map((id) => write(batch({ ids: [id] }))));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: DATA_FAULT });
    expect(tried).toEqual([["a", "bad", "c"], ["a"], ["bad"], ["c"]]);
    expect(written).toEqual([["a"], ["c"]]);
  });

  it("tells all at once that the database is away, and writes again once it is back", async () => {
    let isAway = true;
    const { write, tried } = start({}, () => {
      if (isAway) throw PASSING;
    });
    const results = await Promise.allSettled(["a", "b"].map((id) => write(batch({ ids: [id] }))));
    expect(results).toEqual([
      { status: "rejected", reason: PASSING },
      { status: "rejected", reason: PASSING },
    ]);
    expect(tried).toHaveLength(1);
    isAway = false;
    await write(batch({ ids: ["a"] }));
    expect(tried).toHaveLength(2);
  });
});
