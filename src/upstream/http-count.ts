import type { CountProtocol } from "../formats/shared/protocol.ts";
import type { TokenCount } from "../hub/upstream.ts";
import { beginAnswer, toFailure } from "./begin-answer.ts";
import type { HttpExchangeParts, RequestToSend } from "./http-exchange-parts.ts";
import type { KeyUse } from "./keys/key-ring.ts";
import { readText } from "./read-answer.ts";

/** A count that is asked for. */
interface AskedCount {
  readonly count: CountProtocol;
  readonly request: RequestToSend;
  readonly keyUse: KeyUse | undefined;
}

/** Asks an upstream for the size of a prompt. Throws InferenceError. */
export async function sendCount(
  parts: HttpExchangeParts,
  { count, request, keyUse }: AskedCount,
  signal: AbortSignal,
): Promise<TokenCount> {
  const headers = { ...parts.headers, ...request.headers };
  const { body } = request;
  const begun = await beginAnswer(parts, { url: parts.urlOf(count.path), headers, body, signal, keyUse });
  try {
    return { ...count.decodeCount(await readText(begun.answer)), ...begun.facts };
  } catch (thrown) {
    throw toFailure(parts, thrown, begun);
  } finally {
    begun.end();
  }
}
