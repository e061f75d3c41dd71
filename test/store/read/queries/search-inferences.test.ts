import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput, type HubInput } from "../../../../src/hub/input.ts";
import { encodeRequest } from "../../../../src/hub/request-bytes.ts";
import { newId } from "../../../../src/lib/ids.ts";
import { type InferenceSearch, searchInferences } from "../../../../src/store/read/queries/search-inferences.ts";
import type { Store } from "../../../../src/store/types/store.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow } from "../../../support/rows.ts";

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });

describe.each(ENGINES)("searchInferences() on %s", (engine) => {
  const databases = useDatabases(engine);
  let count = 0;

  /** Writes inferences, the oldest first, into a project of their own. */
  async function write(store: Store, inputs: readonly (HubInput | undefined)[]) {
    const projectId = newId();
    const response = toBinary(GenerateResponseSchema, create(GenerateResponseSchema, {}));
    const inferences = inputs.map((input) => {
      count += 1;
      const row = inferenceRow({ id: idAt("2026-11-21T10:00:00Z", count), projectId });
      return {
        row,
        attempts: [],
        request: input && encodeRequest(input),
        response: input && response,
      };
    });
    await writeBatch(store, { inferences, feedback: [] });
    const ids = inferences.map(({ row }) => row.id).toReversed();
    const search = (changes: Partial<InferenceSearch>) =>
      searchInferences(store, { projectId, limit: 50, text: "needle", budgetMs: 10_000, ...changes });
    return { ids, search };
  }

  const saying = (...words: string[]) => createHubInput({ system: words.map(text) });

  it("looks at one inference at least, and goes on from there, until all were looked at", async () => {
    const { ids, search } = await write(databases.store, [
      saying("needle"),
      undefined,
      saying("hay"),
      saying("needle"),
    ]);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let call = 1; call <= 4; call++) {
      const { rows, next, looked } = await search({ budgetMs: 0, cursor });
      expect([looked, next]).toEqual([1, ids[call - 1]]);
      seen.push(...rows.map(({ id }) => id));
      cursor = next;
    }
    expect(seen).toEqual([ids[0], ids[3]]);
    expect(await search({ budgetMs: 0, cursor })).toEqual({
      rows: [],
      next: undefined,
      searchedTo: undefined,
      looked: 0,
    });
  });

  it("finds what people read in every kind of block, and nothing in what only programs read", async () => {
    const inputs = [
      createHubInput({
        messages: [
          { content: [{ kind: { case: "toolUse", value: { name: "look", arguments: '{"a":"Needle"}' } } }] },
          { content: [{ kind: { case: "toolResult", value: { content: [text("a NEEDLE")] } } }] },
        ],
      }),
      createHubInput({
        messages: [{ content: [{ kind: { case: "thinking", value: { text: "", summary: ["some needle"] } } }] }],
      }),
      createHubInput({
        messages: [
          {
            content: [
              {
                kind: { case: "document", value: { source: { case: "content", value: { blocks: [text("needle")] } } } },
              },
            ],
          },
        ],
      }),
      createHubInput({ metadata: { kind: "needles" } }),
      createHubInput({
        messages: [
          {
            content: [
              { kind: { case: "thinking", value: { text: "", opaque: "needle" } } },
              { kind: { case: "image", value: { source: { case: "inline", value: { base64: "needle" } } } } },
            ],
          },
        ],
      }),
    ];
    const { ids, search } = await write(databases.store, inputs);
    const { rows, looked } = await search({});
    expect([rows.map(({ id }) => id), looked]).toEqual([ids.slice(1), 5]);
  });

  it("reads bodies in groups, whatever their number and their sizes", async () => {
    const large = saying(
      "x".repeat(1_200_000).replaceAll("xxxx", () => Math.random().toString(36).slice(2, 6)),
      "needle",
    );
    const inputs = Array.from({ length: 230 }, (_, index) => (index % 100 === 7 ? large : saying("hay")));
    const { ids, search } = await write(databases.store, inputs);
    const { rows, looked, next } = await search({});
    const expected = ids.toReversed().filter((_, index) => index % 100 === 7);
    expect([rows.map(({ id }) => id), looked, next]).toEqual([expected.toReversed(), 230, undefined]);
  });
});
