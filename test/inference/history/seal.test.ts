import { createHash, createSecretKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { openaiChatProtocol } from "../../../src/formats/chat/protocol.ts";
import { anthropicMessagesProtocol } from "../../../src/formats/messages/protocol.ts";
import { openaiResponsesProtocol } from "../../../src/formats/responses/protocol.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { blockDeltaEvent, blockStartEvent } from "../../../src/hub/events.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { latestMaker, openInput } from "../../../src/inference/history/open-input.ts";
import { openSeal, seal } from "../../../src/inference/history/seal.ts";
import { sealEvent } from "../../../src/inference/history/seal-events.ts";
import { Signer } from "../../../src/lib/signer.ts";
import { asSent } from "../../formats/shared/as-sent.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";
import { signerOf } from "../../support/test-signer.ts";

const signer = signerOf("p");
const here = { upstream: "anthropic", model: "claude" };
const hereAsked = {
  upstream: { ...stubUpstream(here.upstream, []), dialect: Dialect.MESSAGES },
  deployment: here,
};
const there = { upstream: "openai", model: "gpt" };

describe("seal()", () => {
  it("gives every blob back byte for byte, with its origin", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.string(), (blob, upstream, model) => {
        expect(openSeal(signer, seal(signer, { upstream, model }, blob))).toEqual({
          kind: "sealed",
          maker: { upstream, model },
          state: "thinking",
          blob,
        });
      }),
    );
  });

  it("notices a change anywhere", () => {
    const sealed = seal(signer, here, "EqQBCkYIBxgCKkBsignature");
    const signatureFrom = sealed.indexOf(".", 5) + 12;
    for (let at = 5; at < sealed.length; at++) {
      const changed = `${sealed.slice(0, at)}!${sealed.slice(at + 1)}`;
      const isOfSignature = at >= signatureFrom && at < signatureFrom + 22;
      expect(openSeal(signer, changed).kind).toBe(isOfSignature ? "foreign" : "garbled");
    }
  });

  it("tells redacted thinking apart", () => {
    expect(openSeal(signer, seal(signer, here, "cmVk", "redacted"))).toEqual({
      kind: "sealed",
      maker: here,
      state: "redacted",
      blob: "cmVk",
    });
  });

  it("knows the model that was asked for, where another one answered", () => {
    const maker = { ...here, insteadOf: "asked" };
    expect(openSeal(signer, seal(signer, maker, "sig"))).toEqual({
      kind: "sealed",
      maker,
      state: "thinking",
      blob: "sig",
    });
  });

  it("takes for foreign what was made without the key, whatever is in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.base64String({ maxLength: 24 }), (value, blob, signature) => {
        const text = forged(Buffer.from(JSON.stringify(value)).toString("base64url"), blob, signature);
        expect(openSeal(signer, text)).toEqual({ kind: "foreign", blob: text });
      }),
    );
    const label = Buffer.from(JSON.stringify(["anthropic", "claude", "thinking"])).toString("base64url");
    for (const text of [
      forged(label),
      forged(""),
      forged("\ud800"),
      forged("=".repeat(1e6)),
      forged(label, "", "A".repeat(22)),
    ]) {
      expect(openSeal(signer, text)).toEqual({ kind: "foreign", blob: text });
    }
  });

  it("takes for foreign what was sealed with another key, for another project, or with another one's signature", () => {
    const sealed = seal(signer, here, "sig");
    const otherKey = new Signer(createSecretKey(Buffer.alloc(32, "other")), "p");
    for (const other of [signerOf("other"), otherKey]) {
      expect(openSeal(other, sealed)).toEqual({ kind: "foreign", blob: sealed });
    }
    const [, label = "", proof = ""] = sealed.split(".");
    const moved = forged(label, "another", proof.slice(11));
    expect(openSeal(signer, moved)).toEqual({ kind: "foreign", blob: moved });
  });

  it("leaves blobs of other makers alone", () => {
    expect(openSeal(signer, "EqQBCkYIBxgC")).toEqual({ kind: "foreign", blob: "EqQBCkYIBxgC" });
  });
});

/** A seal that anybody can make: the checksum guards against damage alone. */
function forged(label: string, blob = "blob", signature = ""): string {
  const sum = createHash("sha256").update(`${label}.${blob}`).digest("base64url").slice(0, 11);
  return `att1.${label}.${sum}${signature}.${blob}`;
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
    const input = history(seal(signer, here, "sig"));
    expect(openInput({ input: input, signer }, hereAsked).input.messages[1]?.content[0]?.kind.value).toMatchObject({
      summary: ["hm"],
      opaque: "sig",
    });
    expect(input).toEqual(history(seal(signer, here, "sig")));
  });

  it("knows what its maker did not seal by its origin alone", () => {
    const { input, own } = openInput(
      { input: history(seal(signer, here, ""), seal(signer, there, "")), signer },
      hereAsked,
    );
    const [first, second] = input.messages[1]?.content ?? [];
    expect(first?.kind.value).toMatchObject({ summary: ["hm"] });
    expect(first?.kind.value).not.toHaveProperty("opaque");
    expect(second?.kind.value).toMatchObject({ summary: [], opaque: "" });
    expect([...own]).toEqual([first]);
  });

  it("puts an empty block in the place of what another deployment made", () => {
    const { input, own } = openInput(
      { input: history(seal(signer, there, "a"), seal(signer, here, "b")), signer },
      hereAsked,
    );
    const content = input.messages[1]?.content ?? [];
    expect(content.map(({ kind }) => kind.value)).toMatchObject([
      { summary: [], text: "", opaque: "" },
      { summary: ["hm"], opaque: "b" },
      { text: "so" },
    ]);
    expect([...own]).toEqual([content[1]]);
  });

  it("makes redacted thinking of what was redacted, whatever the caller's format made of it", () => {
    const { input } = openInput({ input: history(seal(signer, here, "cmVk", "redacted")), signer }, hereAsked);
    expect(input.messages[1]?.content[0]?.kind).toMatchObject({ case: "redactedThinking", value: { data: "cmVk" } });
  });

  it.each([
    ["openai-chat", openaiChatProtocol],
    ["openai-responses", openaiResponsesProtocol],
    ["anthropic-messages", anthropicMessagesProtocol],
  ])("lets %s leave that block out and name it", (_name, protocol) => {
    const { input, own } = openInput({ input: history(seal(signer, there, "secret-state")), signer }, hereAsked);
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

  it.each([
    ["of the caller's format", Dialect.MESSAGES, Dialect.UNSPECIFIED, "raw-signature"],
    ["of another format", Dialect.RESPONSES, Dialect.UNSPECIFIED, ""],
    ["of no format, over RPC", Dialect.UNSPECIFIED, Dialect.UNSPECIFIED, ""],
    ["of the format that it names, over RPC", Dialect.UNSPECIFIED, Dialect.MESSAGES, "raw-signature"],
    ["of another format that it names", Dialect.MESSAGES, Dialect.CHAT, ""],
  ])("lets reasoning that was never sealed through to its own format only: %s", (_name, spoken, named, opaque) => {
    const input = createHubInput({
      dialect: spoken,
      messages: [
        { content: [{ kind: { case: "thinking", value: { opaque: "raw-signature", dialect: named } } }] },
        { content: [{ kind: { case: "redactedThinking", value: { data: "raw-signature", dialect: named } } }] },
      ],
    });
    const [thinking, redacted] = openInput({ input, signer }, hereAsked).input.messages;
    expect(thinking?.content[0]?.kind.value).toMatchObject({ opaque });
    expect(redacted?.content[0]?.kind.value).toMatchObject({ data: opaque });
  });

  it("refuses a damaged seal by its place", () => {
    expect(() => openInput({ input: history(`${seal(signer, here, "sig")}x`), signer }, hereAsked)).toThrow(
      expect.objectContaining({
        reason: ErrorReason.INVALID_REQUEST,
        facts: expect.objectContaining({ param: "messages[1].content[0]" }),
      }),
    );
  });
});

describe("latestMaker()", () => {
  it("tells who made the latest state that was sealed here", () => {
    expect(
      latestMaker({ input: history(seal(signer, here, "a"), seal(signer, there, "b"), "foreign"), signer }),
    ).toEqual(there);
    expect(latestMaker({ input: history("foreign"), signer })).toBeUndefined();
  });
});

describe("sealEvent()", () => {
  const sealing = { answering: stubModel, asked: stubModel, place: here, signer };

  it("names the model that was asked for where another one answers", () => {
    const delta = blockDeltaEvent(0, { case: "opaque", value: "sig" });
    const sealed = seal(signer, { ...here, insteadOf: "m" }, "sig");
    const answering = { ...stubModel, name: "other" };
    expect(sealEvent(delta, { ...sealing, answering }).event.value).toMatchObject({ delta: { value: sealed } });
  });

  it("seals signatures and redacted reasoning, and nothing else", () => {
    const delta = blockDeltaEvent(0, { case: "opaque", value: "sig" });
    const redacted = blockStartEvent(1, { kind: { case: "redactedThinking", value: { data: "data" } } });
    const text = blockDeltaEvent(2, { case: "text", value: "sig" });
    expect(sealEvent(delta, sealing).event.value).toMatchObject({ delta: { value: seal(signer, here, "sig") } });
    expect(sealEvent(redacted, sealing).event.value).toMatchObject({
      block: { kind: { value: { data: seal(signer, here, "data", "redacted") } } },
    });
    expect(sealEvent(text, sealing)).toBe(text);
    // What was handed on is not changed.
    expect(delta).toEqual(blockDeltaEvent(0, { case: "opaque", value: "sig" }));
    expect(redacted).toEqual(blockStartEvent(1, { kind: { case: "redactedThinking", value: { data: "data" } } }));
  });
});
