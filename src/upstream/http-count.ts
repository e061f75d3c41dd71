import type { CountProtocol } from "../formats/shared/protocol.ts";
import { InferenceError } from "../hub/error.ts";
import type { TokenCount } from "../hub/upstream.ts";
import type { HttpAnswer } from "./http.ts";
import type { HttpExchangeParts, RequestToSend } from "./http-exchange-parts.ts";
import { type AnswerFacts, isSuccess, readError, readHead, readText } from "./read-answer.ts";

/** Asks an upstream for the size of a prompt. Throws InferenceError. */
export async function sendCount(
  { client, headers, name, protocol, secrets, urlOf }: HttpExchangeParts,
  { count, request }: { readonly count: CountProtocol; readonly request: RequestToSend },
  signal: AbortSignal,
): Promise<TokenCount> {
  let answer: HttpAnswer | undefined;
  let facts: AnswerFacts | undefined;
  const url = urlOf(count.path);
  try {
    answer = await client.post({
      url,
      headers: { ...headers, ...request.headers },
      body: request.body,
      signal,
    });
    facts = readHead(protocol, answer);
    if (!isSuccess(answer)) throw await readError(protocol, answer, { name, url });
    return { ...count.decodeCount(await readText(answer)), ...facts };
  } catch (thrown) {
    throw InferenceError.from(thrown)
      .with({ upstream: name, ...facts })
      .without([...secrets, ...(answer?.secrets ?? [])]);
  } finally {
    answer?.cancel();
  }
}
