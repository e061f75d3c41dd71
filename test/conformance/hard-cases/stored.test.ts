import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import { MODEL } from "../../support/sdk-fixture.ts";
import { CALLS, TEXT } from "../../support/upstream-frames.ts";
import { useHardCases } from "./hard-case.ts";
import { toolsIn } from "./tool-members.ts";

const cases = useHardCases();
const [OSLO, ROME] = CALLS;

interface Response {
  readonly id: string;
  readonly output: { readonly id: string }[];
}

async function respond(members: object): Promise<Response> {
  const answer = await cases().post("responses", { model: MODEL.responses, ...members });
  expect(answer.status).toBe(200);
  return answer.json() as Response;
}

const outputs = [
  { type: "function_call_output", call_id: OSLO.id, output: "snow" },
  { type: "function_call_output", call_id: ROME.id, output: "rain" },
];

describe("previous_response_id", () => {
  it("case 30: goes on over a chain of three with results of tools; instructions are not inherited", async () => {
    cases().script("responses", "calls", "text", "text");
    const tools = toolsIn("responses", OSLO.name);
    const first = await respond({ input: "Weather?", instructions: "Old.", tools });
    const second = await respond({ previous_response_id: first.id, input: outputs, tools });
    await respond({ previous_response_id: second.id, input: "Thanks" });
    const { input, instructions, previous_response_id } = cases().lastBody();
    expect(input).toMatchObject([
      { role: "user", content: "Weather?" },
      { type: "function_call", call_id: OSLO.id, arguments: OSLO.arguments },
      { type: "function_call", call_id: ROME.id, arguments: ROME.arguments },
      { type: "function_call_output", call_id: OSLO.id, output: "snow" },
      { type: "function_call_output", call_id: ROME.id, output: "rain" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: TEXT }] },
      { role: "user", content: "Thanks" },
    ]);
    expect(instructions).toBeUndefined();
    expect(previous_response_id).toBeUndefined();
  });

  async function failsWith(previous: string, headers: Record<string, string> = {}): Promise<void> {
    const before = cases().upstream.received.length;
    const body = { model: MODEL.responses, previous_response_id: previous };
    const answer = await cases().post("responses", body, headers);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { code: "previous_response_not_found", param: "previous_response_id" },
    });
    expect(cases().upstream.received).toHaveLength(before);
  }

  it("case 30: of another project, of nothing, and of what was not stored is not found", async () => {
    cases().script("responses", "text");
    const { store } = cases().service;
    const projectId = newId();
    await store.query().insertInto("Project").values({ id: projectId, name: "other", createdAt: new Date() }).execute();
    const { key } = await createKey(store, { name: "other", projectId });
    const { id } = await respond({});
    await failsWith(id, { authorization: `Bearer ${key}` });
    await failsWith("resp_nothing");
    await failsWith((await respond({ store: false })).id);
  });
});

describe("items that say little", () => {
  it("case 31: a reference to an item of a stored response stands for the item", async () => {
    cases().script("chat", "text");
    const { output } = await respond({ model: MODEL.chat });
    const reference = { type: "item_reference", id: output[0]?.id };
    const input = [{ role: "user", content: "Hello" }, reference, { role: "user", content: "More" }];
    await respond({ model: MODEL.chat, input });
    expect(cases().lastBody()["messages"]).toEqual([
      { role: "user", content: "Hello" },
      { role: "assistant", content: TEXT },
      { role: "user", content: "More" },
    ]);
  });

  it("case 31: a reference to an item that its upstream named goes to that upstream", async () => {
    cases().script("responses", "text");
    const input = [
      { role: "user", content: "Hello" },
      { type: "item_reference", id: "msg_up" },
    ];
    await respond({ input });
    expect(cases().lastBody()["input"]).toMatchObject([{ role: "user" }, { type: "item_reference", id: "msg_up" }]);
  });

  it("case 31: a reference to nothing is refused by name", async () => {
    const input = [
      { role: "user", content: "x" },
      { type: "item_reference", id: "msg_nothing" },
    ];
    const { status, json } = await cases().post("responses", { model: MODEL.chat, input });
    expect([400, 404]).toContain(status);
    expect(json()).toMatchObject({ error: { param: expect.stringMatching(/^input\[1\]/) } });
  });

  it.each<[string, unknown]>([
    ["a string", "I said"],
    ["output_text", [{ type: "output_text", text: "I said" }]],
    ["input_text", [{ type: "input_text", text: "I said" }]],
  ])("case 31: messages need no type, and the assistant's history may be %s", async (_what, content) => {
    const input = [
      { role: "user", content: "x" },
      { role: "assistant", content },
      { role: "user", content: "y" },
    ];
    cases().script("messages", "text");
    await respond({ model: MODEL.messages, input });
    expect(cases().lastBody()["messages"]).toEqual([
      { role: "user", content: "x" },
      { role: "assistant", content: "I said" },
      { role: "user", content: "y" },
    ]);
    cases().script("chat", "text");
    await respond({ model: MODEL.chat, input });
    expect(cases().lastBody()["messages"]).toMatchObject([{}, { role: "assistant", content: "I said" }, {}]);
  });
});
