import { Dialect, type RawJson } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type JsonObject, parseJsonObject } from "../wire/json.ts";
import { memberPath } from "../wire/read.ts";
import { saysNothing } from "./says-nothing.ts";

/** Field of the request that some formats lack, with its name in each format; RPC callers see the hub's own name. */
const SPELLING = {
  temperature: ["temperature", "temperature", "temperature"],
  top_p: ["top_p", "top_p", "top_p"],
  top_k: ["top_k", "top_k", "top_k"],
  stop_sequences: ["stop", "stop", "stop_sequences"],
  verbosity: ["verbosity", "text.verbosity", "verbosity"],
  end_user_id: ["safety_identifier", "safety_identifier", "metadata.user_id"],
  metadata: ["metadata", "metadata", "metadata"],
  prompt_cache_key: ["prompt_cache_key", "prompt_cache_key", "prompt_cache_key"],
  automatic_cache_mark: ["cache_control", "cache_control", "cache_control"],
  parallel_tool_calls: ["parallel_tool_calls", "parallel_tool_calls", "tool_choice.disable_parallel_tool_use"],
  output_format: ["response_format", "text.format", "output_config.format"],
  "output_format.description": [
    "response_format.json_schema.description",
    "text.format.description",
    "output_config.format.description",
  ],
  "output_format.strict": ["response_format.json_schema.strict", "text.format.strict", "output_config.format.strict"],
  "reasoning.effort": ["reasoning_effort", "reasoning.effort", "output_config.effort"],
  "reasoning.mode": ["thinking", "thinking", "thinking"],
  "reasoning.budget_tokens": ["thinking.budget_tokens", "thinking.budget_tokens", "thinking.budget_tokens"],
  "reasoning.summary": ["reasoning.summary", "reasoning.summary", "reasoning.summary"],
  "reasoning.display": ["thinking.display", "thinking.display", "thinking.display"],
  tool_choice: ["tool_choice", "tool_choice", "tool_choice"],
  max_output_tokens: ["max_completion_tokens", "max_output_tokens", "max_tokens"],
} as const;

/** Name of a field that a format may lack. */
export type LossField = keyof typeof SPELLING;

/** Collects what an upstream's format cannot carry, in the caller's spelling. */
export class LossList {
  readonly #dialect: Dialect;
  readonly #target: Dialect;
  readonly #places = new Set<string>();

  constructor(input: InferenceInput, target: Dialect) {
    this.#dialect = input.dialect;
    this.#target = target;
  }

  /** The losses so far, each once. */
  get places(): readonly string[] {
    return [...this.#places];
  }

  /** A field of the request is lost. */
  field(name: LossField): void {
    const spelling = SPELLING[name];
    const dialects: readonly Dialect[] = [Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES];
    const index = dialects.indexOf(this.#dialect);
    this.#places.add(spelling[index] ?? name);
  }

  /** Something at a place is lost: `messages[1].content[0].title`. */
  at(place: string): void {
    this.#places.add(place);
  }

  /** Place of a message: `messages[i]`, or `input[i]` in the Responses dialect. */
  messagePath(index: number): string {
    return this.#dialect === Dialect.RESPONSES ? `input[${index}]` : `messages[${index}]`;
  }

  /** Place of a tool: `tools[i]`. */
  toolPath(index: number): string {
    return `tools[${index}]`;
  }

  /**
   * Returns the members of an extension if it belongs to the target's dialect; otherwise counts each of them that says
   * something as a loss below `path` ("" for the request itself) and returns undefined.
   */
  extension(raw: RawJson | undefined, path: string): JsonObject | undefined {
    if (raw === undefined) return undefined;
    const members = parseJsonObject(raw.json);
    if (raw.dialect === this.#target) return members;
    for (const [name, value] of Object.entries(members ?? {})) {
      if (!saysNothing(name, value)) this.at(memberPath(path, name));
    }
    return undefined;
  }
}
