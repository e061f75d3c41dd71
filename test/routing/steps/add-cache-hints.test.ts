import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { PricePicos } from "../../../src/catalog/prices.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import type { PrefixArrival } from "../../../src/routing/health/prefix-reuse.ts";
import { createCacheHintsStep, findCachedParts } from "../../../src/routing/steps/add-cache-hints.ts";
import { toAttempt } from "../../../src/routing/steps/plan-strategy.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const init = {
  system: [{ kind: { case: "text" as const, value: { text: "word ".repeat(2000) } } }],
  tools: [{ kind: { case: "function" as const, value: { name: "f" } } }],
};
const model = { ...stubModel, minCacheableTokens: 1024 };
const step = createCacheHintsStep({ arrived: () => 1 });
const drafted = (takes: { takesCacheMarks?: boolean; takesCacheKeys?: boolean }) => {
  const place = { upstream: { ...stubUpstream("a", []), ...takes }, deployment: { upstream: "a", model: "a" } };
  const attempt = toAttempt({ ...place, relativePrice: 1 }, model, 1);
  return { planned: { strategy: { kind: "sequence" as const, attempts: [attempt] }, optimizations: [] } };
};

describe("createCacheHintsStep()", () => {
  it("names the parts to keep where an upstream's cache goes by marks", () => {
    const draft = step(drafted({ takesCacheMarks: true }), requestFacts({ init, found: { model } }));
    expect(draft.cachedParts).toEqual({ prefix: true, conversation: true });
    expect(draft.cacheKey).toBeUndefined();
  });

  it("makes up a key where an upstream takes keys, but not beside the caller's own", () => {
    const keyed = drafted({ takesCacheKeys: true });
    expect(step(keyed, requestFacts({ init, found: { model } })).cacheKey).toBeTypeOf("string");
    const own = requestFacts({ init: { ...init, promptCacheKey: "mine" }, found: { model } });
    expect(step(keyed, own).cacheKey).toBeUndefined();
  });

  it("adds nothing to a count of tokens", () => {
    const draft = drafted({ takesCacheMarks: true });
    expect(step(draft, requestFacts({ init, found: { model }, context: { isAnswered: false } }))).toBe(draft);
  });
});

const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
const LONG = "word ".repeat(2000);
const said = (role: Role, value: string) => ({ role, content: [text(value)] });
const tools = [{ kind: { case: "function" as const, value: { name: "f" } } }];
const system = [text(LONG)];
const one = [said(Role.USER, "Hi")];
const several = [...one, said(Role.ASSISTANT, "Yes?"), said(Role.USER, "Go on")];
const PRICE = { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 };

interface Facts {
  readonly rate?: number;
  readonly price?: PricePicos;
  readonly minCacheableTokens?: number;
}

/** What is chosen where each part comes again at `rate`, or as is likely at first; and what arrived. */
function choose(init: HubInit, { rate, price = PRICE, minCacheableTokens = 1024 }: Facts = {}) {
  const arrivals: PrefixArrival[] = [];
  const parts = findCachedParts(createHubInput({ dialect: Dialect.CHAT, ...init }), {
    model: { ...stubModel, price, minCacheableTokens },
    projectId: "p",
    arrived: (arrival) => {
      arrivals.push(arrival);
      return rate ?? arrival.prior;
    },
  });
  return { parts, keys: arrivals.map(({ key }) => key), groups: new Set(arrivals.map(({ group }) => group)) };
}

describe("findCachedParts()", () => {
  it.each<[string, HubInit, object | undefined]>([
    ["an agent's first call", { system, tools, messages: one }, { prefix: true, conversation: true }],
    ["a conversation that goes on", { system, messages: several }, { prefix: false, conversation: true }],
    ["a question, of which nothing is known", { system, messages: one }, undefined],
    ["a short prompt", { tools, messages: several }, undefined],
  ])("expects %s to come again, or not", (_what, init, expected) => {
    expect(choose(init).parts).toEqual(expected);
  });

  it("goes by what is known, and by what a cache must save to pay", () => {
    const init = { system, messages: one };
    expect(choose(init, { rate: 0.22 }).parts).toEqual({ prefix: true, conversation: true });
    expect(choose(init, { rate: 0.21 }).parts).toBeUndefined();
    // To write costs half as much again, to read a half: it pays where every second prefix comes again.
    const dear = { ...PRICE, cacheRead: 1, cacheWrite5m: 3 };
    expect(choose(init, { rate: 0.5, price: dear }).parts).toBeUndefined();
    expect(choose(init, { rate: 0.51, price: dear }).parts).toBeDefined();
    expect(choose(init, { rate: 0.21, price: { ...PRICE, cacheWrite5m: 2 } }).parts).toBeUndefined();
  });

  it("leaves models without a cache alone", () => {
    expect(choose({ system, tools, messages: one }, { minCacheableTokens: 0 }).parts).toBeUndefined();
  });

  it.each<[string, HubInit]>([
    ["a mark on a tool", { system, tools: [{ ...tools[0], cacheMark: {} }], messages: one }],
    ["a mark in the system prompt", { system: [{ ...text(LONG), cacheMark: {} }], tools, messages: one }],
    [
      "a mark in a message",
      { system, tools, messages: [{ role: Role.USER, content: [{ ...text("Hi"), cacheMark: {} }] }] },
    ],
    ["an automatic mark", { system, tools, messages: one, automaticCacheMark: {} }],
    [
      "options of the cache",
      {
        system,
        tools,
        messages: one,
        extension: { dialect: Dialect.CHAT, json: '{"prompt_cache_options":{"mode":"explicit"}}' },
      },
    ],
  ])("leaves what is cached to callers who say it: %s", (_what, init) => {
    expect(choose(init, { rate: 1 }).parts).toBeUndefined();
  });

  it("knows a prefix and a conversation again when it has grown, wherever the instructions stand", () => {
    const [prefix, conversation] = choose({ system, tools, messages: one }).keys;
    expect(choose({ system, tools, messages: several }).keys).toEqual([prefix, conversation]);
    expect(choose({ system, tools, messages: [said(Role.USER, "Other")] }).keys[0]).toBe(prefix);
    expect(choose({ system, tools, messages: [said(Role.USER, "Other")] }).keys[1]).not.toBe(conversation);
    const leading = [said(Role.SYSTEM, LONG), ...one];
    expect(choose({ tools, messages: leading }).keys).toEqual([prefix, conversation]);
  });

  it("knows prefixes apart by their beginnings, their ends and their tools", () => {
    const keyOf = (words: string, tool = "f") => {
      const asked = [{ kind: { case: "function" as const, value: { name: tool } } }];
      return choose({ system: [text(words)], tools: asked, messages: one }).keys[0];
    };
    const keys = [
      keyOf(LONG),
      keyOf(`A${LONG.slice(1)}`),
      keyOf(`${LONG.slice(1)}A`),
      keyOf(`${LONG}A`),
      keyOf(LONG, "g"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("learns of agents and of questions apart", () => {
    const { groups } = choose({ system, tools, messages: one }, { rate: 1 });
    const other = choose({ system, messages: one }, { rate: 1 }).groups;
    expect([...groups].filter((group) => other.has(group))).toEqual([]);
  });
});
