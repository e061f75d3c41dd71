import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { openaiChatProtocol } from "../../../src/formats/chat/protocol.ts";
import { messagesCodec } from "../../../src/formats/messages/codec.ts";
import { openaiResponsesProtocol } from "../../../src/formats/responses/protocol.ts";
import { parseJsonObject } from "../../../src/formats/shared/json.ts";
import type { UpstreamProtocol } from "../../../src/formats/shared/protocol.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import { stubModel } from "../../support/stub-upstream.ts";
import { asSent } from "./as-sent.ts";

const UPSTREAMS = [
  { kind: "openai-chat", protocol: openaiChatProtocol },
  { kind: "openai-responses", protocol: openaiResponsesProtocol },
];

/** Returns the effort that an upstream is asked for, and the losses. */
function ask(protocol: UpstreamProtocol, input: HubInput, model: Partial<typeof stubModel> = {}) {
  const target = {
    model: { ...stubModel, ...model },
    deployment: { upstream: "u", model: "m" },
    streamed: false,
    inferenceId: "0190-id",
    projectId: "p",
  };
  const { body, losses } = asSent(protocol.encodeRequest(input, target));
  const { reasoning_effort, reasoning } = parseJsonObject(body) ?? {};
  return [reasoning_effort ?? reasoning, losses];
}

/** Reads the request of a Messages caller. */
function messages(members: object): HubInput {
  const user = { role: "user", content: "Why?" };
  const headers = { "anthropic-version": "2023-06-01" };
  return messagesCodec.decodeRequest({ model: "m", max_tokens: 40_000, messages: [user], ...members }, headers).input;
}

describe.each(UPSTREAMS)("the effort that $kind is asked for", ({ kind, protocol }) => {
  const said = (effort: string) => (kind === "openai-chat" ? effort : { effort });
  const budget = (budget_tokens: number) => ({ thinking: { type: "enabled", budget_tokens } });

  it("stands for the budget of a Messages caller, by the table of the model", () => {
    expect(ask(protocol, messages(budget(9000)))).toEqual([said("medium"), []]);
    const budgetEfforts = { minimal: 0, xhigh: 8999 };
    expect(ask(protocol, messages(budget(9000)), { budgetEfforts })).toEqual([said("xhigh"), []]);
  });

  it("is the caller's own, where there is one, and the budget is a loss", () => {
    const both = messages({ ...budget(9000), output_config: { effort: "max" } });
    expect(ask(protocol, both)).toEqual([said("max"), ["reasoning.budget_tokens"]]);
  });

  it("is none, and the budget a loss, where the model has none for it", () => {
    const none = [undefined, ["reasoning.budget_tokens"]];
    expect(ask(protocol, messages(budget(9000)), { budgetEfforts: {} })).toEqual(none);
    expect(ask(protocol, messages(budget(9000)), { budgetEfforts: { high: 9000 } })).toEqual(none);
  });

  it("stands for the budget of a caller over RPC", () => {
    const content = [{ kind: { case: "text", value: { text: "Why?" } } } as const];
    const input = createHubInput({
      dialect: Dialect.UNSPECIFIED,
      messages: [{ role: Role.USER, content }],
      reasoning: { budgetTokens: 20_000 },
    });
    expect(ask(protocol, input)).toEqual([said("high"), []]);
  });
});
