import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  OutputFormatSchema,
  ReasoningEffort,
  ReasoningSchema,
  ThinkingMode,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { IGNORABLE_FIELDS } from "../../../src/catalog/facts.ts";
import { withIgnoredFields } from "../../../src/formats/shared/with-ignored-fields.ts";
import { createHubInput, type HubInput } from "../../../src/hub/input.ts";
import type { Upstream, UpstreamCall, UpstreamTarget } from "../../../src/hub/upstream.ts";

const target = {} as UpstreamTarget;

const schema = create(OutputFormatSchema, { kind: { case: "jsonSchema", value: { schemaJson: "{}" } } });
const text = create(OutputFormatSchema, { kind: { case: "text", value: {} } });
const reasoning = create(ReasoningSchema, { effort: ReasoningEffort.HIGH, mode: ThinkingMode.ADAPTIVE });

/** Sends a request to an upstream that ignores all that one can, and returns what came there. */
function send(asked: Parameters<typeof createHubInput>[0], fields = IGNORABLE_FIELDS) {
  let sent: HubInput | undefined;
  const upstream = {
    prepare(input: HubInput) {
      sent = input;
      return { losses: ["top_k"] } as unknown as UpstreamCall;
    },
    fingerprint: (input: HubInput) => JSON.stringify([input.stopSequences, input.reasoning?.effort ?? 0]),
  } as unknown as Upstream;
  const input = createHubInput(asked);
  const given = withIgnoredFields(upstream, fields);
  return { input, sent: given.prepare(input, target), got: () => sent, print: given.fingerprint?.(input, target) };
}

describe("withIgnoredFields()", () => {
  it("leaves out what the server ignores, and names it", () => {
    const { sent, got } = send({ stopSequences: ["END"], outputFormat: schema, reasoning });
    expect([...sent.losses].toSorted()).toEqual(["output_format", "reasoning.effort", "stop_sequences", "top_k"]);
    expect(got()).toMatchObject({ stopSequences: [], reasoning: { mode: ThinkingMode.ADAPTIVE, effort: 0 } });
    expect(got()?.outputFormat).toBeUndefined();
  });

  it("sends on what says nothing there, as it is", () => {
    const { input, sent, got, print } = send({ outputFormat: text });
    expect(sent.losses).toEqual(["top_k"]);
    expect(got()).toBe(input);
    expect(print).toBe("[[],0]");
  });

  it("does not take a request that lost something for one that had nothing to lose", () => {
    expect(send({ stopSequences: ["END"] }).print).not.toBe(send({}).print);
  });
});
