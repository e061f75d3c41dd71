import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildLists } from "../../../src/catalog/lists/build-lists.ts";
import { listedToKnown, ModelLists } from "../../../src/catalog/lists/model-lists.ts";
import { buildPrice } from "../../../src/catalog/written-price.ts";
import { useTemporaryFolders } from "../../support/temporary-folder.ts";

const newFolder = useTemporaryFolders();

const chat = { mode: "chat", max_input_tokens: 900, max_output_tokens: 10, input_cost_per_token: 1e-6 };
const SOURCES = [
  { name: "litellm", version: "1", date: "2026-11-29" },
  { name: "genai-prices", version: "2", date: "2026-11-28" },
];

function lists(litellm: Parameters<typeof buildLists>[0], genai: Parameters<typeof buildLists>[1] = []): ModelLists {
  return new ModelLists(Buffer.from(buildLists(litellm, genai, SOURCES)));
}

describe("ModelLists", () => {
  const names = ["b", "a", "c-d", "c", "c/d"];
  const made = lists(
    Object.fromEntries(names.map((name) => [`gemini/${name}`, { ...chat, litellm_provider: "gemini" }])),
    [{ provider: "google", id: "a", name: "A", contextWindow: 1000, input: 2, output: 0 }],
  );

  it("finds each model, and nothing between", () => {
    for (const name of names) expect(made.find("gemini", name)?.maxOutputTokens).toBe(10);
    for (const name of ["", "0", "bb", "z", "c-"]) expect(made.find("gemini", name)).toBeUndefined();
    expect([...made.list()].map(({ name }) => name)).toEqual(["a", "b", "c", "c-d", "c/d"]);
    expect([...made.list("gemin")]).toEqual([]);
  });

  it("finds what a name is that chooses a provider besides", () => {
    for (const variant of ["nitro", "floor", "exacto"])
      expect(made.find("gemini", `c/d:${variant}`)).toEqual(made.find("gemini", "c/d"));
    for (const variant of ["free", "thinking", "online"]) expect(made.find("gemini", `c/d:${variant}`)).toBeUndefined();
  });

  it("takes the window of another list, and says where they disagree", () => {
    expect(made.find("gemini", "a")).toEqual({
      contextWindow: 1000,
      maxInputTokens: 900,
      maxOutputTokens: 10,
      displayName: "A",
      price: { input: 1, output: 0 },
    });
    expect(made.statements("gemini", "a")).toEqual([
      { source: SOURCES[0], facts: { maxInputTokens: 900, maxOutputTokens: 10, price: { input: 1, output: 0 } } },
      { source: SOURCES[1], facts: { contextWindow: 1000, displayName: "A", price: { input: 2, output: 0 } } },
    ]);
  });

  it("leaves out what has no facts of a model: a provider's tool with a price of its own", () => {
    const container = { mode: "chat", litellm_provider: "openai", code_interpreter_cost_per_session: 0.03 };
    expect([...lists({ container }).list()]).toEqual([]);
  });

  it("has models of OpenRouter, which LiteLLM's map lacks, and none that it alone leaves out of others", () => {
    const model = { id: "z-ai/glm-5", contextWindow: 1000, input: 2, output: 3 };
    const all = lists({}, [
      { provider: "openrouter", ...model },
      { provider: "google", ...model },
      { provider: "openrouter", id: "no-window", input: 1, output: 1 },
    ]);
    expect([...all.list()]).toEqual([
      {
        provider: "openrouter",
        name: "z-ai/glm-5",
        facts: { contextWindow: 1000, price: { input: 2, output: 3 } },
      },
    ]);
  });

  it("refuses what is no list", () => {
    expect(() => new ModelLists(Buffer.from("{}"))).toThrow("attune models update");
  });
});

describe("lists before older ones", () => {
  const entry = { ...chat, litellm_provider: "gemini" };
  const older = lists({ "gemini/a": { ...entry, deprecation_date: "2026-12-01" }, "gemini/c": entry }, [
    { provider: "google", id: "a", name: "A", contextWindow: 1000 },
  ]);
  const newer = new ModelLists(
    Buffer.from(
      buildLists(
        { "gemini/a": { ...entry, input_cost_per_token: 3e-6 }, "gemini/b": entry },
        [],
        [{ name: "litellm", version: "2", date: "2026-12-01" }],
      ),
    ),
    older,
  );

  it("say what holds, and keep what they come without: other lists, and models that are gone", () => {
    expect(newer.find("gemini", "a")).toEqual({
      contextWindow: 1000,
      maxInputTokens: 900,
      maxOutputTokens: 10,
      displayName: "A",
      price: { input: 3, output: 0 },
    });
    expect(newer.find("gemini", "c")).toEqual(older.find("gemini", "c"));
    expect([...newer.list("gemini")].map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(newer.statements("gemini", "a").map(({ source }) => source.version)).toEqual(["2", "1", "2"]);
  });

  it("go behind where those that come with Attune are newer", () => {
    const file = join(newFolder(), "attune.models.jsonl");
    for (const [date, input] of [
      ["2000-01-01", 5],
      ["2999-01-01", 3],
    ] as const) {
      const map = { "gpt-5.5": { ...chat, litellm_provider: "openai", input_cost_per_token: 3e-6 } };
      writeFileSync(file, buildLists(map, [], [{ name: "litellm", version: date, date }]));
      expect([date, ModelLists.read(file).find("openai", "gpt-5.5")?.price?.input]).toEqual([date, input]);
    }
  });

  it("list the keys of both once, in their order", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "a-b", "a/b", "b", "b.c", "c", "z"));
    const made = (all: readonly string[], behind?: ModelLists) =>
      new ModelLists(
        Buffer.from(buildLists(Object.fromEntries(all.map((name) => [`gemini/${name}`, entry])), [], SOURCES)),
        behind,
      );
    fc.assert(
      fc.property(names, names, (own, behind) => {
        const found = [...made(own, made(behind)).list()].map(({ name }) => name);
        expect(found).toEqual([...new Set([...own, ...behind])].sort());
      }),
    );
  });
});

describe("the lists that come with Attune", () => {
  const shipped = ModelLists.read();

  it("take at most 2 MB", () => {
    expect(statSync("src/catalog/lists/models.jsonl").size).toBeLessThan(2 * 2 ** 20);
  });

  it("have prices that are built, for all that have one", () => {
    let count = 0;
    for (const found of shipped.list()) {
      const { price } = listedToKnown(found, "chat");
      if (price === undefined) continue;
      const built = buildPrice(price);
      expect([found.name, built.input >= 0, built.output >= 0]).toEqual([found.name, true, true]);
      count += 1;
    }
    expect(count).toBeGreaterThan(1900);
  });

  it("know names that all lists hold", () => {
    for (const name of [
      "gpt-6-astra",
      "gpt-5.5",
      "claude-opus-4-6",
      "gemini-2.5-pro",
      "grok-code-fast-1",
      "deepseek-reasoner",
    ]) {
      expect([name, shipped.findMade(name)?.facts.price !== undefined]).toEqual([name, true]);
    }
    expect(shipped.find("openai", "gpt-6-astra")).toMatchObject({ contextWindow: 1_050_000, maxInputTokens: 922_000 });
  });
});
