import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FURTHER_ROWS } from "./further-rows.ts";
import { expandSeals, type Harness, startHarness } from "./harness.ts";
import { matrixMarkdown } from "./matrix.ts";
import { askedWhole, INBOUND, tellLosses, UPSTREAM_KINDS } from "./topic.ts";
import { topics } from "./topics/index.ts";

/** Services whose upstreams are asked as their callers ask, and always for a stream. */
let harness: Readonly<Record<Ask, Harness>>;
type Ask = "as-called" | "stream";

beforeAll(async () => {
  harness = { "as-called": await startHarness(), stream: await startHarness(", ask: stream") };
});

afterAll(() => Promise.all([harness["as-called"].close(), harness.stream.close()]));

const WAYS: readonly { readonly stream: boolean; readonly ask: Ask; readonly way: string }[] = [
  { stream: true, ask: "as-called", way: "streamed" },
  { stream: false, ask: "as-called", way: "whole" },
  { stream: false, ask: "stream", way: "whole of a stream" },
];

const cells = topics.flatMap((topic) =>
  INBOUND.flatMap((inbound) =>
    UPSTREAM_KINDS.flatMap((kind) =>
      WAYS.map((way) => ({ topic, inbound, kind, ...way, route: topic.routes[inbound][kind] })),
    ),
  ),
);
const named = cells.map((cell) => ({
  ...cell,
  name: `${cell.topic.name}: ${cell.inbound} to ${cell.kind}, ${cell.way}`,
}));

describe("conformance", () => {
  it.each(named)("$name", async ({ topic, inbound, kind, stream, ask, route }) => {
    const { status, body, upstreamReceives, losses: lost } = await harness[ask].run(topic, inbound, kind, stream);
    const outcome = { status, body, upstreamReceives, losses: lost };
    if ("refused" in route) {
      const { name: _name, ...refusal } = route.refused;
      expect(outcome).toEqual({ ...refusal, upstreamReceives: undefined, losses: [] });
      return;
    }
    const { losses, answerLosses = [], eventLosses = [] } = route;
    const whole = ask === "as-called" ? (route.answerOfWhole ?? route.answer) : route.answer;
    const streamed = tellLosses(inbound, route.stream, [...answerLosses, ...eventLosses]);
    expect(outcome).toEqual({
      status: 200,
      upstreamReceives: stream || ask === "stream" ? route.upstreamReceives : askedWhole(kind, route.upstreamReceives),
      losses: stream ? losses : [...losses, ...answerLosses],
      body: expandSeals(stream ? streamed : whole, kind),
    });
  });

  it("is what docs/conformance.md shows", () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "conformance.md"), "utf8");
    expect(page).toBe(matrixMarkdown(topics, FURTHER_ROWS));
  });
});
