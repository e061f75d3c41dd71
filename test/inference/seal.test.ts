import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason } from "../../src/inference/error.ts";
import { blockDeltaEvent, blockStartEvent } from "../../src/inference/events.ts";
import { latestOrigin, openInput } from "../../src/inference/open-input.ts";
import { openSeal, seal } from "../../src/inference/seal.ts";
import { sealEvent } from "../../src/inference/seal-events.ts";
import { createHubInput } from "../../src/lib/hub-input.ts";
import { anthropicMessagesProtocol } from "../../src/upstream/anthropic-messages/protocol.ts";
import { openaiChatProtocol } from "../../src/upstream/openai-chat/protocol.ts";
import { openaiResponsesProtocol } from "../../src/upstream/openai-responses/protocol.ts";
import { stubModel } from "../support/stub-upstream.ts";
import { asSent } from "../upstream/as-sent.ts";

const here = { upstream: "anthropic", model: "claude" };
const there = { upstream: "openai", model: "gpt" };

describe("seal()", () => {
  it("gives every blob back byte for byte, with its origin", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.string(), (blob, upstream, model) => {
        expect(openSeal(seal({ upstream, model }, blob))).toEqual({
          kind: "sealed",
          origin: { upstream, model },
          state: "thinking",
          blob,
        });
      }),
    );
  });

  it("notices a change anywhere", () => {
    const sealed = seal(here, "EqQBCkYIBxgCKkBsignature");
    for (let at = 5; at < sealed.length; at++) {
      const changed = `${sealed.slice(0, at)}!${sealed.slice(at + 1)}`;
      expect(openSeal(changed)).toEqual({ kind: "garbled" });
    }
  });

  it("tells redacted thinking apart", () => {
    expect(openSeal(seal(here, "cmVk", "redacted"))).toEqual({
      kind: "sealed",
      origin: here,
      state: "redacted",
      blob: "cmVk",
    });
  });

  it("takes a forged label for a garbled one, whatever is in it", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const labels = ["not json", "", "null", "1", '"text"', "{}", "[]", '["a"]', '["a",1]', '[null,"b"]', "[[],{}]"];
    const more = [
      '["a","b","thinking"]',
      '["a","b",null]',
      '["a","b","redacted",1]',
      deep,
      `["a","${"x".repeat(1e6)}"]`,
    ];
    for (const text of [...labels, ...more]) {
      expect(openSeal(forged(Buffer.from(text).toString("base64url")))).toEqual({ kind: "garbled" });
    }
    for (const label of ["", "!", "not base64url", "\u0000", "\ud800", "=".repeat(1e6)]) {
      expect(openSeal(forged(label))).toEqual({ kind: "garbled" });
    }
  });

  it("is never opened with anything but two names and a state", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, blob) => {
        const opened = openSeal(forged(Buffer.from(JSON.stringify(value)).toString("base64url"), blob));
        if (opened.kind === "garbled") return;
        expect(opened).toEqual({ ...opened, kind: "sealed", blob });
        if (opened.kind !== "sealed") return;
        expect([typeof opened.origin.upstream, typeof opened.origin.model]).toEqual(["string", "string"]);
      }),
    );
  });

  it("leaves blobs of other makers alone", () => {
    expect(openSeal("EqQBCkYIBxgC")).toEqual({ kind: "foreign", blob: "EqQBCkYIBxgC" });
  });
});

/** A seal that anybody can make: the checksum guards against damage alone. */
function forged(label: string, blob = "blob"): string {
  const sum = createHash("sha256").update(`${label}.${blob}`).digest("base64url").slice(0, 11);
  return `att1.${label}.${sum}.${blob}`;
}

function history(...opaque: string[]) {
  const content = [
    ...opaque.map((blob) => ({ kind: { case: "thinking" as const, value: { summary: ["hm"], opaque: blob } } })),
    { kind: { case: "text" as const, value: { text: "so" } } },
  ];
  return createHubInput({
    dialect: Dialect.MESSAGES,
    messages: [
      { role: Role.USER, content: [{ kind: { case: "text", value: { text: "hi" } } }] },
      { role: Role.ASSISTANT, content },
    ],
  });
}

describe("openInput()", () => {
  it("opens what the same deployment made, and does not change the caller's message", () => {
    const input = history(seal(here, "sig"));
    expect(openInput(input, here).input.messages[1]?.content[0]?.kind.value).toMatchObject({
      summary: ["hm"],
      opaque: "sig",
    });
    expect(input).toEqual(history(seal(here, "sig")));
  });

  it("knows what its maker did not seal by its origin alone", () => {
    const { input, own } = openInput(history(seal(here, ""), seal(there, "")), here);
    const [first, second] = input.messages[1]?.content ?? [];
    expect(first?.kind.value).toMatchObject({ summary: ["hm"] });
    expect(first?.kind.value).not.toHaveProperty("opaque");
    expect(second?.kind.value).toMatchObject({ summary: [], opaque: "" });
    expect([...own]).toEqual([first]);
  });

  it("puts an empty block in the place of what another deployment made", () => {
    const { input, own } = openInput(history(seal(there, "a"), seal(here, "b")), here);
    const content = input.messages[1]?.content ?? [];
    expect(content.map(({ kind }) => kind.value)).toMatchObject([
      { summary: [], text: "", opaque: "" },
      { summary: ["hm"], opaque: "b" },
      { text: "so" },
    ]);
    expect([...own]).toEqual([content[1]]);
  });

  it("makes redacted thinking of what was redacted, whatever the caller's format made of it", () => {
    const { input } = openInput(history(seal(here, "cmVk", "redacted")), here);
    expect(input.messages[1]?.content[0]?.kind).toMatchObject({ case: "redactedThinking", value: { data: "cmVk" } });
  });

  it.each([
    ["openai-chat", openaiChatProtocol],
    ["openai-responses", openaiResponsesProtocol],
    ["anthropic-messages", anthropicMessagesProtocol],
  ])("lets %s leave that block out and name it", (_name, protocol) => {
    const { input, own } = openInput(history(seal(there, "secret-state")), here);
    const { body, losses } = asSent(
      protocol.encodeRequest(input, {
        model: stubModel,
        deployment: { upstream: "up", model: "real" },
        streamed: true,
        inferenceId: "i",
        projectId: "p",
        ownReasoning: own,
      }),
    );
    expect(losses).toEqual(["messages[1].content[0]"]);
    expect(body).toContain("so");
    expect(body).not.toContain("secret-state");
  });

  it("lets reasoning through that was never sealed", () => {
    expect(openInput(history("raw-signature"), here).input.messages[1]?.content[0]?.kind.value).toMatchObject({
      opaque: "raw-signature",
    });
  });

  it("refuses a damaged seal by its place", () => {
    expect(() => openInput(history(`${seal(here, "sig")}x`), here)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.INVALID_REQUEST,
        facts: expect.objectContaining({ param: "messages[1].content[0]" }),
      }),
    );
  });
});

describe("latestOrigin()", () => {
  it("tells who made the latest state that was sealed here", () => {
    expect(latestOrigin(history(seal(here, "a"), seal(there, "b"), "foreign"))).toEqual(there);
    expect(latestOrigin(history("foreign"))).toBeUndefined();
  });
});

describe("sealEvent()", () => {
  it("seals signatures and redacted reasoning, and nothing else", () => {
    const delta = blockDeltaEvent(0, { case: "opaque", value: "sig" });
    const redacted = blockStartEvent(1, { kind: { case: "redactedThinking", value: { data: "data" } } });
    const text = blockDeltaEvent(2, { case: "text", value: "sig" });
    expect(sealEvent(delta, here).event.value).toMatchObject({ delta: { value: seal(here, "sig") } });
    expect(sealEvent(redacted, here).event.value).toMatchObject({
      block: { kind: { value: { data: seal(here, "data", "redacted") } } },
    });
    expect(sealEvent(text, here)).toBe(text);
    // What was handed on is not changed.
    expect(delta).toEqual(blockDeltaEvent(0, { case: "opaque", value: "sig" }));
    expect(redacted).toEqual(blockStartEvent(1, { kind: { case: "redactedThinking", value: { data: "data" } } }));
  });
});
