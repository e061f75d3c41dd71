import { describe, expect, it } from "vitest";
import {
  chosenOrder,
  hasFilters,
  parseMetric,
  parseTag,
  readFilters,
  toRequestFilter,
} from "../../../../../src/dashboard/features/history/web/parse-filters.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const read = (search: string) => toRequestFilter(readFilters(new URLSearchParams(search)), NOW);
/** Without what is not set. */
const clean = (value: object) => JSON.parse(JSON.stringify(value)) as unknown;

describe("toRequestFilter()", () => {
  it.each([
    ["", {}],
    ["model=a&key=k1&status=failed", { model: "a", keyId: "k1", status: "failed" }],
    ["workload=", { workload: "" }],
    ["tag=channel%3Dweb%3D1", { tag: { key: "channel", value: "web=1" } }],
    ["metric=quality.score%3E0.5", { metric: { name: "quality.score", compare: ">", value: 0.5 } }],
    ["q=+needle+", { text: "needle" }],
    ["q=++", {}],
    ["q=needle&whole=1", { text: "needle", isWhole: true }],
    ["whole=1", {}],
    ["since=1h", { from: "2026-11-21T11:00:00.000Z" }],
    ["since=never&tag=x&metric=y", {}],
    ["from=2026-11-01T08:00Z", { from: "2026-11-01T08:00:00.000Z" }],
    [
      "from=2026-11-01T08:00Z&to=2026-11-01T09:00:30Z",
      { from: "2026-11-01T08:00:00.000Z", to: "2026-11-01T09:00:30.000Z" },
    ],
    ["since=1h&to=2026-11-01T09:00Z", { to: "2026-11-01T09:00:00.000Z" }],
    ["from=soon&to=later&since=1h", { from: "2026-11-21T11:00:00.000Z" }],
    ["from=2026-11-02T08:00Z&to=2026-11-01T09:00Z", { from: "2026-11-02T08:00:00.000Z" }],
  ])("%s", (search, filter) => {
    expect(clean(read(search))).toEqual(filter);
  });
});

describe("hasFilters()", () => {
  it("knows filters from other parameters", () => {
    expect(hasFilters(readFilters(new URLSearchParams("other=1")))).toBe(false);
    expect(hasFilters(readFilters(new URLSearchParams("workload=")))).toBe(true);
  });
});

describe("chosenOrder()", () => {
  it.each([
    ["", undefined],
    ["sort=cost", "cost"],
    ["sort=price", undefined],
    ["sort=cost&q=beans", undefined],
  ])("of the address %j is %s", (search, order) => {
    expect(chosenOrder(readFilters(new URLSearchParams(search)))).toBe(order);
  });
});

describe("parseTag() and parseMetric()", () => {
  it.each(["", "=a", "a"])("%j is no tag", (text) => {
    expect(parseTag(text)).toBeUndefined();
  });

  it.each(["", "a", "a>", ">1", "a>b", "a~1"])("%j is no metric", (text) => {
    expect(parseMetric(text)).toBeUndefined();
  });

  it.each([
    ["a>1", { name: "a", compare: ">", value: 1 }],
    ["a>b=-0.25", { name: "a>b", compare: "=", value: -0.25 }],
  ])("%s", (text, metric) => {
    expect(parseMetric(text)).toEqual(metric);
  });
});
