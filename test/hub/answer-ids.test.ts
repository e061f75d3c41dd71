import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAnswerId, writeAnswerId } from "../../src/hub/answer-ids.ts";

const ID = "0190a5a0-7d6e-7000-8000-00000000000a";

describe("readAnswerId()", () => {
  it.each([
    [ID, { inferenceId: ID, attempt: null }],
    [ID.toUpperCase(), { inferenceId: ID, attempt: null }],
    [`${ID}.0`, { inferenceId: ID, attempt: 0 }],
    [`${ID.toUpperCase()}.12`, { inferenceId: ID, attempt: 12 }],
  ])("reads %s", (text, answer) => {
    expect(readAnswerId(text)).toEqual(answer);
  });

  it.each([`${ID}.`, `${ID}.01`, `${ID}.-1`, `${ID}.1.2`, `${ID}.1e1`, `${ID}.1000`, `${ID}.1\n`, ".1", "", `x${ID}`])(
    "has nothing to do with %j",
    (text) => {
      expect(readAnswerId(text)).toBeUndefined();
    },
  );

  it("reads what is written", () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.option(fc.nat({ max: 999 })), (inferenceId, attempt) => {
        expect(readAnswerId(writeAnswerId({ inferenceId, attempt }))).toEqual({ inferenceId, attempt });
      }),
    );
  });
});

describe("readAnswerId() of what clients make of an id", () => {
  const litellm = Buffer.from(`litellm:custom_llm_provider:openai;model_id:None;response_id:${ID}`).toString("base64");

  it.each([
    `chatcmpl-${ID}`,
    `resp_${ID}`,
    `msg_${ID}`,
    `lc_run--${ID}`,
    `run-${ID}`,
    `run--${ID}-0`,
    `lc_run--${ID}-12`,
    ID.replaceAll("-", ""),
    `msg_${ID.replaceAll("-", "")}`,
    `urn:uuid:${ID}`,
    `msg_${ID.replaceAll("-", "")}_0`,
    `resp_${litellm}`,
  ])("reads %s", (text) => {
    expect(readAnswerId(text)).toEqual({ inferenceId: ID, attempt: null });
  });

  it("reads the answer of a candidate behind a prefix", () => {
    expect(readAnswerId(`chatcmpl-${ID}.2`)).toEqual({ inferenceId: ID, attempt: 2 });
  });

  it.each([`other-${ID}`, `resp_${Buffer.from("x".repeat(60)).toString("base64")}`, `chatcmpl-${ID}x`, `msg_${ID}-0`])(
    "has nothing to do with %j",
    (text) => {
      expect(readAnswerId(text)).toBeUndefined();
    },
  );
});
