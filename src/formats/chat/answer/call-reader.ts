import { growMembers } from "../../../lib/grow-members.ts";
import { newId } from "../../../lib/ids.ts";
import { argumentsAt, brokenAnswer, calledName } from "../../shared/broken-answer.ts";
import { defineMember, isJsonObject, type JsonObject, parseJsonObject, toText } from "../../shared/json.ts";
import { isNewWord } from "../../shared/words.ts";
import { ArgumentText } from "../request/argument-text.ts";
import { extraOfCall } from "../request/decode-call.ts";
import type { BlockWriter } from "./block-writer.ts";
import { toOwnForm } from "./call-forms.ts";

const TYPES = ["function", "custom"] as const;
/** Members of a delta that tell which call it is, or are repeated; they do not grow. */
const FIXED: ReadonlySet<string> = new Set(["id", "type", "name"]);

/** Tells whether a call, or its first delta, is of a type that the hub does not know. */
function isOpaqueCall({ type }: JsonObject): boolean {
  return isNewWord(type, TYPES);
}

/** Adds a delta to a call as the format's own clients do: texts and lists grow, all else is what was said last. */
function growOpaqueCall(call: JsonObject, { index: _number, ...delta }: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    const known = Object.hasOwn(call, name) ? call[name] : undefined;
    if (value === null || value === undefined) continue;
    if (isJsonObject(known) && isJsonObject(value)) growOpaqueCall(known, value);
    else if (typeof known === "string" && typeof value === "string") {
      if (!FIXED.has(name)) call[name] = known + value;
    } else if (Array.isArray(known) && Array.isArray(value)) for (const item of value) known.push(item);
    else defineMember(call, name, value);
  }
}

/** A call as far as it has come. */
interface Call {
  id: string;
  /** The id that the upstream gave it, which it may have given to others too. */
  told: string;
  name: string;
  isCustom: boolean;
  text: ArgumentText;
  /** The text that is not written yet. */
  unwritten: string;
  state: "waiting" | "live" | "ended";
  extra: JsonObject | undefined;
  /** Of a type that the hub does not know: the call as far as it has come, which is written when it has ended. */
  opaque: JsonObject | undefined;
}

const NO_ARGUMENTS = "{}";
/**
 * Reads tool calls, which an upstream may send all at once and out of turn, and writes them one after another: the
 * first that has not ended is live, the ones behind it wait until its arguments are complete JSON or the answer ends.
 */
export class CallReader {
  readonly #writer: BlockWriter;
  readonly #calls: Call[] = [];
  readonly #byId = new Map<string, Call>();
  /** The last call of each number that the upstream gives. */
  readonly #byIndex = new Map<unknown, Call>();
  #live = 0;

  constructor(writer: BlockWriter) {
    this.#writer = writer;
  }

  /** Number of calls so far. */
  get count(): number {
    return this.#calls.length;
  }

  /** Number of calls so far whose type the hub knows: those that every format can say. */
  get knownCount(): number {
    return this.#calls.filter(({ opaque }) => opaque === undefined).length;
  }

  /** Reads `delta.tool_calls`. */
  read(deltas: readonly JsonObject[]): void {
    for (const told of deltas) {
      const known = this.#find(told);
      // More of a call that only this format knows has its own members.
      const delta = known?.opaque === undefined ? toOwnForm(told) : told;
      this.#readCall(delta, delta === told ? known : this.#find(delta));
    }
  }

  /** Reads `message.tool_calls`: each entry is a call of its own, whatever its id and index are. */
  readWhole(calls: readonly JsonObject[]): void {
    for (const call of calls) this.#readCall(toOwnForm(call), undefined);
  }

  /** Ends the calls if all are complete; tells whether none is left open. */
  settle(): boolean {
    while (this.#live < this.#calls.length) if (!this.#step(true)) return false;
    return true;
  }

  /**
   * Ends all calls as they are, and gives those without arguments `{}`: the last one only if the answer was not cut.
   * Throws STREAM_INTERRUPTED for a call without a name.
   */
  finish(isCut: boolean): void {
    for (; this.#live < this.#calls.length; this.#live += 1) {
      const call = this.#calls[this.#live];
      if (call === undefined) continue;
      if (!isCut || this.#live < this.#calls.length - 1) fillArguments(call);
      this.#end(call);
    }
  }

  #readCall(delta: JsonObject, known: Call | undefined): void {
    const call = known ?? this.#begin(delta);
    const isCustom = isJsonObject(delta.custom);
    const called = isCustom ? delta.custom : delta.function;
    const inner = isJsonObject(called) ? called : {};
    call.isCustom ||= isCustom || delta.type === "custom";
    // Some servers repeat the id and the name in each delta; only the first of each counts.
    if (call.id === "") this.#identify(call, toText(delta.id));
    if (isOpaqueCall(delta)) call.opaque ??= {};
    if (call.opaque !== undefined) {
      if (call.state === "ended") throw brokenAnswer("a tool call goes on after its end");
      growOpaqueCall(call.opaque, delta);
      this.#advance();
      return;
    }
    growName(call, toText(inner.name));
    const extra = extraOfCall(delta);
    if (extra !== undefined) {
      call.extra ??= {};
      growMembers(call.extra, extra);
    }
    const part = argumentsAt(isCustom ? inner.input : inner.arguments);
    const text = call.isCustom ? part : call.text.rest(part);
    if (call.state === "ended" && text.trim() !== "") {
      throw brokenAnswer(`tool call '${call.name}' goes on after its end`);
    }
    // Some bridges say `{}` first, for no arguments so far, and then the arguments.
    if (call.unwritten === NO_ARGUMENTS && text.trimStart().startsWith("{")) {
      call.unwritten = "";
      call.text = new ArgumentText();
    }
    call.text.add(text);
    call.unwritten += text;
    this.#advance();
  }

  /** Results are told by the ids of their calls: of several with one id, all but the first get another. */
  #identify(call: Call, id: string): void {
    if (id === "") return;
    const isTaken = this.#byId.has(id);
    call.told = id;
    call.id = isTaken ? `call_${newId()}` : id;
    if (!isTaken) this.#byId.set(id, call);
  }

  /** A call is known by its index, and by its id where servers number every call 0 or none. */
  #find(delta: JsonObject): Call | undefined {
    const id = toText(delta.id);
    const { index } = delta;
    const isNumbered = index !== undefined && index !== null;
    const call = isNumbered ? this.#byIndex.get(index) : this.#calls.at(-1);
    if (id !== "" && call?.told === id) return call;
    const known = id === "" ? undefined : this.#byId.get(id);
    // One that is complete, under the same id and another number, is the next of parallel calls.
    const isNext = isNumbered && known?.text.isComplete === true && getName(delta) !== "" && hasArguments(delta);
    if (known !== undefined) return isNext ? undefined : known;
    if (call === undefined || (getName(delta) === "" && !isOpaqueCall(delta))) return call;
    // Bridges to Gemini number each call 0, with "" for its id; what is complete has no further arguments.
    const isPast = isNumbered ? call.text.isComplete && hasArguments(delta) : isComplete(call);
    const isAnother = id === "" ? isPast : call.id !== "" && !goesOn(call, delta);
    return isAnother ? undefined : call;
  }

  #begin({ index }: JsonObject): Call {
    const call: Call = {
      id: "",
      told: "",
      name: "",
      isCustom: false,
      text: new ArgumentText(),
      unwritten: "",
      state: "waiting",
      extra: undefined,
      opaque: undefined,
    };
    this.#calls.push(call);
    this.#byIndex.set(index, call);
    return call;
  }

  #advance(): void {
    while (this.#step(this.#live < this.#calls.length - 1));
  }

  /** Writes what is there of the live call, and ends it if it may end and is complete; tells whether it has ended. */
  #step(mayEnd: boolean): boolean {
    const call = this.#calls[this.#live];
    if (call === undefined || (call.name === "" && call.opaque === undefined)) return false;
    // More of its name may come until its arguments begin.
    if (call.state === "waiting" && call.unwritten === "" && call.opaque === undefined && !mayEnd) return false;
    if (call.opaque === undefined) this.#write(call);
    if (!mayEnd || !isComplete(call)) return false;
    this.#end(call);
    this.#live += 1;
    return true;
  }

  /** `{}` waits for the call's end, or for the arguments that come in its place; a text in quotes for its own. */
  #write(call: Call, isEnd = false): void {
    if (call.state === "waiting") {
      call.id ||= `call_${newId()}`;
      this.#writer.startCall({ id: call.id, name: call.name, isCustom: call.isCustom, extra: call.extra });
      call.extra = undefined;
      call.state = "live";
    }
    if (isEnd) call.unwritten = decodeTwice(call);
    else if (call.unwritten === NO_ARGUMENTS || isQuoted(call)) return;
    this.#writer.growCall(call.unwritten);
    call.unwritten = "";
  }

  #end(call: Call): void {
    if (call.opaque !== undefined) {
      this.#writer.opaque(call.opaque);
      call.state = "ended";
      return;
    }
    calledName(call.name);
    this.#write(call, true);
    this.#writer.end(call.extra);
    call.state = "ended";
  }
}

/** Free text has no end of its own, and of a new type of call nobody knows it: the next call ends it. */
function isComplete({ isCustom, text, opaque }: Call): boolean {
  return isCustom || opaque !== undefined || text.isComplete;
}

/** Some servers say "" of no arguments, which is no JSON. */
function fillArguments(call: Call): void {
  if (!call.isCustom && call.opaque === undefined && call.text.isBlank) call.unwritten += "{}";
}

function getName(delta: JsonObject): string {
  const called = delta.function ?? delta.custom;
  return isJsonObject(called) ? toText(called.name) : "";
}

/** Tells whether arguments may be encoded twice: as an object in a text in quotes. */
function isQuoted({ isCustom, text, unwritten }: Call): boolean {
  return !isCustom && !text.isObject && unwritten.startsWith('"');
}

function decodeTwice(call: Call): string {
  const object = isQuoted(call) ? parseJsonObject(`{"text":${call.unwritten}}`)?.["text"] : undefined;
  return typeof object === "string" && parseJsonObject(object) !== undefined ? object : call.unwritten;
}

/** Some servers repeat the name in each delta, with all of it so far or with the next piece of it, or tell it last. */
function growName(call: Call, name: string): void {
  const isTold = call.name !== "" && call.unwritten !== "";
  if (name === "" || name === call.name || call.state !== "waiting" || isTold) return;
  call.name = name.startsWith(call.name) ? name : call.name + name;
}

/** Some servers make a new id for each delta: the middle of an object is no call of its own. */
function goesOn({ name, isCustom, text }: Call, delta: JsonObject): boolean {
  const isOpen = !isCustom && text.isObject && !text.isComplete;
  return isOpen && getName(delta) === name && hasArguments(delta) && !beginsObject(delta);
}

function beginsObject({ function: called }: JsonObject): boolean {
  const { arguments: value } = isJsonObject(called) ? called : {};
  return isJsonObject(value) || toText(value).trimStart().startsWith("{");
}

function hasArguments({ function: called }: JsonObject): boolean {
  const { arguments: value } = isJsonObject(called) ? called : {};
  return isJsonObject(value) || toText(value).trim() !== "";
}
