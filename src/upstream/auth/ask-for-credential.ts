import { type Dispatcher, request } from "undici";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { parseErrorBody } from "../../formats/shared/parse-error-body.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** The time limit of a question for a credential, in milliseconds. */
const LIMIT_MS = 5000;
/** Most bytes of an answer. */
const MOST_BYTES = 256 * 1024;

/** A service that hands out credentials. */
export interface CredentialSource {
  /** Its name in errors: "Entra ID". */
  readonly name: string;
  /** The settings to look at where it refuses. */
  readonly remedy: string;
}

/** A question for a credential. */
interface CredentialQuestion {
  readonly url: string;
  /** POST where there is a body, and GET otherwise, if absent. */
  readonly method?: "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  /** The members of a form, or a text. */
  readonly body?: URLSearchParams | string;
  readonly limitMs?: number;
  /** Sends the question where the plain way is not the right one; services of the host itself are asked plainly. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Asks for a credential; resolves to the body of an answer of success. Rejects with InferenceError. */
export async function askForCredential(source: CredentialSource, question: CredentialQuestion): Promise<string> {
  const { status, body } = await ask(source, question);
  if (status >= 200 && status <= 299) return body;
  const code = codeIn(body);
  const problem = `${source.name} didn't return credentials (status ${status}${code === undefined ? "" : `, ${code}`})`;
  const isRefusal = status >= 400 && status <= 499 && status !== 429;
  const reason = isRefusal ? ErrorReason.UPSTREAM_UNAUTHENTICATED : ErrorReason.UPSTREAM_ERROR;
  throw new InferenceError(reason, isRefusal ? `${problem}: ${source.remedy}` : problem);
}

/** The same where the answer is a JSON object. */
export async function askForJson(source: CredentialSource, question: CredentialQuestion): Promise<JsonObject> {
  const json = parseErrorBody(await askForCredential(source, question));
  if (json !== undefined) return json;
  throw unreadable(source);
}

/** Returns the error for an answer without a credential in it. */
export function unreadable({ name }: CredentialSource): InferenceError {
  return new InferenceError(ErrorReason.UPSTREAM_ERROR, `${name} sent an answer without credentials`);
}

async function ask(source: CredentialSource, question: CredentialQuestion) {
  const { url, method, headers, body, limitMs = LIMIT_MS, dispatcher } = question;
  try {
    const form = body instanceof URLSearchParams ? { "content-type": "application/x-www-form-urlencoded" } : {};
    const answer = await request(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...form, ...headers },
      body: body === undefined ? null : String(body),
      signal: AbortSignal.timeout(limitMs),
      ...(dispatcher && { dispatcher }),
    });
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw new TypeError("the answer is too long");
      pieces.push(piece);
    }
    return { status: answer.statusCode, body: Buffer.concat(pieces).toString("utf8") };
  } catch (thrown) {
    const code = getCode(thrown, limitMs);
    throw new InferenceError(ErrorReason.UPSTREAM_UNREACHABLE, `${source.name} cannot be reached (${code})`, {
      cause: thrown,
    });
  }
}

function getCode(thrown: unknown, limitMs: number): string {
  if (!(thrown instanceof Error)) return "an error";
  if (thrown.name === "TimeoutError") return `no answer within ${limitMs} ms`;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : thrown.name;
}

/** The service's own name for its refusal; its sentences may have parts of credentials in them. */
function codeIn(body: string): string | undefined {
  const json = parseErrorBody(body);
  const error = json?.["error"];
  const code = isJsonObject(error) ? error["status"] : (error ?? json?.["code"] ?? /<Code>([^<]*)</.exec(body)?.[1]);
  return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? code : undefined;
}
