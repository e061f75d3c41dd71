import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  GenerateResponseSchema,
  InferenceInputSchema,
  type StoredInference,
  StoredInferenceSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeInputItems } from "../../../../src/formats/responses/answer/encode-input-items.ts";
import { encodeStored } from "../../../../src/formats/responses/answer/encode-stored.ts";
import { paginateItems } from "../../../../src/formats/responses/answer/paginate-items.ts";
import { INPUT } from "../../../../src/formats/responses/request/decode-item.ts";
import { resolveReferences } from "../../../../src/formats/responses/request/resolve-references.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";
import { ID, SUFFIX } from "./answer.ts";

const id = (prefix: string) => `${prefix}_${SUFFIX}_i0`;

describe("encodeInputItems()", () => {
  const message = { type: "message", role: "user", status: "completed" };
  const mark = { mode: "explicit", ttl: "30m" };
  const cases: [name: string, item: object | string, encoded: object][] = [
    ["a text", "Hello", { id: id("msg"), ...message, content: [{ type: "input_text", text: "Hello" }] }],
    [
      "an easy message of the developer",
      { role: "developer", content: "Be brief." },
      { id: id("msg"), ...message, role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
    ],
    [
      "a message of the assistant with its id and its own members",
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "incomplete",
        phase: "commentary",
        content: [
          { type: "output_text", text: "Hi", annotations: [{ type: "x" }] },
          { type: "refusal", refusal: "No" },
        ],
      },
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "incomplete",
        content: [
          { type: "output_text", text: "Hi", annotations: [{ type: "x" }] },
          { type: "refusal", refusal: "No" },
        ],
        phase: "commentary",
      },
    ],
    [
      "media of every source",
      {
        role: "user",
        content: [
          { type: "input_image", image_url: "https://a.example/b.png", prompt_cache_breakpoint: mark },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" },
          { type: "input_image", file_id: "file_1" },
          { type: "input_file", file_url: "https://a.example/b.pdf" },
          { type: "input_file", file_data: "data:application/pdf;base64,AAAA", filename: "b.pdf" },
          { type: "input_file", file_data: "AAAA" },
          { type: "input_file", file_id: "file_2" },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "input_hologram", depth: 3 },
        ],
      },
      {
        id: id("msg"),
        ...message,
        content: [
          {
            type: "input_image",
            detail: "auto",
            image_url: "https://a.example/b.png",
            prompt_cache_breakpoint: mark,
          },
          { type: "input_image", detail: "low", image_url: "data:image/png;base64,AAAA" },
          { type: "input_image", detail: "auto", file_id: "file_1" },
          { type: "input_file", file_url: "https://a.example/b.pdf" },
          { type: "input_file", filename: "b.pdf", file_data: "data:application/pdf;base64,AAAA" },
          { type: "input_file", file_data: "AAAA" },
          { type: "input_file", file_id: "file_2" },
          { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
          { type: "input_hologram", depth: 3 },
        ],
      },
    ],
    [
      "a call",
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { id: id("fc"), type: "function_call", call_id: "c", name: "f", arguments: "{}", status: "completed" },
    ],
    [
      "a call of a custom tool",
      { type: "custom_tool_call", call_id: "c", name: "f", input: "x", namespace: "n" },
      {
        id: id("ctc"),
        type: "custom_tool_call",
        call_id: "c",
        name: "f",
        input: "x",
        status: "completed",
        namespace: "n",
      },
    ],
    [
      "an output as text",
      { type: "function_call_output", call_id: "c", output: "4" },
      { id: id("fco"), type: "function_call_output", call_id: "c", output: "4", status: "completed" },
    ],
    [
      "an output in parts",
      { type: "custom_tool_call_output", call_id: "c", output: [{ type: "input_image", file_id: "file_1" }] },
      {
        id: id("ctco"),
        type: "custom_tool_call_output",
        call_id: "c",
        output: [{ type: "input_image", detail: "auto", file_id: "file_1" }],
        status: "completed",
      },
    ],
    [
      "reasoning",
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "s" }],
        content: [{ type: "reasoning_text", text: "t" }],
        encrypted_content: "sealed",
      },
      {
        id: "rs_1",
        type: "reasoning",
        summary: [{ type: "summary_text", text: "s" }],
        content: [{ type: "reasoning_text", text: "t" }],
        encrypted_content: "sealed",
      },
    ],
    [
      "an item that is not known",
      { type: "file_search_call", query: "q" },
      { id: id("item"), type: "file_search_call", query: "q" },
    ],
  ];

  it.each(cases)("gives %s back with an id", (_name, item, encoded) => {
    const input = typeof item === "string" ? item : [item];
    expect(encodeInputItems(INPUT.read(input, "input", undefined), ID)).toEqual([encoded]);
  });

  it.each(cases)("gives %s in a form that says the same when it is sent back", (_name, _item, encoded) => {
    expect(encodeInputItems(INPUT.read([encoded], "input", undefined), ID)).toEqual([encoded]);
  });

  it("parts a message of an RPC caller into items", () => {
    const { messages } = create(InferenceInputSchema, {
      messages: [
        {
          role: Role.ASSISTANT,
          content: [
            { kind: { case: "text", value: { text: "a" } } },
            { kind: { case: "redactedThinking", value: { data: "sealed" } } },
            { kind: { case: "document", value: { source: { case: "text", value: "Hi" }, title: "t" } } },
          ],
        },
        { role: Role.USER },
      ],
    });
    expect(encodeInputItems(messages, ID)).toEqual([
      {
        id: `msg_${SUFFIX}_i0`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "a", annotations: [] }],
      },
      { id: `rs_${SUFFIX}_i1`, type: "reasoning", summary: [], encrypted_content: "sealed" },
      {
        id: `msg_${SUFFIX}_i2`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "input_file", filename: "t", file_data: "data:text/plain;base64,SGk=" }],
      },
      { id: `msg_${SUFFIX}_i3`, type: "message", role: "user", status: "completed", content: [] },
    ]);
  });
});

describe("paginateItems()", () => {
  const items = ["a", "b", "c"].map((name) => ({ id: name }));

  it.each([
    [{}, ["c", "b", "a"], false],
    [{ order: "asc" }, ["a", "b", "c"], false],
    [{ limit: "2" }, ["c", "b"], true],
    [{ limit: "2", after: "b" }, ["a"], false],
    [{ order: "asc", after: "a", limit: "1" }, ["b"], true],
    [{ after: "a" }, [], false],
  ])("gives the page %j", (query, ids, hasMore) => {
    expect(paginateItems(items, query)).toEqual({
      object: "list",
      data: ids.map((name) => ({ id: name })),
      first_id: ids[0] ?? null,
      last_id: ids.at(-1) ?? null,
      has_more: hasMore,
    });
  });

  it("gives 20 where nothing is said", () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ id: `${index}` }));
    expect(paginateItems(many, {})).toMatchObject({ first_id: "20", last_id: "1", has_more: true });
  });

  it.each([
    [{ limit: "0" }, "limit: must be a whole number from 1 to 100"],
    [{ limit: "101" }, "limit: must be a whole number from 1 to 100"],
    [{ limit: "" }, "limit: must be a whole number from 1 to 100"],
    [{ limit: ["1", "2"] }, "limit: must be a whole number from 1 to 100"],
    [{ order: "up" }, "order: must be 'asc' or 'desc'"],
    [{ after: "x" }, "after: is not the id of an item of this response"],
  ])("refuses %j", (query, message) => {
    expect(() => paginateItems(items, query)).toThrow(message);
  });
});

describe("encodeStored()", () => {
  it("gives nothing for what did not come in this format", () => {
    const stored = create(StoredInferenceSchema, { input: { model: "attune/m" }, output: { id: ID } });
    expect(encodeStored(stored)).toBeUndefined();
  });
});

describe("resolveReferences()", () => {
  const stored = create(StoredInferenceSchema, {
    input: { messages: [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "Hello" } } }] }] },
    output: create(GenerateResponseSchema, { id: ID, content: [{ kind: { case: "text", value: { text: "Hi" } } }] }),
  });

  async function resolve(...items: object[]) {
    const input = create(InferenceInputSchema, { messages: INPUT.read(items, "input", undefined) });
    const asked: string[] = [];
    const read = async (inferenceId: string): Promise<StoredInference | undefined> => {
      asked.push(inferenceId);
      return inferenceId === ID ? stored : undefined;
    };
    await resolveReferences(input, read);
    const kinds = input.messages.map(({ role, content }) => [role, content[0]?.kind.case]);
    return { kinds, asked };
  }

  it("puts items of what was asked and answered in the place of their references, and reads once", async () => {
    const { kinds, asked } = await resolve(
      { id: `msg_${SUFFIX}_0` },
      { type: "item_reference", id: `msg_${SUFFIX}_i0` },
      { role: "user", content: "x" },
    );
    expect(kinds).toEqual([
      [Role.ASSISTANT, "text"],
      [Role.USER, "text"],
      [Role.USER, "text"],
    ]);
    expect(asked).toEqual([ID]);
  });

  it("leaves an upstream's own references, and items with an id of ours that are no references", async () => {
    const { kinds, asked } = await resolve(
      { type: "item_reference", id: "msg_68abc" },
      { type: "web_search_call", id: `ws_${SUFFIX}_0` },
    );
    expect(kinds).toEqual([
      [Role.UNSPECIFIED, "opaque"],
      [Role.UNSPECIFIED, "opaque"],
    ]);
    expect(asked).toEqual([]);
  });

  it("leaves references to responses that are not stored to the history", async () => {
    const { kinds } = await resolve({ id: `msg_${SUFFIX.replace("abcd", "0000")}_0` });
    expect(kinds).toEqual([[Role.UNSPECIFIED, "opaque"]]);
  });

  it.each([`msg_${SUFFIX}_1`, `rs_${SUFFIX}_0`])("refuses %s, which is not stored", async (missing) => {
    await expect(resolve({ role: "user", content: "x" }, { id: missing })).rejects.toMatchObject({
      reason: ErrorReason.NOT_FOUND,
      facts: { param: "input[1].id" },
    });
  });
});
