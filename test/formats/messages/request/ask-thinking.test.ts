import { describe, expect, it } from "vitest";
import {
  Dialect,
  ReasoningEffort,
  Role,
  ThinkingMode,
  ToolChoiceMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { encodeCountRequest, encodeRequest } from "../../../../src/formats/messages/request/encode-request.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import { asSent } from "../../shared/as-sent.ts";
import { target } from "./target.ts";

type Form = "adaptive" | "budget" | "none";

const { LOW, MEDIUM, HIGH, MAX, NONE, UNSPECIFIED } = ReasoningEffort;
const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const user = { role: Role.USER, content: [text("Why?")] };
const call = { kind: { case: "toolUse" as const, value: { id: "t1", name: "f", arguments: "{}" } } };
const result = { kind: { case: "toolResult" as const, value: { toolUseId: "t1", content: [text("4")] } } };
const signedAs = (opaque: string | undefined) => ({
  kind: { case: "thinking" as const, value: { text: "Hm.", ...(opaque !== undefined && { opaque }) } },
});
const LOOP = [user, { role: Role.ASSISTANT, content: [call] }, { role: Role.USER, content: [result] }];
const tools = [{ kind: { case: "function" as const, value: { name: "f", parametersJson: '{"type":"object"}' } } }];

function ask(form: Form, init: HubInit, dialect: Dialect = Dialect.RESPONSES) {
  const input = createHubInput({ model: "attune/m", dialect, messages: [user], ...init });
  const { body, losses } = asSent(encodeRequest(input, { ...target, model: { ...target.model, thinking: form } }));
  const { thinking, output_config, temperature, top_p, top_k } = JSON.parse(body);
  return { thinking, effort: output_config?.effort, temperature, top_p, top_k, losses };
}

describe("the thinking that callers of the OpenAI formats ask for", () => {
  it.each<[string, Form, HubInit, object]>([
    ["an effort", "adaptive", { reasoning: { effort: HIGH } }, { thinking: { type: "adaptive" }, effort: "high" }],
    [
      "a summary",
      "adaptive",
      { reasoning: { effort: UNSPECIFIED, summary: "auto" } },
      { thinking: { type: "adaptive", display: "summarized" } },
    ],
    [
      "a summary of a kind that the format does not have",
      "adaptive",
      { reasoning: { effort: LOW, summary: "detailed" } },
      { thinking: { type: "adaptive", display: "summarized" }, effort: "low", losses: ["reasoning.summary"] },
    ],
    [
      "an effort beside a summary that the hub does not know",
      "adaptive",
      { reasoning: { effort: LOW, extension: { dialect: Dialect.RESPONSES, json: '{"summary":"verbatim"}' } } },
      { thinking: { type: "adaptive" }, effort: "low", losses: ["reasoning.extension.summary"] },
    ],
    [
      "a summary beside an effort that the hub does not know",
      "adaptive",
      { reasoning: { summary: "auto", extension: { dialect: Dialect.RESPONSES, json: '{"effort":"ultra"}' } } },
      { thinking: { type: "adaptive", display: "summarized" }, losses: ["reasoning.extension.effort"] },
    ],
    [
      "an effort beside a display, which belongs to a mode",
      "adaptive",
      { reasoning: { effort: LOW, display: "omitted" } },
      { thinking: { type: "adaptive" }, effort: "low", losses: ["reasoning.display"] },
    ],
    [
      "an effort beside a thinking in the words of the format, which goes as it is",
      "adaptive",
      {
        reasoning: { effort: LOW, extension: { dialect: Dialect.MESSAGES, json: '{"type":"dreaming","depth":2}' } },
      },
      { thinking: { type: "dreaming", depth: 2 }, effort: "low" },
    ],
    ["none", "adaptive", { reasoning: { effort: NONE } }, { thinking: { type: "disabled" } }],
    ["nothing", "adaptive", { reasoning: {} }, {}],
    [
      "an effort of a model with budgets",
      "budget",
      { reasoning: { effort: MEDIUM, summary: "auto" } },
      { thinking: { type: "enabled", budget_tokens: 8192, display: "summarized" } },
    ],
    [
      "an effort with few tokens for the answer",
      "budget",
      { maxOutputTokens: 3000, reasoning: { effort: MAX } },
      { thinking: { type: "enabled", budget_tokens: 1500 } },
    ],
    [
      "an effort with too few tokens to think",
      "budget",
      { maxOutputTokens: 2000, reasoning: { effort: LOW } },
      { losses: ["reasoning.effort"] },
    ],
    [
      "an effort of a model that cannot think",
      "none",
      { reasoning: { effort: LOW, summary: "auto" } },
      { losses: ["reasoning.effort", "reasoning.summary"] },
    ],
    ["none of a model that cannot think", "none", { reasoning: { effort: NONE } }, {}],
    [
      "an effort where a tool must be called, beside which the format refuses thinking",
      "adaptive",
      { tools, toolChoice: { mode: ToolChoiceMode.REQUIRED }, reasoning: { effort: HIGH } },
      { effort: "high", losses: ["reasoning.effort"] },
    ],
    [
      "an effort and how the answer is sampled, which the format refuses beside thinking",
      "adaptive",
      { temperature: 0, topP: 0.5, topK: 3, reasoning: { effort: HIGH } },
      { thinking: { type: "adaptive" }, effort: "high", losses: ["temperature", "top_p", "top_k"] },
    ],
    [
      "an effort and sampling that means nothing",
      "adaptive",
      { temperature: 1, topP: 1, reasoning: { effort: HIGH } },
      { thinking: { type: "adaptive" }, effort: "high" },
    ],
    [
      "an effort inside of a turn that began without thinking",
      "budget",
      { tools, messages: LOOP, reasoning: { effort: HIGH } },
      { losses: ["reasoning.effort"] },
    ],
    [
      "the same of a model that thinks as it sees fit",
      "adaptive",
      { tools, messages: LOOP, reasoning: { effort: HIGH } },
      { thinking: { type: "adaptive" }, effort: "high" },
    ],
    [
      "an effort after a turn that ended without thinking",
      "budget",
      { tools, messages: [...LOOP, { role: Role.ASSISTANT, content: [text("4")] }, user], reasoning: { effort: HIGH } },
      { thinking: { type: "enabled", budget_tokens: 16_384 } },
    ],
  ])("%s (%s)", (_what, form, init, expected) => {
    const unsaid = {
      thinking: undefined,
      effort: undefined,
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
    };
    expect(ask(form, init)).toEqual({ ...unsaid, losses: [], ...expected });
  });

  it("is asked for inside of a turn that began with thinking", () => {
    const messages: HubInit["messages"] = [
      user,
      { role: Role.ASSISTANT, content: [signedAs("sig"), call] },
      { role: Role.USER, content: [result] },
    ];
    const { thinking, losses } = ask("budget", { tools, messages, reasoning: { effort: HIGH } });
    expect(thinking).toEqual({ type: "enabled", budget_tokens: 16_384 });
    expect(losses).not.toContain("reasoning.effort");
  });

  it.each([
    ["was not signed", undefined],
    ["another upstream signed", ""],
  ])("is off inside of a turn whose thinking %s, in the words of the format too", (_what, opaque) => {
    const messages: HubInit["messages"] = [
      user,
      { role: Role.ASSISTANT, content: [signedAs(opaque), call] },
      { role: Role.USER, content: [result] },
    ];
    const asked = ask("budget", { tools, messages, reasoning: { effort: HIGH } });
    expect(asked).toMatchObject({ thinking: undefined, losses: ["messages[1].content[0]", "reasoning.effort"] });
    const reasoning = { mode: ThinkingMode.ENABLED, budgetTokens: 2048 };
    const spoken = ask("budget", { tools, messages, reasoning }, Dialect.UNSPECIFIED);
    expect(spoken).toMatchObject({ thinking: { type: "disabled" } });
    expect(spoken.losses).toEqual(expect.arrayContaining(["reasoning.mode", "messages[1].content[0]"]));
    const native = ask("budget", { tools, messages, reasoning }, Dialect.MESSAGES);
    expect(native).toMatchObject({ thinking: { type: "disabled" } });
    expect(native.losses).toContain("reasoning.mode");
    // A caller who sent none is told so by the upstream itself.
    const unsent = ask("budget", { tools, messages: LOOP, reasoning }, Dialect.MESSAGES);
    expect(unsent).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2048 }, losses: [] });
  });

  it("is left alone in a request of the format itself", () => {
    const sent = ask("budget", { temperature: 0, reasoning: { effort: HIGH } }, Dialect.MESSAGES);
    expect(sent).toMatchObject({ thinking: undefined, effort: "high", temperature: 0, losses: [] });
  });

  it("is counted with the prompt", () => {
    const input = createHubInput({
      model: "attune/m",
      dialect: Dialect.CHAT,
      messages: [user],
      reasoning: { effort: LOW },
    });
    const { body } = asSent(encodeCountRequest(input, { ...target, model: { ...target.model, thinking: "budget" } }));
    expect(JSON.parse(body).thinking).toEqual({ type: "enabled", budget_tokens: 2048 });
  });
});

describe("sampling of Claude's models", () => {
  const sample = (model: string, init: HubInit, dialect: Dialect = Dialect.CHAT) => {
    const input = createHubInput({ model: "attune/m", dialect, messages: [user], ...init });
    const { body, losses } = asSent(encodeRequest(input, { ...target, deployment: { ...target.deployment, model } }));
    const { temperature, top_p } = JSON.parse(body);
    return [temperature, top_p, ...losses];
  };
  const both = { temperature: 0.2, topP: 0.9 };

  it.each([
    ["claude-haiku-4-5", both, [0.2, undefined, "top_p"]],
    ["us.anthropic.claude-opus-4-1-20250805-v1:0", both, [0.2, undefined, "top_p"]],
    ["claude-sonnet-5-5", both, [0.2, undefined, "top_p"]],
    ["claude-sonnet-4-5", { temperature: 0.2, topP: 1 }, [0.2, undefined]],
    ["claude-sonnet-4-5", { topP: 0.9 }, [undefined, 0.9]],
    ["claude-opus-4-8", both, [undefined, undefined, "temperature", "top_p"]],
    ["claude-opus-4-20250514", both, [0.2, 0.9]],
    ["claude-3-5-sonnet-20241022", both, [0.2, 0.9]],
  ])("is what %s takes of %j", (model, init, expected) => {
    expect(sample(model, init)).toEqual(expected);
  });

  it("stays as the format's own callers wrote it", () => {
    expect(sample("claude-haiku-4-5", both, Dialect.MESSAGES)).toEqual([0.2, 0.9]);
  });
});
