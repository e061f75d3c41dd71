import { InferenceError } from "../inference/error.ts";
import type { TokenCount } from "../inference/ports.ts";
import type { HttpAnswer } from "./http.ts";
import type { HttpExchangeParts } from "./http-upstream.ts";
import type { CountProtocol, EncodedRequest } from "./protocol.ts";
import { isSuccess, readError, readText, requestIdOf } from "./read-answer.ts";

/** Asks an upstream for the size of a prompt. Throws InferenceError. */
export async function sendCount(
  { client, headers, name, protocol, urlOf }: HttpExchangeParts,
  { count, request }: { readonly count: CountProtocol; readonly request: EncodedRequest },
  signal: AbortSignal,
): Promise<TokenCount> {
  let answer: HttpAnswer | undefined;
  let upstreamRequestId = "";
  try {
    answer = await client.post({
      url: urlOf(count.path),
      headers: { ...headers, accept: "application/json", ...request.headers },
      body: request.body,
      signal,
    });
    upstreamRequestId = requestIdOf(protocol, answer);
    if (!isSuccess(answer)) throw await readError(protocol, answer);
    return { ...count.decodeCount(await readText(answer)), upstreamRequestId };
  } catch (thrown) {
    throw InferenceError.from(thrown).with({ upstream: name, upstreamRequestId });
  } finally {
    answer?.cancel();
  }
}
