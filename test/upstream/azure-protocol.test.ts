import { describe, expect, it } from "vitest";
import { KINDS, withApiVersion } from "../../src/upstream/kinds.ts";

const VERSION = "2024-10-21";

describe("withApiVersion()", () => {
  it("asks chat and embeddings at the paths of their deployments", () => {
    const { modelPath, embeddings } = withApiVersion(KINDS["openai-chat"].protocol, VERSION);
    expect(modelPath?.("gpt 4o", true)).toBe("/deployments/gpt%204o/chat/completions?api-version=2024-10-21");
    expect(embeddings?.modelPath?.("text-3", false)).toBe("/deployments/text-3/embeddings?api-version=2024-10-21");
  });

  it("leaves out counting and compaction, which the dated API does not have", () => {
    const dated = withApiVersion(KINDS["openai-responses"].protocol, VERSION);
    expect(dated.path).toBe("/responses?api-version=2024-10-21");
    expect([dated.count, dated.compaction, dated.modelPath]).toEqual([undefined, undefined, undefined]);
  });
});
