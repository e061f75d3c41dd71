import { describe, expect, it } from "vitest";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { createTokenPrices } from "../../src/config/token-prices.ts";
import { load, useFolder } from "./harness.ts";

useFolder();

const TOKENS = { input: 1_000_000, output: 1_000_000 };

describe("createTokenPrices()", () => {
  it.each([
    ["https://api.openai.com/v1", "", 6e9, 3e9],
    ["http://h/v1", "", 6e9, 6e9],
    ["https://api.openai.com/v1", "optimizations: { flexTier: false }", 6e9, 6e9],
  ])("prices tokens at %s with [%s], in the ordinary tier and in the flex tier", (baseUrl, more, ordinary, flex) => {
    const config = load(`
upstreams: { a: { kind: openai-chat, baseUrl: "${baseUrl}", apiKey: k } }
models:
  - name: m
    family: chat
    price: { input: 2, output: 4, tiers: { flex: { multiple: 0.5 } } }
    deployments: [{ upstream: a, model: m }]
    ${more}
`);
    const priceOf = createTokenPrices(() => ({ config, catalog: createCatalog(config.models, config.prefix) }));
    expect([priceOf("m", TOKENS), priceOf("m", TOKENS, "flex"), priceOf("n", TOKENS)]).toEqual([
      ordinary,
      flex,
      undefined,
    ]);
  });
});
