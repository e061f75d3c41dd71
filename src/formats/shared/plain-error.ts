import { InferenceError } from "../../hub/error.ts";
import { overflowFacts, refineOverflow } from "./context-overflow.ts";
import { causeFor, cleanMessage, messageFor } from "./errors/error-message.ts";
import { reasonByWords } from "./errors/error-words.ts";
import { mapStatus } from "./map-status.ts";
import type { KnownFacts } from "./protocol.ts";

/** The words of an error as XML, which storage and older gateways answer with. */
const XML_MESSAGE = /<(?:\w{1,20}:)?(?:message|faultstring)>([^<]{1,2000})</i;

/** A text without a sentence: a page, or JSON that says nothing that is known. */
const NO_WORDS = /^[<{]|^$/;

/** Decodes an error whose body has no error in it: a text has the words of the server or of a proxy. */
export function decodePlainError(status: number, body: string, facts: KnownFacts): InferenceError {
  const text = XML_MESSAGE.exec(body)?.[1]?.trim() ?? body.trim();
  const suffix = NO_WORDS.test(text) ? "" : `: ${text}`;
  const reason =
    reasonByWords({ codes: [], message: text }, facts?.errors ?? []) ?? refineOverflow(mapStatus(status), text);
  const message = cleanMessage(`the upstream answered with status ${status}${suffix}`);
  return new InferenceError(reason, messageFor(reason, message), {
    upstreamStatus: status,
    ...overflowFacts(reason, text),
    ...causeFor(reason, message),
  });
}
