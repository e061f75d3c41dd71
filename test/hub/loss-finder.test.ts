import { describe, expect, it } from "vitest";
import { Dialect, type RawJson, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInit } from "../../src/hub/input.ts";
import { LossFinder } from "../../src/hub/loss-finder.ts";

function find(init: HubInit, settled: readonly string[] = []): string[] {
  const found: string[] = [];
  new LossFinder("chat").find(createHubInput(init), {
    isSettled: (place) => settled.includes(place),
    at: (place) => found.push(place),
    lose: ({ json }: RawJson, place) => found.push(`${place}: ${json}`),
  });
  return found;
}

const ofMessages = (json: string) => ({ dialect: Dialect.MESSAGES, json });
const document: HubInit = {
  messages: [
    {
      role: Role.USER,
      content: [
        {
          kind: { case: "document", value: { source: { case: "text", value: "a" }, context: "c" } },
          extension: ofMessages("{}"),
        },
        { kind: { case: "opaque", value: ofMessages("{}") } },
      ],
    },
  ],
  tools: [{ kind: { case: "opaque", value: { dialect: Dialect.CHAT, json: "{}" } } }],
};

describe("find()", () => {
  it("finds nothing in what the format has a place for", () => {
    expect(find({ model: "m", temperature: 0, stopSequences: ["a"] })).toEqual([]);
  });

  it("finds what is set and has no place, and nothing of what asks for nothing", () => {
    expect(find({ betas: ["b"] })).toEqual(["betas"]);
    expect(find({ topK: 0, betas: [] })).toEqual(["top_k"]);
  });

  it("finds fields inside of blocks, members of another format, and blocks that only another one knows", () => {
    const block = "messages[0].content[0]";
    expect(find(document)).toEqual([`${block}.context`, `${block}: {}`, "messages[0].content[1]"]);
  });

  it("finds nothing in what is settled", () => {
    expect(find(document, ["messages[0].content[0]"])).toEqual(["messages[0].content[1]"]);
    expect(find({ extension: ofMessages("{}") }, ["extension"])).toEqual([]);
  });
});
