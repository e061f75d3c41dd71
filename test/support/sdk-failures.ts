import type { Answer } from "./scripted-upstream.ts";
import type { Format } from "./sdk-calls.ts";
import { UPSTREAM_HEADERS, type UpstreamKind } from "./upstream-frames.ts";

/** What an SDK throws for a status that is not 2xx. */
export interface Thrown extends Error {
  readonly status?: number;
  readonly headers?: Headers;
  readonly error?: unknown;
  readonly param?: string | null;
  readonly code?: string | null;
}

/** Returns what a call throws; an error that says so if it does not. */
export async function thrownBy(call: Promise<unknown>): Promise<Thrown> {
  const outcome = await call.then(
    (value) => new Error(`no error, but ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  return outcome as Thrown;
}

/** The type of an error in its envelope. */
export function typeOf(format: Format, { error }: Thrown): unknown {
  // The Anthropic SDK keeps the whole body, the other one the inner object.
  const inner = format === "messages" ? (error as { error?: unknown } | undefined)?.error : error;
  return (inner as { type?: unknown } | undefined)?.type;
}

/** What an upstream says of a failure. */
export interface Said {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly param?: string;
  readonly code?: string | null;
}

/** An error answer in the words of a kind of upstream. */
export function failure(kind: UpstreamKind, { status, type, message, param, code }: Said): Answer {
  const error = { message, type, param: param ?? null, code: code ?? null };
  const body = kind === "messages" ? { type: "error", error: { type, message } } : { error };
  return {
    status,
    headers: { ...UPSTREAM_HEADERS, "content-type": "application/json", "retry-after-ms": "5" },
    steps: [JSON.stringify(body)],
  };
}
