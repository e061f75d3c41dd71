import { type Dispatcher, request } from "undici";
import type { HttpUpstreamConfig } from "../config/config.ts";
import type { UpstreamProtocol } from "../formats/shared/protocol.ts";
import { InferenceError } from "../hub/error.ts";
import { createSigner } from "./auth/create-signer.ts";
import type { Environment } from "./auth/environment.ts";
import type { RequestSigner } from "./auth/request-signer.ts";
import { createDispatcher } from "./connector.ts";
import { requestHeaders } from "./http-upstream.ts";
import { joinUrl } from "./join-url.ts";
import { getProtocol } from "./kinds.ts";

/** The answer of an upstream to the question for its models. */
export type ModelsAnswer =
  | { readonly kind: "listed"; readonly unknown: readonly string[]; readonly atMs: number | undefined }
  /** It has no such list, or none that is of this form. */
  | { readonly kind: "no list"; readonly url: string; readonly status: number }
  | { readonly kind: "refused"; readonly status: number }
  /** There is nothing to sign with. */
  | { readonly kind: "no credentials"; readonly message: string }
  | { readonly kind: "unreachable"; readonly code: string };

/** The time limit of one question, in milliseconds. */
const LIMIT_MS = 10_000;
/** Most bytes of a list that is read. */
const MOST_BYTES = 16 * 2 ** 20;

/** Hosts of Azure OpenAI, whose lists have base models and not deployments. */
const AZURE = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/;

/**
 * Asks an upstream which of the named models it has: its list, and where that lacks one, for that by its name. It asks
 * by the upstream's one key: for one of several, hand over the upstream with that.
 */
export async function askModels(
  upstream: HttpUpstreamConfig,
  models: readonly string[],
  environment: Environment = process.env,
): Promise<ModelsAnswer> {
  const question = {
    upstream,
    protocol: getProtocol(upstream),
    signer: createSigner(upstream, environment),
    dispatcher: createDispatcher(upstream, LIMIT_MS),
  };
  const isOfCloud = question.signer !== undefined || upstream.apiVersion !== undefined;
  try {
    if (isOfCloud || AZURE.test(new URL(upstream.baseUrl).hostname)) return await tryModels(question, models);
    return await listModels(question, models);
  } catch (thrown) {
    if (thrown instanceof InferenceError) return { kind: "no credentials", message: thrown.message };
    return { kind: "unreachable", code: getCode(thrown) };
  }
}

interface Question {
  readonly upstream: HttpUpstreamConfig;
  readonly protocol: UpstreamProtocol;
  readonly signer: RequestSigner | undefined;
  /** Sends the questions where the plain way is not the right one. */
  readonly dispatcher: Dispatcher | undefined;
}

async function listModels(question: Question, models: readonly string[]): Promise<ModelsAnswer> {
  const { upstream, protocol } = question;
  const path = protocol.path.replace(/(?:chat\/completions|responses|messages)$/, "models");
  const url = joinUrl(upstream.baseUrl, path).href;
  const { status, body, atMs } = await ask(question, url);
  if (status === 401 || status === 403) return { kind: "refused", status };
  const listed = status === 200 ? namesIn(body) : undefined;
  if (listed === undefined) return { kind: "no list", url, status };
  const unknown: string[] = [];
  for (const model of models.filter((name) => !listed.has(name))) {
    // Lists have pages, and leave out names that stand for others.
    const one = await ask(question, `${url}/${encodeURIComponent(model)}`);
    if (one.status !== 200) unknown.push(model);
  }
  return { kind: "listed", unknown, atMs };
}

/** The words of Bedrock for a model that it does not have, with status 400. */
const UNKNOWN_MODEL = /model identifier is invalid/i;

/**
 * Sends each model a request without its prompt, which is refused and costs nothing: clouds list what could be
 * deployed, at other addresses and by other permissions than their models are called.
 */
async function tryModels(question: Question, models: readonly string[]): Promise<ModelsAnswer> {
  const { upstream, protocol } = question;
  const unknown: string[] = [];
  let atMs: number | undefined;
  for (const model of models) {
    const path = protocol.modelPath?.(model, false) ?? protocol.path;
    const answer = await ask(question, joinUrl(upstream.baseUrl, path).href, JSON.stringify({ model }));
    if (answer.status === 401 || answer.status === 403) return { kind: "refused", status: answer.status };
    if (answer.status === 404 || UNKNOWN_MODEL.test(answer.body)) unknown.push(model);
    ({ atMs } = answer);
  }
  return { kind: "listed", unknown, atMs };
}

async function ask({ upstream, protocol, signer, dispatcher }: Question, href: string, body?: string) {
  const url = new URL(href);
  const method = body === undefined ? "GET" : "POST";
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const { auth, apiKey, headers: configured } = upstream;
  const keyHeader = auth?.type === "header" ? auth.name : undefined;
  const headers = { ...type, ...requestHeaders(protocol, { apiKey, keyHeader, headers: configured }) };
  const signature = await signer?.sign({ method, url, headers, body: Buffer.from(body ?? "") });
  const answer = await request(url, {
    method,
    headers: { ...headers, ...signature?.headers },
    body: body ?? null,
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(dispatcher && { dispatcher }),
  });
  const date = Date.parse(String(answer.headers["date"]));
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw Object.assign(new Error("too long"), { code: "a list of over 16 MiB" });
  }
  const text = Buffer.concat(pieces).toString("utf8");
  return { status: answer.statusCode, body: text, atMs: Number.isNaN(date) ? undefined : date };
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
function getCode(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "an error";
  if (thrown.name === "TimeoutError") return `no answer within ${LIMIT_MS / 1000} s`;
  if ("code" in thrown && typeof thrown.code === "string") return thrown.code;
  return thrown.name;
}
