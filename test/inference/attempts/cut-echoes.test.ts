import { describe, expect, it } from "vitest";
import { decodeOpenAiErrorObject } from "../../../src/formats/shared/decode-openai-error.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { cutEchoes, withoutEchoes } from "../../../src/inference/attempts/cut-echoes.ts";
import { threadMs } from "../../support/thread-ms.ts";

describe("cutEchoes()", () => {
  it.each([
    ["Invalid value: 'the marzipan lighthouse'", ["see the marzipan lighthouse at night"], "Invalid value: '[...]'"],
    [
      "input_value='marzipan-lighth...t night', type=str",
      ["marzipan-lighthouse at night"],
      "input_value='[...]...t night', type=str",
    ],
    ["a marzipan-lighthouse and b marzipan-lighthouse", ["marzipan-lighthouse"], "a [...] and b [...]"],
    ["messages: too many tokens", ["marzipan-lighthouse"], "messages: too many tokens"],
    ["short", ["short"], "short"],
    ["Grüße an alle 🌍 hier", ["Grüße an alle 🌍"], "[...] hier"],
  ])("cuts %j", (message, texts, cut) => {
    expect(cutEchoes(message, texts)).toBe(cut);
  });

  it("takes ten times as long for a text that is ten times as long, and no more", () => {
    const msOf = (length: number) => {
      const tries = [1, 2, 3].map(() => {
        const beganMs = threadMs();
        cutEchoes("Input should be a valid string".repeat(60), ["x".repeat(length)]);
        return threadMs() - beganMs;
      });
      return Math.min(...tries);
    };
    // A square would be a hundred times.
    expect(msOf(5_000_000)).toBeLessThan(30 * Math.max(1, msOf(500_000)));
  });
});

describe("withoutEchoes()", () => {
  const text = "see the marzipan lighthouse at night";
  const input = createHubInput({ messages: [{ content: [{ kind: { case: "text", value: { text } } }] }] });

  it("cuts words that came without a status or a code, as inside 200 and in a stream", () => {
    const error = withoutEchoes(decodeOpenAiErrorObject({ error: `cannot handle '${text}'` }), input);
    expect(error.message).toBe("cannot handle '[...]'");
  });

  it("cuts a code and a place that are no names, and leaves names", () => {
    const said = { error: { message: "bad", code: text, param: `messages ${text}` } };
    expect(withoutEchoes(decodeOpenAiErrorObject(said, undefined, 400), input).facts).toMatchObject({
      upstreamCode: "[...]",
      param: "messages [...]",
    });
    const named = decodeOpenAiErrorObject({ error: { message: "bad", code: "context_length_exceeded" } });
    const about = createHubInput({ endUserId: "context_length_exceeded" });
    expect(withoutEchoes(named, about).facts.upstreamCode).toBe("context_length_exceeded");
  });

  it("leaves words of this service", () => {
    const error = new InferenceError(ErrorReason.INVALID_REQUEST, `not '${text}'`);
    expect(withoutEchoes(error, input)).toBe(error);
  });
});
