import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildLists } from "../../src/catalog/lists/build-lists.ts";
import { ModelLists } from "../../src/catalog/lists/model-lists.ts";
import { describeModelFacts } from "../../src/cli/describe-model-facts.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { useTemporaryFolders } from "../support/temporary-folder.ts";

const newFolder = useTemporaryFolders();
const OPENAI = 'upstreams: { openai: { kind: openai-responses, baseUrl: "https://api.openai.com/v1", apiKey: k } }\n';

const lists = new ModelLists(
  Buffer.from(
    buildLists(
      {
        "gpt-9": {
          litellm_provider: "openai",
          mode: "chat",
          max_input_tokens: 900,
          max_output_tokens: 10,
          input_cost_per_token: 1e-6,
          output_cost_per_token: 2e-6,
        },
      },
      [{ provider: "openai", id: "gpt-9", contextWindow: 1000, input: 1, output: 3 }],
      [
        { name: "litellm", version: "7", date: "2026-11-29" },
        { name: "genai-prices", version: "8", date: "2026-11-29" },
      ],
    ),
  ),
);

function describeIn(yaml: string, name: string) {
  const file = join(newFolder(), "attune.yaml");
  writeFileSync(file, yaml);
  const config = loadConfig({ ATTUNE_CONFIG: file }, "/");
  const rows = describeModelFacts(name, { ...config, file: "attune.yaml" }, lists);
  return rows.map(({ fact, value, source, counts }) => `${counts ? "" : "but "}${fact} ${value}: ${source}`);
}

describe("describeModelFacts()", () => {
  it("says who says what, and where lists disagree", () => {
    expect(describeIn("", "gpt-9")).toEqual([
      "provider openai: ",
      "maxInputTokens 900: litellm 7",
      "maxOutputTokens 10: litellm 7",
      "price.input 1: litellm 7, genai-prices 8",
      "price.output 2: litellm 7",
      "but price.output 3: genai-prices 8",
      "contextWindow 1000: genai-prices 8",
    ]);
  });

  it("puts the operator's facts before those of the lists", () => {
    const models = `models:
  - { name: fast, family: responses, contextWindow: 1000, maxOutputTokens: 20, deployments: [{ upstream: openai, model: gpt-9 }] }
`;
    const rows = describeIn(OPENAI + models, "fast");
    expect(rows).toContain("maxOutputTokens 20: attune.yaml");
    expect(rows).toContain("but maxOutputTokens 10: litellm 7");
    expect(rows).toContain("contextWindow 1000: genai-prices 8");
    expect(rows).toContain("deployments openai (gpt-9): attune.yaml");
  });

  it("names what is built in, by any spelling of its name", () => {
    for (const name of ["claude-sonnet-5-5", "us.anthropic.claude-sonnet-5-5"]) {
      expect(describeIn("", name)).toContain("contextWindow 1000000: built in");
    }
  });

  it("does not take a provider's model for another's", () => {
    expect(describeIn(OPENAI, "openai/gpt-9")).toContain("provider openai: ");
    expect(describeIn(OPENAI, "azure/gpt-9")).toEqual([]);
  });
});
