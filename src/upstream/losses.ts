import type { Dialect, RawJson } from "../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject, parseJsonObject } from "../wire/json.ts";
import { memberPath } from "../wire/read.ts";
import { saysNothing } from "./says-nothing.ts";

/** Field of the request that some formats lack, by its name in the hub. */
type LossField =
  | "automatic_cache_mark"
  | "betas"
  | "end_user_id"
  | "metadata"
  | "output_format"
  | "output_format.description"
  | "output_format.strict"
  | "prompt_cache_key"
  | "reasoning.budget_tokens"
  | "reasoning.display"
  | "reasoning.effort"
  | "reasoning.mode"
  | "reasoning.summary"
  | "stop_sequences"
  | "temperature"
  | "tool_choice"
  | "top_k"
  | "top_p"
  | "verbosity";

/** Objects of whose members the hub models some. */
const PARTLY_MODELLED: ReadonlySet<string> = new Set([
  "cache_control",
  "format",
  "image_url",
  "output_config",
  "prompt_cache_breakpoint",
  "text",
]);

/**
 * Collects what an upstream's format cannot carry, by its place in the hub's own request. The caller's codec spells it, so that no
 * upstream knows who calls.
 */
export class LossList {
  readonly #target: Dialect;
  readonly #places = new Set<string>();

  constructor(target: Dialect) {
    this.#target = target;
  }

  /** The losses so far, each once. */
  get places(): readonly string[] {
    return [...this.#places];
  }

  /** A field of the request is lost. */
  field(name: LossField): void {
    this.#places.add(name);
  }

  /** Something at a place is lost: `messages[1].content[0].title`. */
  at(place: string): void {
    this.#places.add(place);
  }

  /** A member is lost of the JSON that only one dialect knows of what stands at `path`, "" for the request itself. */
  member(path: string, name: string): void {
    this.#places.add(memberPath(path, `extension.${name}`));
  }

  /**
   * Returns the members of an extension if it belongs to the target's dialect; otherwise counts each of them that says
   * something as a loss of what stands at `path`, "" for the request itself, and returns undefined.
   */
  extension(raw: RawJson | undefined, path: string): JsonObject | undefined {
    if (raw === undefined) return undefined;
    if (raw.dialect === this.#target) return parseJsonObject(raw.json);
    this.lose(raw, path);
    return undefined;
  }

  /** Counts each member of an extension that says something as a loss of what stands at `path`. */
  lose(raw: RawJson | undefined, path: string): void {
    if (raw === undefined) return;
    for (const [name, value] of Object.entries(lookAtJsonObject(raw.json) ?? {})) this.said(path, name, value);
  }

  /**
   * Counts a member of an extension if it says something. Of an object that the hub models in part, what it holds here are the
   * members that are lost, and each is named; one of a type that is not known is lost as a whole.
   */
  said(path: string, name: string, value: unknown, holder = ""): void {
    if (saysNothing(name, value)) return;
    const isPart = PARTLY_MODELLED.has(name) && isJsonObject(value) && !("type" in value || "mode" in value);
    if (!isPart) this.member(path, holder + name);
    else for (const [inner, held] of Object.entries(value)) this.said(path, inner, held, `${holder}${name}.`);
  }
}
