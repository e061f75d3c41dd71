import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { parseJson } from "../../../src/formats/shared/json.ts";
import { decodeLogprobs, encodeLogprobs, type LogprobForm } from "../../../src/formats/shared/logprobs.ts";

const CHAT: LogprobForm = { dialect: Dialect.CHAT, saysNull: true };
const RESPONSES: LogprobForm = { dialect: Dialect.RESPONSES, saysNull: false };

function carry(tokens: string, form: LogprobForm): string | undefined {
  const decoded = decodeLogprobs(parseJson(tokens), Dialect.CHAT);
  return decoded && JSON.stringify(encodeLogprobs(decoded, form));
}

describe("logprobs", () => {
  it("keep the bytes of a token, and say that nobody told them in the format's own way", () => {
    const token =
      '[{"token":"a","logprob":-0.5,"bytes":[240,159],"top_logprobs":[{"token":"b","logprob":-1,"bytes":[]}]}]';
    expect(carry(token, CHAT)).toBe(token);
    expect(carry(token, RESPONSES)).toBe(token);
    expect(carry('[{"token":"a","logprob":0}]', CHAT)).toBe(
      '[{"token":"a","logprob":0,"bytes":null,"top_logprobs":[]}]',
    );
    expect(carry('[{"token":"a","logprob":0,"bytes":null}]', RESPONSES)).toBe(
      '[{"token":"a","logprob":0,"top_logprobs":[]}]',
    );
  });

  it("read a number with more digits than a double has", () => {
    expect(carry('[{"token":"a","logprob":-0.000317101047839969401,"top_logprobs":[]}]', RESPONSES)).toBe(
      '[{"token":"a","logprob":-0.0003171010478399694,"top_logprobs":[]}]',
    );
  });

  it("keep members that only their format knows there, odd bytes among them, and no number as null", () => {
    const odd = '[{"token":"a","logprob":null,"top_logprobs":[],"id":7}]';
    expect(carry(odd, RESPONSES)).toBe('[{"token":"a","logprob":null,"top_logprobs":[]}]');
    expect(carry(odd, CHAT)).toBe('[{"token":"a","logprob":null,"bytes":null,"top_logprobs":[],"id":7}]');
    expect(carry('[{"token":"a","logprob":0,"bytes":[256]}]', CHAT)).toBe(
      '[{"token":"a","logprob":0,"bytes":[256],"top_logprobs":[]}]',
    );
  });

  it.each(["null", "[]", "[null]", "{}"])("are none in %s", (json) => {
    expect(carry(json, CHAT)).toBeUndefined();
  });
});
