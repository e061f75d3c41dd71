import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildLists } from "../../../src/catalog/lists/build-lists.ts";
import { listedToKnown, ModelLists } from "../../../src/catalog/lists/model-lists.ts";
import { buildPrice } from "../../../src/catalog/written-price.ts";

const chat = { mode: "chat", max_input_tokens: 900, max_output_tokens: 10, input_cost_per_token: 1e-6 };
const SOURCES = [{ name: "litellm", version: "1", date: "2026-11-29" }];

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

  it("takes the window of another list, and says where they disagree", () => {
    expect(made.find("gemini", "a")).toEqual({
      contextWindow: 1000,
      maxInputTokens: 900,
      maxOutputTokens: 10,
      displayName: "A",
      price: { input: 1, output: 0 },
      disagree: { "genai-prices": { input: 2 } },
    });
  });

  it("leaves out what has no facts of a model: a provider's tool with a price of its own", () => {
    const container = { mode: "chat", litellm_provider: "openai", code_interpreter_cost_per_session: 0.03 };
    expect([...lists({ container }).list()]).toEqual([]);
  });

  it("refuses what is no list", () => {
    expect(() => new ModelLists(Buffer.from("{}"))).toThrow("attune models update");
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
