import type { ErrorPlace } from "../../../catalog/facts.ts";
import { objectsInText } from "../../../lib/objects-in-text.ts";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";

/** An error as a server said it, in whatever shape and place. */
export interface FoundError {
  /** The object that has its members; the body where there is none. */
  readonly error: JsonObject;
  /** Its names: code, type, status, and the reasons of its details; numbers as text. */
  readonly codes: readonly string[];
  readonly message: string | undefined;
}

/** Errors within errors that are looked into: a gateway repeats what its provider said of another one. */
const MOST_LEVELS = 3;

/** Problems of one request that are told. */
const MOST_PROBLEMS = 5;

/**
 * Finds the error in a body: `{error: {...}}`, `{error: "..."}`, `{errors: [...]}`, `{message, code}`, `{detail}`, a
 * place of the server's own, or what a gateway repeats of its provider in `metadata.raw` or as JSON in the message.
 */
export function findError(body: JsonObject, places: readonly ErrorPlace[], level = 0): FoundError {
  const found = isJsonObject(body.error) ? undefined : findPlaced(body, places);
  const outer = found ?? findPlain(body);
  const { error, message } = outer;
  const inner = level < MOST_LEVELS ? repeatedIn(error, message) : undefined;
  if (inner === undefined) return outer;
  if (typeof inner === "string") return { ...outer, message: inner };
  const within = findError(inner, places, level + 1);
  return { error, codes: [...within.codes, ...outer.codes], message: within.message ?? message };
}

/**
 * Finds an error in a place that the server has for it; undefined where it has none there, or says that all is well.
 */
export function findPlaced(body: JsonObject, places: readonly ErrorPlace[]): FoundError | undefined {
  for (const { member, code, message, success = [] } of places) {
    const error = member === undefined ? body : body[member];
    if (!isJsonObject(error)) continue;
    const [name, words] = [getName(error[code]), getText(error[message])];
    if (name !== undefined && words !== undefined && !success.includes(name)) {
      return { error, codes: [...new Set([name, ...codesOf(error)])], message: words };
    }
  }
  return undefined;
}

function findPlain(body: JsonObject): FoundError {
  const error = getError(body);
  return { error, codes: codesOf(error), message: getMessage(body, error) };
}

/** Members that hold an error, or a list of them. */
const HOLDERS = ["error", "errors", "err", "fault"];

function getError(body: JsonObject): JsonObject {
  for (const name of HOLDERS) {
    const held = body[name];
    const [first] = Array.isArray(held) ? held : [held];
    if (isJsonObject(first)) return first;
  }
  const { error: _text, errors: _texts, ...rest } = body;
  return rest;
}

function getMessage(body: JsonObject, error: JsonObject): string | undefined {
  const [first] = Array.isArray(body["errors"]) ? body["errors"] : [];
  const candidates = [error["message"], error["error_description"], body["error"], body["message"], first].map(
    getWords,
  );
  const words = candidates.find((text) => text !== undefined) ?? messageIn(error);
  const detail = isJsonObject(error["message"]) ? error["message"]["detail"] : (error["detail"] ?? body["detail"]);
  const message = words ?? getDetail(detail) ?? getText(error["reason"]);
  return message ?? getProblems(body["errors"]) ?? getText(body["title"]);
}

/** Returns a text, or the texts of a list, as NestJS has its problems. */
function getWords(value: unknown): string | undefined {
  if (!Array.isArray(value)) return getText(value);
  const texts = value.flatMap((each) => getText(each) ?? []);
  return texts.length === 0 ? undefined : texts.slice(0, MOST_PROBLEMS).join("; ");
}

/** Reads problems by the fields that they are of, as ASP.NET and Rails have them: `{temperature: ["is too high"]}`. */
function getProblems(errors: unknown): string | undefined {
  if (!isJsonObject(errors)) return undefined;
  const problems = Object.entries(errors).flatMap(([field, value]) => {
    const words = getWords(value);
    return words === undefined ? [] : `${field}: ${words}`;
  });
  return problems.length === 0 ? undefined : problems.slice(0, MOST_PROBLEMS).join("; ");
}

/** Names that servers have for the message of an error. */
const MESSAGES = ["message", "msg", "Message", "error_msg", "errmsg", "error_message", "faultstring", "exception"];

/** Returns the message of an error under any name that servers have for it. */
export function messageIn(error: JsonObject): string | undefined {
  return MESSAGES.map((name) => getText(error[name])).find((text) => text !== undefined);
}

/** Reads FastAPI's details, which repeat the caller's values in `input`: of these nothing is read. */
function getDetail(detail: unknown): string | undefined {
  if (Array.isArray(detail)) {
    const problems = detail.flatMap((each) => getDetail(each) ?? []);
    return problems.length === 0 ? undefined : problems.slice(0, MOST_PROBLEMS).join("; ");
  }
  if (!isJsonObject(detail)) return getText(detail);
  const { loc, msg, message, error } = detail;
  const words =
    getText(msg) ?? getText(message) ?? getText(error) ?? (isJsonObject(error) ? getText(error.message) : undefined);
  const place = Array.isArray(loc) ? getPlace(loc) : "";
  return place === "" ? words : `${place}: ${words ?? "is refused"}`;
}

/** `["body", "messages", 0, "content"]` is `messages[0].content`. */
function getPlace(path: readonly unknown[]): string {
  const [first, ...rest] = path;
  return (first === "body" ? rest : path)
    .map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${String(step)}`))
    .join("");
}

/** Names that servers have for the code of an error. */
const CODES = ["code", "type", "status", "reason", "error_code", "errcode", "error_type", "__type"];

/** Names of the HTTP status, where a server repeats it. */
const STATUSES = ["http_code", "http_status_code", "status_code"];

function codesOf(error: JsonObject): string[] {
  const { details } = error;
  const reasons = Array.isArray(details) ? details.filter(isJsonObject).map((detail) => detail["reason"]) : [];
  return [...reasons, ...[...CODES, ...STATUSES].map((name) => error[name])].flatMap((value) => getName(value) ?? []);
}

/** Returns what an error repeats of another one: an object, or a text. */
function repeatedIn({ metadata, error }: JsonObject, message: string | undefined): JsonObject | string | undefined {
  if (isJsonObject(error)) return { error };
  const raw = isJsonObject(metadata) ? metadata["raw"] : undefined;
  if (isJsonObject(raw)) return raw;
  if (typeof raw === "string" && raw !== "") return parseObject(raw) ?? raw;
  if (message === undefined) return undefined;
  // Words, or the same again with a stack, may stand behind the first object.
  const [object] = objectsInText(message);
  return (object === undefined ? undefined : parseObject(object)) ?? pythonMessage(message);
}

/** An error as Python prints an object: `Error code: 400 - {'error': {'message': "it's wrong", 'code': None}}`. */
const PYTHON_ERROR =
  /\{'error': \{(?:'\w{1,20}': [^{}'"]{1,40}, |'\w{1,20}': '[^'\\]{0,80}', ){0,5}'message': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/;

function pythonMessage(message: string): string | undefined {
  const [, single, double] = PYTHON_ERROR.exec(message) ?? [];
  return getText((single ?? double)?.replaceAll(/\\(['"\\])/g, "$1"));
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Some services of AWS put their namespace before the name: `com.amazon.coral.service#ThrottlingException`. */
function getName(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : getText(value)?.replace(/^[\w.]+#/, "");
}

function getText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
