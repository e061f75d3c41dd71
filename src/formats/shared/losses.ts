import { Dialect, type RawJson, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { DIALECT_OF, type Target } from "../../hub/field-row.ts";
import { LossFinder, type LossReport } from "../../hub/loss-finder.ts";
import { inOrder } from "../../hub/places.ts";
import { isEphemeral, isKnownTtl } from "./chat-cache-control.ts";
import { saysNothing } from "./is-default-value.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject, parseJsonObject } from "./json.ts";
import { memberPath } from "./read.ts";

/** Objects of whose members the hub models some. */
const PARTLY_MODELLED: ReadonlySet<string> = new Set([
  "cache_control",
  "format",
  "function",
  "image_url",
  "output_config",
  "prompt_cache_breakpoint",
  "text",
]);

/** The losses of a request. Only a LossList makes it, so that no format can forget to look for it. */
export type Losses = readonly string[] & { readonly [MADE]: true };
declare const MADE: unique symbol;

const FINDERS: Readonly<Record<Target, LossFinder>> = {
  chat: new LossFinder("chat"),
  responses: new LossFinder("responses"),
  messages: new LossFinder("messages"),
  sandbox: new LossFinder("sandbox"),
};

/**
 * Collects what a format cannot carry, by its place in the hub's own request. The caller's codec spells it, so that no
 * upstream knows who calls. What the format has no place for is found without anybody's telling it; codecs tell what
 * they cannot say of a value.
 */
export class LossList implements LossReport {
  readonly #target: Target | undefined;
  readonly #input: InferenceInput;
  readonly #places = new Set<string>();
  readonly #settled = new Set<string>();

  /** `target` is undefined where another list has found what is lost. */
  constructor(target: Target | undefined, input: InferenceInput) {
    this.#target = target;
    this.#input = input;
  }

  /** All losses, each once, in the order of the hub's request. */
  get places(): Losses {
    if (this.#target !== undefined) FINDERS[this.#target].find(this.#input, this);
    return inOrder([...this.#places]) as unknown as Losses;
  }

  /**
   * Something at a place is lost: `messages[1].content[0].title`. Of an item that has no role, its message is the
   * place.
   */
  at(place: string): void {
    if (this.#settled.has(place)) return;
    const [, message, index] = /^(messages\[(\d+)\])\.content\[0\]$/.exec(place) ?? [];
    const isItem = message !== undefined && this.#input.messages[Number(index)]?.role === Role.UNSPECIFIED;
    this.#places.add(isItem ? message : place);
  }

  /** No more is lost of what stands at a place: it is left out on purpose, or its codec tells what of it is. */
  settle(place: string): void {
    this.#settled.add(place);
  }

  isSettled(place: string): boolean {
    return this.#places.has(place) || this.#settled.has(place);
  }

  /** A member is lost of the JSON that only one dialect knows of what stands at `path`, "" for the request itself. */
  member(path: string, name: string): void {
    this.#places.add(memberPath(path, `extension.${name}`));
  }

  /**
   * Returns the members of an extension if it belongs to the format; otherwise they are lost, which nobody has to tell.
   */
  own(raw: RawJson | undefined): JsonObject | undefined {
    const isFormat = this.#target !== undefined && this.#target !== "sandbox";
    return raw?.dialect === (isFormat ? DIALECT_OF[this.#target] : Dialect.UNSPECIFIED)
      ? parseJsonObject(raw.json)
      : undefined;
  }

  /**
   * Counts each member of an extension that says something as a loss of what stands at `path`, "" for the request
   * itself.
   */
  lose(raw: RawJson | undefined, path: string): void {
    if (raw === undefined) return;
    for (const [name, value] of Object.entries(lookAtJsonObject(raw.json) ?? {})) this.said(path, name, value);
  }

  /**
   * Counts a member of an extension if it says something. Of an object that the hub models in part, what it holds here
   * are the members that are lost, and each is named; one of a type that is not known is lost as a whole.
   */
  said(path: string, name: string, value: unknown, holder = ""): void {
    if (saysNothing(name, value)) return;
    if (name === "cache_control" && (holder === "" || holder === "function.") && isEphemeral(value)) {
      // The hub's mark says the rest.
      const { type: _type, ttl, ...others } = value;
      const rest = isKnownTtl(ttl) ? others : { ttl, ...others };
      for (const [inner, held] of Object.entries(rest)) {
        if (held !== undefined) this.said(path, inner, held, `${holder}cache_control.`);
      }
      return;
    }
    const isPart = PARTLY_MODELLED.has(name) && isJsonObject(value) && !("type" in value || "mode" in value);
    if (!isPart) this.member(path, holder + name);
    else for (const [inner, held] of Object.entries(value)) this.said(path, inner, held, `${holder}${name}.`);
  }
}
