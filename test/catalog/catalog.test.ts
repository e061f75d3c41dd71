import { describe, expect, it } from "vitest";
import { BUILT_IN_MODELS } from "../../src/catalog/built-in.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { placeModel } from "../../src/catalog/known-model.ts";
import { TOKEN_KINDS } from "../../src/catalog/prices.ts";

const models = BUILT_IN_MODELS.map((model) => placeModel(model, [{ upstream: "sandbox", model: "sandbox" }]));

describe("createCatalog()", () => {
  const catalog = createCatalog(models, "attune");

  it("lists the models in their order", () => {
    expect(catalog.models.map(catalog.idOf)).toEqual([
      "attune/gpt-6-astra",
      "attune/claude-fable-5-2",
      "attune/claude-sonnet-5-5",
      "attune/claude-haiku-5-5",
    ]);
  });

  it("finds each model by its id", () => {
    expect(models.map((model) => catalog.find(catalog.idOf(model)))).toEqual(models);
  });

  it("finds each model by its name, and by its aliases", () => {
    const [first, ...others] = models;
    if (first === undefined) throw new Error("there is a model");
    const named = { ...first, aliases: ["gpt-latest", "openai/gpt"] };
    const { find } = createCatalog([named, ...others], "attune");
    for (const name of ["gpt-6-astra", "gpt-latest", "openai/gpt"]) {
      expect([find(name), find(`attune/${name}`)]).toEqual([named, named]);
    }
  });

  it.each([
    "gpt-latest",
    "attune/",
    "attune/gpt-6",
    "attune/gpt-6-astra:sandbox-overload",
    "other/gpt-6-astra",
    "__proto__",
  ])("does not find %s", (id) => {
    expect(catalog.find(id)).toBeUndefined();
  });
});

describe("BUILT_IN_MODELS", () => {
  it("are one Responses model and three Messages models", () => {
    expect(BUILT_IN_MODELS.map((model) => model.family)).toEqual(["responses", "messages", "messages", "messages"]);
  });

  it("have prices of whole picos, and dearer ones for long prompts", () => {
    for (const { price } of models) {
      if (price === undefined) throw new Error("a built-in model has no price");
      for (const kind of TOKEN_KINDS) {
        const picos = price[kind];
        if (picos !== undefined) expect(Number.isSafeInteger(picos) && picos > 0).toBe(true);
      }
      for (const step of price.longPrompt ?? []) expect(step.input).toBeGreaterThan(price.input);
    }
  });

  it("cost what is published: Haiku 0.10 USD per million prompt tokens, a cache write 0.125", () => {
    const haiku = models.find((model) => model.name === "claude-haiku-5-5");
    expect(haiku?.price).toMatchObject({ input: 100_000, output: 500_000, cacheRead: 10_000, cacheWrite5m: 125_000 });
  });
});
