import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, Role, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { openaiChatProtocol } from "../../../../src/formats/chat/protocol.ts";
import { createConverseProtocol } from "../../../../src/formats/messages/converse/protocol.ts";
import { openaiResponsesProtocol } from "../../../../src/formats/responses/protocol.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import type { UpstreamProtocol } from "../../../../src/formats/shared/protocol.ts";
import { withToolForms } from "../../../../src/formats/shared/tool-forms/with-tool-forms.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import type { Upstream, UpstreamTarget } from "../../../../src/hub/upstream.ts";
import { stubModel } from "../../../support/stub-upstream.ts";

type MessageInit = NonNullable<HubInit["messages"]>[number];

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const target: UpstreamTarget = {
  model: stubModel,
  deployment: { upstream: "u", model: "m" },
  streamed: false,
  inferenceId: "019ab7a7-a270-7293-8c4a-b2f31092e3f0",
  projectId: "p",
};

/** Returns all that a model reads of a request, in the order in which it does. */
function partsOf(protocol: UpstreamProtocol, init: HubInit): string[] {
  let body: JsonObject = {};
  const upstream: Upstream = {
    name: "u",
    prepare(input) {
      ({ body } = protocol.encodeRequest(input, target));
      return { losses: [], send: () => Promise.resolve() };
    },
  };
  withToolForms(upstream, { maxLength: 64, customTools: "none" }).prepare(createHubInput(init), target);
  const { tools, toolConfig, instructions, system, messages, input } = body;
  const listed = [tools, instructions, system, messages, input].flatMap((list) =>
    Array.isArray(list) ? list : [list],
  );
  return [toolConfig, ...listed].flatMap((part) => JSON.stringify(part) ?? []);
}

const words = fc.string({ minLength: 1, maxLength: 12 }).map((value) => `w${value}`);
const exchange = fc
  .tuple(words, fc.string({ minLength: 1, maxLength: 90 }), words, words)
  .map(([asked, id, said, result]): MessageInit[] => {
    const call = { id: `c${id}`, name: "tools.look", arguments: "{}", kind: ToolKind.FUNCTION };
    const given = { toolUseId: `c${id}`, content: [text(result)], kind: ToolKind.FUNCTION };
    return [
      { role: Role.USER, content: [text(asked)] },
      { role: Role.ASSISTANT, content: [text(said), { kind: { case: "toolUse", value: call } }] },
      { role: Role.TOOL, content: [{ kind: { case: "toolResult", value: given } }] },
      { role: Role.ASSISTANT, content: [text(said)] },
    ];
  });
const tool = words.map((name) => ({ kind: { case: "function" as const, value: { name, parametersJson: "{}" } } }));
const billing = fc.string({ minLength: 3, maxLength: 3, unit: fc.constantFrom(..."0123456789abcdef") });

/** Places of the billing line. */
const BILLED = [
  (line: string) => [line, "Rules."],
  (line: string) => ["You are Claude Code.", line, "Rules."],
  (line: string) => [`\n${line.replace("x-a", "X-A")}\r\n\r\nRules.`],
];

describe("two conversations that begin alike", () => {
  it.each<[string, UpstreamProtocol]>([
    ["Chat", openaiChatProtocol],
    ["Responses", openaiResponsesProtocol],
    ["Converse", createConverseProtocol()],
  ])("begin alike for an upstream of %s as far as they do themselves", (_name, protocol) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(tool, { maxLength: 4, selector: ({ kind }) => kind.value.name }),
        fc.array(exchange, { maxLength: 3 }).map((all) => all.flat()),
        fc.tuple(billing, billing, words, words),
        fc.constantFrom(Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES, Dialect.UNSPECIFIED),
        fc.constantFrom(...BILLED),
        (tools, shared, [one, two, first, second], dialect, billed) => {
          const ask = (mark: string, question: string) =>
            partsOf(protocol, {
              dialect,
              tools,
              system: billed(`x-anthropic-billing-header: cc_version=2.1.332.${mark}; cc_entrypoint=cli;`).map(text),
              messages: [...shared, { role: Role.USER, content: [text(question)] }],
            });
          const [a, b] = [ask(one, first), ask(two, second)];
          expect(a.slice(0, -1)).toEqual(b.slice(0, -1));
        },
      ),
      { numRuns: 60 },
    );
  });
});
