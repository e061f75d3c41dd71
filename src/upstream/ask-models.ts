import { request } from "undici";
import type { HttpUpstreamConfig } from "../config/config.ts";
import { joinUrl } from "./join-url.ts";
import { PROTOCOLS } from "./protocols.ts";

/** The answer of an upstream to the question for its models. */
export type ModelsAnswer =
  | { readonly kind: "listed"; readonly unknown: readonly string[]; readonly atMs: number | undefined }
  /** It has no such list, or none that is of this form. */
  | { readonly kind: "no list"; readonly url: string; readonly status: number }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "unreachable"; readonly code: string };

/** The time limit of one question, in milliseconds. */
const LIMIT_MS = 10_000;
/** Most bytes of a list that is read. */
const MOST_BYTES = 16 * 2 ** 20;

/** Asks an upstream which of the named models it has: its list, and where that lacks one, for that by its name. */
export async function askModels(upstream: HttpUpstreamConfig, models: readonly string[]): Promise<ModelsAnswer> {
  const { path } = PROTOCOLS[upstream.kind];
  const url = joinUrl(upstream.baseUrl, path.replace(/(?:chat\/completions|responses|messages)$/, "models")).href;
  try {
    const { status, body, atMs } = await get(url, upstream);
    if (status === 401 || status === 403) return { kind: "refused", status };
    const listed = status === 200 ? namesIn(body) : undefined;
    if (listed === undefined) return { kind: "no list", url, status };
    const unknown: string[] = [];
    for (const model of models.filter((name) => !listed.has(name))) {
      // Lists have pages, and leave out names that stand for others.
      const one = await get(`${url}/${encodeURIComponent(model)}`, upstream);
      if (one.status !== 200) unknown.push(model);
    }
    return { kind: "listed", unknown, atMs };
  } catch (thrown) {
    return { kind: "unreachable", code: codeOf(thrown) };
  }
}

async function get(url: string, { kind, apiKey, headers }: HttpUpstreamConfig) {
  const answer = await request(url, {
    headers: { ...PROTOCOLS[kind].headers(apiKey), ...headers },
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const date = Date.parse(String(answer.headers["date"]));
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw Object.assign(new Error("too long"), { code: "a list of over 16 MiB" });
  }
  const body = Buffer.concat(pieces).toString("utf8");
  return { status: answer.statusCode, body, atMs: Number.isNaN(date) ? undefined : date };
}

function namesIn(body: string): ReadonlySet<string> | undefined {
  try {
    const { data } = JSON.parse(body) as { readonly data?: unknown };
    if (!Array.isArray(data)) return undefined;
    return new Set(data.map((model: unknown) => (model as { readonly id?: unknown } | null)?.id).map(String));
  } catch {
    return undefined;
  }
}

/** The system's own words have addresses in them. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "an error";
  if (thrown.name === "TimeoutError") return `no answer within ${LIMIT_MS / 1000} s`;
  if ("code" in thrown && typeof thrown.code === "string") return thrown.code;
  return thrown.name;
}
