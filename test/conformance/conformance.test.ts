import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expandSeals, type Harness, startHarness } from "./harness.ts";
import { matrixMarkdown } from "./matrix.ts";
import { INBOUND, tellLosses, UPSTREAM_KINDS } from "./topic.ts";
import { topics } from "./topics/index.ts";

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness(", ask: stream");
});

afterAll(() => harness.close());

const cells = topics.flatMap((topic) =>
  INBOUND.flatMap((inbound) =>
    UPSTREAM_KINDS.flatMap((kind) =>
      [false, true].map((stream) => ({ topic, inbound, kind, stream, route: topic.routes[inbound][kind] })),
    ),
  ),
);
const named = cells.map((cell) => ({
  ...cell,
  name: `${cell.topic.name}: ${cell.inbound} to ${cell.kind}, ${cell.stream ? "streamed" : "whole"}`,
}));

describe("conformance", () => {
  it.each(named)("$name", async ({ topic, inbound, kind, stream, route }) => {
    const { id: _id, ...outcome } = await harness.run(topic, inbound, kind, stream);
    if ("refused" in route) {
      const { status, body } = route.refused;
      expect(outcome).toEqual({ status, body, upstreamReceives: undefined, losses: [] });
      return;
    }
    const { losses, answerLosses = [], eventLosses = [] } = route;
    const streamed = tellLosses(inbound, route.stream, [...answerLosses, ...eventLosses]);
    expect(outcome).toEqual({
      status: 200,
      upstreamReceives: route.upstreamReceives,
      losses: stream ? losses : [...losses, ...answerLosses],
      body: expandSeals(stream ? streamed : route.answer, kind),
    });
  });

  it("is what docs/conformance.md shows", () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "conformance.md"), "utf8");
    expect(page).toBe(matrixMarkdown(topics));
  });
});
