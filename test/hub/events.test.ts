import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  BlockDeltaSchema,
  BlockEndSchema,
  BlockStartSchema,
  GenerateEventSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent } from "../../src/hub/events.ts";

const delta = { case: "text", value: "a" } as const;
const block = { kind: { case: "text", value: { text: "a" } } } as const;

describe("events of an answer", () => {
  it.each([
    ["blockStart", blockStartEvent(3, block), create(BlockStartSchema, { index: 3, block })],
    ["blockDelta", blockDeltaEvent(3, delta), create(BlockDeltaSchema, { index: 3, delta })],
    ["blockEnd", blockEndEvent(3), create(BlockEndSchema, { index: 3 })],
  ] as const)("are what create() makes: %s", (kind, made, value) => {
    expect(made).toStrictEqual(create(GenerateEventSchema, { event: { case: kind, value } as typeof made.event }));
  });
});
