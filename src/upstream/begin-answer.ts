import { InferenceError } from "../hub/error.ts";
import type { OnSent } from "../hub/upstream.ts";
import type { HttpAnswer } from "./http.ts";
import type { HttpExchangeParts } from "./http-exchange-parts.ts";
import type { KeyUse } from "./keys/key-ring.ts";
import { KeyedCall } from "./keys/keyed-call.ts";
import { type AnswerFacts, isHtml, isSuccess, readError, readHead } from "./read-answer.ts";
import type { RequestBody } from "./request-body.ts";

/** A request to an upstream. */
interface RequestToSend {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly signal: AbortSignal;
  /** The facts that one of several keys is chosen by; undefined where there is one. */
  readonly keyUse: KeyUse | undefined;
  readonly onSent?: OnSent | undefined;
}

/** An answer of success that has begun. */
interface BegunAnswer {
  readonly answer: HttpAnswer;
  readonly facts: AnswerFacts;
  /** Ends it if it is still under way. */
  end(): void;
}

/** A body is held so long in case that its key is refused: refusals come at once, answers may take an hour. */
const HOLD_MS = 5000;

/**
 * Sends a request and reads the head of its answer. One that is refused for its key goes once more by another that has
 * room, if there is one. Throws InferenceError for what is no success.
 */
export async function beginAnswer(parts: HttpExchangeParts, request: RequestToSend): Promise<BegunAnswer> {
  const call = KeyedCall.begin(parts.keys, request.keyUse);
  if (call === undefined) return post(parts, request);
  const held = request.body.copy();
  const timer = setTimeout(() => held.release(), HOLD_MS);
  timer.unref();
  try {
    for (let body = request.body; ; body = held.copy()) {
      try {
        const { answer, facts } = await post(parts, {
          ...request,
          body,
          headers: { ...call.headers, ...request.headers },
        });
        call.answered(facts.upstreamHeaders);
        const end = (): void => {
          answer.cancel();
          call.end();
        };
        return { answer, facts, end };
      } catch (thrown) {
        const error = InferenceError.from(thrown);
        if (!call.failed(error) || !held.isHeld || request.signal.aborted) {
          call.end();
          throw call.toTell(error);
        }
      }
    }
  } finally {
    clearTimeout(timer);
    held.release();
  }
}

async function post(
  parts: HttpExchangeParts,
  { url, headers, body, signal, onSent }: Omit<RequestToSend, "keyUse">,
): Promise<BegunAnswer> {
  const { protocol, client, name, profile } = parts;
  let answer: HttpAnswer | undefined;
  let facts: AnswerFacts | undefined;
  try {
    answer = await client.post({ url, headers, body, signal, onSent });
    facts = readHead(protocol, answer);
    if (!isSuccess(answer) || isHtml(answer.headers, ""))
      throw await readError(protocol, answer, { name, url, profile });
    const { cancel } = answer;
    return { answer, facts, end: () => cancel() };
  } catch (thrown) {
    answer?.cancel();
    throw toFailure(parts, thrown, { answer, facts });
  }
}

/** Returns what was thrown with what is known of its call, and without secrets. */
export function toFailure(
  { name, secrets }: HttpExchangeParts,
  thrown: unknown,
  { answer, facts }: { readonly answer: HttpAnswer | undefined; readonly facts: AnswerFacts | undefined },
): InferenceError {
  return InferenceError.from(thrown)
    .with({ upstream: name, ...facts })
    .without([...secrets, ...(answer?.secrets ?? [])]);
}
