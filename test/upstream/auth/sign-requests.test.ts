import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RequestSigner } from "../../../src/upstream/auth/request-signer.ts";
import { signRequests } from "../../../src/upstream/auth/sign-requests.ts";
import { createHttpClient } from "../../../src/upstream/http.ts";
import { RequestBody } from "../../../src/upstream/request-body.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../../support/scripted-upstream.ts";

const timeouts = { connectMs: 40_000, firstByteMs: 40_000, idleMs: 40_000, totalMs: 40_000 };

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

async function post(signer: RequestSigner, signal = new AbortController().signal) {
  const client = signRequests(createHttpClient(timeouts), signer);
  const url = new URL(`${scripted.url}/a`);
  try {
    const answer = await client.post({ url, headers: { a: "b" }, body: new RequestBody(Buffer.from("{}")), signal });
    answer.cancel();
    return [answer.status, answer.secrets];
  } finally {
    await client.close();
  }
}

/** Signs with the number of the signature. */
function countingSigner(canReplace: boolean): RequestSigner {
  let count = 0;
  return {
    sign() {
      count += 1;
      return { headers: { authorization: `s${count}` }, secrets: [`s${count}`], replace: async () => canReplace };
    },
  };
}

describe("signRequests()", () => {
  it.each([401, 403])("sends a request once more whose signature is refused with %i", async (status) => {
    scripted.answer({ status, steps: ["no"] }, { steps: ["yes"] });
    expect(await post(countingSigner(true))).toEqual([200, ["s2"]]);
    expect(scripted.received.map(({ headers, body }) => [headers.authorization, headers["a"], body])).toEqual([
      ["s1", "b", "{}"],
      ["s2", "b", "{}"],
    ]);
  });

  it("sends it no third time", async () => {
    scripted.answer({ status: 403, steps: ["no"] });
    expect(await post(countingSigner(true))).toEqual([403, ["s2"]]);
    expect(scripted.received).toHaveLength(2);
  });

  it("returns the refusal where there are no other credentials", async () => {
    scripted.answer({ status: 403, steps: ["no"] });
    expect(await post(countingSigner(false))).toEqual([403, ["s1"]]);
    expect(scripted.received).toHaveLength(1);
  });

  it("does not wait for credentials once its caller has gone", async () => {
    const gone = new AbortController();
    const signer = { sign: () => new Promise<never>(() => gone.abort()) };
    await expect(post(signer, gone.signal)).rejects.toMatchObject({ message: "the client disconnected" });
    expect(scripted.received).toEqual([]);
  });
});
