import { z } from "zod";
import { isModelName, MAX_MODEL_NAME, MODEL_NAME, MODEL_NAME_RULE } from "../catalog/model-name.ts";
import { isWholePicos } from "../catalog/price.ts";
import { isBasePath, readBasePath } from "../lib/base-path.ts";
import { nearestWord } from "../lib/nearest-word.ts";
import { parsePostgresUrl } from "../lib/postgres-url/parse-postgres-url.ts";
import { limitProblem, MAX_COUNT, MAX_USD, type QuotaField, usdToNanos } from "../quotas/quota-fields.ts";

/** Names that go into headers, paths and logs as they are. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const PRINTABLE = /^[\x21-\x7e]+$/;

// Every field has one message, which says what it must be: it serves for a wrong value and for a missing one. No
// message repeats the value, which may be a secret.

/** A map of known keys; `otherwise` is what a value that is no map must be. */
export function keys<Shape extends z.ZodRawShape>(shape: Shape, otherwise?: string) {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code, keys: unknown }) =>
      code === "unrecognized_keys"
        ? `is not known here${suggest(unknown, Object.keys(shape))}; the keys are ${names}`
        : (otherwise ?? `must be a map with the keys ${names}`),
  });
}

/** Unknown keys of one map have one message, so that a suggestion is for one alone. */
function suggest(unknown: unknown, names: readonly string[]): string {
  const [written, ...others] = Array.isArray(unknown) ? (unknown as readonly string[]) : [];
  const meant = written === undefined || others.length > 0 ? undefined : nearestWord(written, names);
  return meant === undefined ? "" : ` (do you mean ${meant}?)`;
}

/** A text that matches. */
export function text(pattern: RegExp, error: string) {
  return z.string({ error }).regex(pattern, { error });
}

/** A text in which `find` finds no fault. */
function withoutFault(text: z.ZodString, find: (value: string) => string | undefined) {
  return text.check(({ value, issues }) => {
    const message = find(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value, continue: true });
  });
}

/** A host name, or an address to listen on. */
export function host() {
  return text(/^\S+$/, "must be a host name or an address");
}

/** Any text that is not empty. */
export function anyText() {
  return text(/\S/, "must be a text that is not empty");
}

/** A regular expression, as JSON schemas have them. */
export function pattern() {
  return anyText().refine(isPattern, { error: "must be a regular expression (ECMAScript, with the flag u)" });
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/** A name of letters, digits, dots, dashes and underscores. */
export function name() {
  return text(NAME, "must be a name of letters, digits, '.', '-' and '_' that begins with a letter or a digit");
}

/** A model's name; the mark of sandbox directives cannot be part of it. */
export function modelName() {
  const error = MODEL_NAME_RULE;
  return z.string({ error }).max(MAX_MODEL_NAME, { error }).regex(MODEL_NAME, { error }).refine(isModelName, { error });
}

/** A key that is sent in a header; an empty one is absent. */
export function secret({ min, max }: { readonly min: number; readonly max: number } = { min: 1, max: 65_536 }) {
  const error = "must be one line of printable characters without spaces";
  return withoutFault(z.string({ error }), (value) => {
    if (value === "") return undefined;
    if (!PRINTABLE.test(value)) return error;
    return value.length >= min && value.length <= max ? undefined : `must have ${min} to ${max} characters`;
  }).transform((value) => (value === "" ? undefined : value));
}

/** A key that is sent in a header, where none may be absent. */
export function requiredSecret() {
  return text(/^[\x21-\x7e]{1,65536}$/, "must be one line of 1 to 65536 printable characters without spaces");
}

/** A key that things are signed with; an empty one would sign nothing, and nobody would notice. */
export function signingSecret() {
  return text(/^[\x21-\x7e]{16,512}$/, "must be one line of 16 to 512 printable characters without spaces");
}

/** Headers that are sent with every request. */
export function headers() {
  return z.record(
    text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of an HTTP header"),
    text(/^[\x20-\x7e]*$/, "must be one line of printable characters"),
    { error: "must be a map of header names to texts" },
  );
}

/** The name of a request header, in small letters as Node has it. */
export function headerName() {
  return text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of an HTTP header").transform((name) =>
    name.toLowerCase(),
  );
}

/** A whole number within bounds. */
export function integer(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return numeric(z.int({ error }).min(min, { error }).max(max, { error }));
}

/** A number within bounds; `noun` is what it is. */
function between(min: number, max: number, noun = "a number") {
  const error = `must be ${noun} from ${min} to ${max}`;
  return numeric(z.number({ error }).min(min, { error }).max(max, { error }));
}

/** The schema of a slowdown. */
export function slowdown() {
  return between(1, 1000);
}

/** A part of something, from nothing to all of it. */
export function share() {
  return between(0, 1);
}

/** A number from 0 to `most`; `noun` is what it is of. */
export function upTo(most: number, noun: string) {
  return between(0, most, noun);
}

/** A part of a limit that is worth a warning. */
export function warningShare() {
  return between(0.1, 1);
}

/** A difference of rewards, which are from 0 to 1. */
export function advantage() {
  return between(-1, 1);
}

/** A number from which on something is too much: a part, or an amount. */
export function amount() {
  return between(0.001, 1e9);
}

/** Yes or no. */
export function boolean() {
  const toBoolean = (value: unknown): unknown => (value === "true" ? true : value === "false" ? false : value);
  return z.preprocess(toBoolean, z.boolean({ error: "must be true or false" }));
}

/** A price in USD per million tokens. */
export function price() {
  const error = "must be a price in USD per million tokens: from 0 to 1000000, with at most six decimals";
  return numeric(z.number({ error }).min(0, { error }).max(1_000_000, { error }).refine(isWholePicos, { error }));
}

/** A multiple of another price. */
export function multiple() {
  return between(0, 1000);
}

/** The price of a call in USD. */
export function usdPerCall() {
  return between(0, 1000, "an amount in USD:");
}

/** An amount of money in USD. */
export function usd() {
  return between(0.01, 1_000_000, "an amount in USD:");
}

/** A limit of a quota, as a whole number or in USD, which becomes nano-USD. */
export function limit(unit: QuotaField["unit"]) {
  const error = limitProblem(unit);
  if (unit === "count") return integer(0, MAX_COUNT);
  const usd = z.number({ error }).min(0, { error }).max(MAX_USD, { error });
  return numeric(
    usd.refine((value) => usdToNanos(value) !== undefined, { error }).transform((value) => usdToNanos(value) ?? 0),
  );
}

/** The URL of a database. */
export function databaseUrl() {
  const error = "must begin with sqlite: or postgresql://";
  return withoutFault(text(/^(sqlite:.|postgres(ql)?:\/\/.)/, error), findFault);
}

function findFault(url: string): string | undefined {
  if (!url.startsWith("postgres")) return undefined;
  try {
    // What the environment says is looked at where the database is connected to.
    parsePostgresUrl(url, {});
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** An http or https address to which paths are appended. */
export function baseUrl() {
  const error = "must be an http or https address without credentials, query and fragment";
  return withoutFault(z.string({ error }), (value) => {
    if (!isBaseUrl(value)) return error;
    const route = getRoute(value);
    return route === undefined ? undefined : `must end before the route: leave '${route}' out, which is added to it`;
  });
}

/** Paths that are added to a base URL, in the order in which one contains another. */
const ROUTE =
  /\/chat\/completions$|(?<=\/v\d)\/(?:completions|responses|models|embeddings)$|\/v\d\/messages(?:\/count_tokens)?$/;

function getRoute(baseUrl: string): string | undefined {
  return ROUTE.exec(baseUrl.replace(/(?<!\/)\/+$/, ""))?.[0];
}

/** The address of this service, without a slash at its end. Its pages and paths may begin below a path of a host. */
export function publicUrl() {
  const error = "must be an http or https address, such as https://attune.example.com or https://example.com/attune";
  const paths =
    "has a path that Attune cannot be below: its segments may have letters, digits and . _ ~ -, the first may not be " +
    "one of Attune's own, such as dashboard, and /v1 at its end is left out";
  return withoutFault(z.string({ error }), (value) => {
    if (!isBaseUrl(value)) return error;
    return isBasePath(readBasePath(value)) ? undefined : paths;
  }).transform((value) => `${new URL(value).origin}${readBasePath(value)}`);
}

/** The origin of pages, without a slash at its end. */
export function browserOrigin() {
  const error = "must be an http or https address without a path, such as https://app.example.com";
  const isRoot = (value: string): boolean => isBaseUrl(value) && new URL(value).pathname === "/";
  return z
    .string({ error })
    .refine(isRoot, { error })
    .transform((value) => new URL(value).origin);
}

/** An http or https address that is asked as it is. */
export function webhookUrl() {
  const error = "must be an http or https address without credentials and fragment";
  return z.string({ error }).refine((value) => isPlainUrl(value) && !value.includes("#"), { error });
}

/** An HTTP proxy; its address may have a name and a password. */
export function proxyUrl() {
  const error = "must be the http or https address of a proxy, such as http://proxy.example.com:3128";
  return z.string({ error }).refine(isProxyUrl, { error });
}

function isProxyUrl(value: string): boolean {
  if (!URL.canParse(value) || /\s/.test(value)) return false;
  const { protocol, pathname, search, hash } = new URL(value);
  return (protocol === "http:" || protocol === "https:") && pathname === "/" && search === "" && hash === "";
}

/** A day or a moment. */
export function date() {
  const error = "must be a date such as 2026-09-03 or a time such as 2026-09-03T10:00:00Z";
  return z
    .union([z.iso.date({ error }), z.iso.datetime({ error, offset: true })], { error })
    .transform((value) => new Date(value));
}

/** Values from the environment are texts: `port: ${PORT}` is a number all the same. */
function numeric<Schema extends z.ZodType>(schema: Schema) {
  const toNumber = (value: unknown): unknown =>
    typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return z.preprocess(toNumber, schema);
}

function isBaseUrl(value: string): boolean {
  return isPlainUrl(value) && !/[?#]/.test(value);
}

function isPlainUrl(value: string): boolean {
  // `URL` reads https:///v1, of an empty variable, as a host that is called v1, which would get the key.
  if (!URL.canParse(value) || /\s/.test(value) || !/^https?:\/\/[^/\\]/i.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
