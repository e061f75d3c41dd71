import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeFeedbackToken,
  encodeFeedbackToken,
  type FeedbackToken,
  feedbackSigner,
} from "../../src/admission/feedback-token.ts";
import { Signer } from "../../src/lib/signer.ts";
import { TEST_KEY } from "../support/test-signer.ts";

const signer = feedbackSigner(TEST_KEY);

/** Halves of surrogate pairs too. */
const codeUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));

const target = fc.oneof(
  fc.record({
    inferenceId: fc.uuid(),
    attempt: fc.option(fc.nat({ max: 999 })),
    sessionId: fc.constant(null),
  }),
  fc.record({
    inferenceId: fc.constant(""),
    attempt: fc.constant(null),
    sessionId: fc.string({ minLength: 1, maxLength: 256, unit: codeUnit }),
  }),
);
const token: fc.Arbitrary<FeedbackToken> = fc.record({
  keyId: fc.stringMatching(/^[0-9a-z]{12}$/),
  target,
  expiresAtMs: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
});

describe("decodeFeedbackToken()", () => {
  it("reads what encodeFeedbackToken() wrote", () => {
    fc.assert(
      fc.property(token, (written) => {
        const text = encodeFeedbackToken(signer, written);
        expect(text).toMatch(/^attfb_[\w-]+\.[\w-]{32}$/);
        expect(decodeFeedbackToken(signer, text)).toEqual(written);
      }),
    );
  });

  it("refuses a token of which any character was changed, added or left out", () => {
    const changed = fc.tuple(token, fc.nat(), fc.string({ maxLength: 1 }), fc.nat({ max: 1 }));
    fc.assert(
      fc.property(changed, ([written, position, character, removed]) => {
        const text = encodeFeedbackToken(signer, written);
        const at = position % text.length;
        const other = text.slice(0, at) + character + text.slice(at + removed);
        fc.pre(other !== text);
        expect(decodeFeedbackToken(signer, other)).toBeUndefined();
      }),
    );
  });

  it("refuses every other form of a signature that stands for the same bytes", () => {
    const text = encodeFeedbackToken(signer, {
      keyId: "k",
      expiresAtMs: 1,
      target: { inferenceId: "", attempt: null, sessionId: "run-7" },
    });
    const base64 = text.replaceAll("-", "+").replace(/(?<!^attfb)_/g, "/");
    for (const other of [`${text}=`, `${text} `, `${text}\n`, ...(base64 === text ? [] : [base64])]) {
      expect(decodeFeedbackToken(signer, other)).toBeUndefined();
    }
  });

  it("refuses what was signed for something else", () => {
    const payload = Buffer.from("[]").toString("base64url");
    const texts = [
      { purpose: "seal", label: "1", payload },
      { purpose: "feedback-token", label: "0", payload },
    ];
    for (const text of texts) {
      const signature = signer.sign(text, 24).toString("base64url");
      expect(decodeFeedbackToken(signer, `attfb_${payload}.${signature}`)).toBeUndefined();
    }
    const ofProject = encodeFeedbackToken(new Signer(TEST_KEY, "project"), {
      keyId: "k",
      expiresAtMs: 1,
      target: { inferenceId: "", attempt: null, sessionId: "run-7" },
    });
    expect(decodeFeedbackToken(signer, ofProject)).toBeUndefined();
  });
});
