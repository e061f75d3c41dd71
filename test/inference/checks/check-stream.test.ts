import { describe, expect, it } from "vitest";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../src/hub/events.ts";
import { createOrderCheck } from "../../../src/inference/checks/check-stream.ts";

const start = startedEvent({});
const open = (index: number) => blockStartEvent(index, { kind: { case: "text", value: { text: "" } } });
const grow = (index: number) => blockDeltaEvent(index, { case: "text", value: "x" });
const end = finishedEvent({});

function check(events: readonly GenerateEvent[]): void {
  const checkOrder = createOrderCheck();
  for (const event of events) checkOrder(event);
}

describe("createOrderCheck()", () => {
  it.each([
    ["an empty answer", [start, end]],
    ["two blocks", [start, open(0), grow(0), blockEndEvent(0), open(1), blockEndEvent(1), end]],
  ])("accepts %s", (_name, events) => {
    expect(() => check(events)).not.toThrow();
  });

  it.each<[string, GenerateEvent[], string]>([
    ["a block before the start", [open(0)], "a block starts inside another"],
    ["a second start", [start, start], "a second start"],
    ["a gap in the indexes", [start, open(1)], "block 1 instead of 0"],
    ["a delta of another block", [start, open(0), grow(1)], "a delta of block 1"],
    ["a delta after the block's end", [start, open(0), blockEndEvent(0), grow(0)], "a delta of block 0"],
    ["an end inside a block", [start, open(0), end], "an end inside a block or before the start"],
    ["anything after the end", [start, end, open(0)], "blockStart after the end"],
  ])("refuses %s", (_name, events, what) => {
    expect(() => check(events)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.UPSTREAM_ERROR,
        message: `the upstream's stream is out of order: ${what}`,
      }),
    );
  });
});
