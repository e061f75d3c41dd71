import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markParts, type PromptBlocks } from "../../../../src/formats/messages/request/mark-parts.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";

const ALL = { prefix: true, conversation: true };
const MARK = { type: "ephemeral" };
const text = (value: string): JsonObject => ({ type: "text", text: value });
const user = (...content: JsonObject[]) => ({ role: "user", content });
const assistant = (...content: JsonObject[]) => ({ role: "assistant", content });
const LONG = "x".repeat(400);

/** Names of the blocks that are marked, by their texts and names. */
function marked(prompt: PromptBlocks, parts = ALL, minTokens = 0): unknown[] {
  const copy: PromptBlocks = structuredClone(prompt);
  const marks = markParts(copy, parts, minTokens);
  const all = [...copy.tools, ...copy.system, ...copy.messages.flatMap(({ content }) => content)];
  const found = all.filter((block) => block["cache_control"] !== undefined);
  for (const block of found) expect(block["cache_control"]).toEqual(MARK);
  expect(found).toHaveLength(marks);
  return found.map(({ name, text: said, tool_use_id: id, type }) => name ?? said ?? id ?? type);
}

const prompt: PromptBlocks = {
  tools: [{ name: "f" }, { name: "g" }, { name: "later", defer_loading: true }],
  system: [text("rules"), text("")],
  messages: [user(text("q1")), assistant(text("a1")), user(text("q2")), assistant(text("a2")), user(text("q3"))],
};

describe("markParts()", () => {
  it("marks the ends of the tools, of the system prompt, and of the conversation now and before", () => {
    expect(marked(prompt)).toEqual(["g", "rules", "q2", "q3"]);
    expect(marked(prompt, { prefix: true, conversation: false })).toEqual(["g", "rules"]);
    expect(marked(prompt, { prefix: false, conversation: true })).toEqual(["q2", "q3"]);
  });

  it("marks what there is", () => {
    expect(marked({ tools: [], system: [], messages: [user(text("q1"))] })).toEqual(["q1"]);
    expect(marked({ tools: [], system: [], messages: [assistant(text("a1"))] })).toEqual([]);
  });

  it("marks the user's last turn where the model is to go on with an answer", () => {
    const messages = [...prompt.messages, assistant(text("half an"))];
    expect(marked({ ...prompt, messages })).toEqual(["g", "rules", "q2", "q3"]);
  });

  it("puts no mark on what takes none", () => {
    const thinking = { type: "thinking", thinking: "Hm." };
    const image = { type: "image", source: { type: "base64", data: "aaaa" } };
    const result = { type: "tool_result", tool_use_id: "t1", content: "4" };
    const messages = [user(image, text("")), assistant(thinking), user(result, thinking)];
    expect(marked({ tools: [], system: [], messages })).toEqual(["image", "t1"]);
  });

  it("marks no prefix that is too short for a cache, by its text", () => {
    const tools = [{ name: "f", description: LONG }];
    const image = { type: "image", source: { type: "base64", data: LONG } };
    const long = {
      tools,
      system: [text(LONG)],
      messages: [user(text("q1"), image), assistant(text("a1")), user(text(LONG))],
    };
    expect(marked(long, ALL, 100)).toEqual(["f", LONG, "image", LONG]);
    expect(marked(long, ALL, 150)).toEqual([LONG, "image", LONG]);
    expect(marked(long, ALL, 250)).toEqual([LONG]);
    expect(marked(long, ALL, 1000)).toEqual([]);
  });

  it.each<[string, PromptBlocks]>([
    ["a tool", { ...prompt, tools: [{ name: "f", cache_control: MARK }, { name: "g" }] }],
    ["the system prompt", { ...prompt, system: [{ ...text("rules"), cache_control: MARK }] }],
    [
      "a part of a result",
      {
        ...prompt,
        messages: [user({ type: "tool_result", tool_use_id: "t", content: [{ ...text("4"), cache_control: MARK }] })],
      },
    ],
  ])("leaves a prompt alone whose caller has marked %s", (_what, own) => {
    const copy = structuredClone(own);
    expect(markParts(copy, ALL, 0)).toBe(0);
    expect(copy).toEqual(own);
  });

  it("has at most four marks, changes nothing else, and marks again what it marked as the conversation's end", () => {
    const word = fc.stringMatching(/^[a-z]{1,40}$/);
    const said = fc.array(word.map(text), { minLength: 1, maxLength: 3 });
    const turns = fc.array(fc.record({ question: said, answer: said }), { minLength: 2, maxLength: 8 });
    const all = fc.record({ tools: fc.array(word.map((name) => ({ name }))), system: fc.array(word.map(text)), turns });
    fc.assert(
      fc.property(all, fc.nat({ max: 60 }), ({ tools, system, turns: list }, minTokens) => {
        // As the service encodes a prompt anew for each request.
        const promptAt = (turn: number): PromptBlocks =>
          structuredClone({
            tools,
            system,
            messages: list.slice(0, turn + 1).flatMap(({ question, answer }, index) => {
              return index === turn ? [user(...question)] : [user(...question), assistant(...answer)];
            }),
          });
        let before: PromptBlocks | undefined;
        for (let turn = 0; turn < list.length; turn++) {
          const now = promptAt(turn);
          expect(markParts(now, ALL, minTokens)).toBeLessThanOrEqual(4);
          const bare = JSON.parse(JSON.stringify(now, (key, value) => (key === "cache_control" ? undefined : value)));
          expect(bare).toEqual(promptAt(turn));
          if (before !== undefined) {
            expect(now.tools).toEqual(before.tools);
            expect(now.system).toEqual(before.system);
            expect(now.messages[2 * turn - 2]).toEqual(before.messages.at(-1));
          }
          before = now;
        }
      }),
    );
  });
});
