import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../wire/json.ts";
import { memberPath } from "../../wire/read.ts";
import { LossList } from "../losses.ts";
import { CacheMarks } from "./cache-marks.ts";

/** Members that are carried by other means, or say nothing of the conversation: the state of an item that is done. */
const CARRIED: ReadonlySet<string> = new Set(["max_tokens", "status"]);

/** What the parts of one translation share. */
export class EncodeContext {
  readonly dialect: Dialect;
  /** Whether the request came in the Messages format, so that nothing is rearranged. */
  readonly native: boolean;
  readonly losses: LossList;
  readonly marks = new CacheMarks();

  constructor(input: InferenceInput) {
    this.dialect = input.dialect;
    this.native = input.dialect === Dialect.MESSAGES;
    this.losses = new LossList(input, Dialect.MESSAGES);
  }

  /** Returns the members of an extension of this format; those of another format are losses, unless they are empty. */
  extension(raw: RawJson | undefined, path: string): JsonObject | undefined {
    if (raw === undefined) return undefined;
    const members = parseJsonObject(raw.json);
    if (raw.dialect === Dialect.MESSAGES) return members;
    for (const [name, value] of Object.entries(members ?? {})) {
      if (!CARRIED.has(name) && !isEmpty(value)) this.losses.at(memberPath(path, name));
    }
    return undefined;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
