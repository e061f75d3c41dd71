import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import { createJudgeInput } from "../../../src/learning/shadow/judge-prompt.ts";

const text = (said: string) => ({ kind: { case: "text", value: { text: said } } }) as const;
const call = { kind: { case: "toolUse", value: { id: "1", name: "weather", arguments: '{"city":"Oslo"}' } } } as const;

const judge = { name: "judge", maxOutputTokens: 64_000 };
const input = createHubInput({
  model: "attune/base",
  system: [text("Be brief.")],
  messages: [
    { role: Role.USER, content: [text('Say "}" and nothing else.')] },
    { role: Role.ASSISTANT, content: [{ kind: { case: "thinking", value: { text: "hm" } } }, call] },
    { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: { toolUseId: "1", content: [text("sun")] } } }] },
  ],
  tools: [{ kind: { case: "function", value: { name: "weather" } } }],
});
const response = create(GenerateResponseSchema, { content: [text("It is sunny."), call] });

/** The texts of a request: its system prompt, and its message. */
function textsOf({ system, messages }: HubInput): readonly string[] {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  return blocks.map(({ kind }) => (kind.case === "text" ? kind.value.text : ""));
}

describe("createJudgeInput()", () => {
  it("has the conversation and the answer as JSON, which no text in them can leave", () => {
    const [, material = ""] = textsOf(createJudgeInput(judge, { input, response }, undefined));
    expect(JSON.parse(material)).toEqual({
      conversation: [
        { role: "system", text: "Be brief." },
        { role: "user", text: 'Say "}" and nothing else.' },
        { role: "assistant", text: '[calls the tool weather with {"city":"Oslo"}]' },
        { role: "tool", text: "[the tool returned sun]" },
      ],
      tools: ["weather"],
      answer: 'It is sunny.\n[calls the tool weather with {"city":"Oslo"}]',
    });
  });

  it("tells the judge the operator's rubric, if there is one, and asks for JSON last", () => {
    const [plain = ""] = textsOf(createJudgeInput(judge, { input, response }, undefined));
    const [system = ""] = textsOf(createJudgeInput(judge, { input, response }, "It names the city."));
    expect(plain).not.toContain("What satisfactory means");
    expect(system).toContain("What satisfactory means here: It names the city.");
    expect(system).toMatch(/\{"satisfactory": true or false, "reason": "one sentence"\}$/);
  });

  it("offers the judge no tools, and has nothing stored", () => {
    const judging = createJudgeInput(judge, { input, response }, undefined);
    const small = createJudgeInput({ ...judge, maxOutputTokens: 1000 }, { input, response }, undefined);
    expect(small.maxOutputTokens).toBe(1000);
    expect(judging).toMatchObject({ model: "judge", tools: [], store: false, maxOutputTokens: 4096 });
  });
});
