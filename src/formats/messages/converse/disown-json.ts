import { Dialect, type RawJson } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { parseJsonObject } from "../../shared/json.ts";
import { isCitationsAlone } from "./citations.ts";

/**
 * Marks the JSON of an event that was just made as that of no public format. What Converse says and Messages does not
 * know is nothing that a caller of Messages knows either: it is a loss for each of the formats, and in the record.
 * Citations of documents are those of Messages.
 */
export function disownJson(event: GenerateEvent): GenerateEvent {
  for (const raw of getJson(event)) if (raw !== undefined) raw.dialect = Dialect.UNSPECIFIED;
  return event;
}

function getJson({ event: { case: kind, value } }: GenerateEvent): (RawJson | undefined)[] {
  switch (kind) {
    case "started":
      return [value.usage?.extension];
    case "blockStart": {
      const { block } = value;
      return [block?.extension, block?.kind.case === "opaque" ? block.kind.value : undefined];
    }
    case "blockDelta":
      return [value.extension, value.delta.case === "raw" ? foreign(value.delta.value) : undefined];
    case "blockEnd":
      return [value.extension];
    case "finished":
      return [value.extension, value.usage?.extension];
    case "raw":
      return [value];
    default:
      return [];
  }
}

function foreign(raw: RawJson): RawJson | undefined {
  const members = parseJsonObject(raw.json);
  return members !== undefined && isCitationsAlone(members) ? undefined : raw;
}
