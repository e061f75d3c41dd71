import type { StringBuilder } from "../../../lib/string-builder.ts";
import { type JsonObject, unknownMembers } from "../../shared/json.ts";

/** Reads the events of one output item. */
export interface ItemReader {
  /** Reads an event between those that add the item and end it; false if the item does not know the event. */
  read(event: JsonObject): boolean;
  /** Ends the item. `item` is what the upstream says it has become; undefined if it never did. */
  close(item: JsonObject | undefined): void;
}

/** Returns what the whole text has beyond what was streamed of it; "" if the two do not agree. */
export function restOf(whole: unknown, streamed: StringBuilder | undefined): string {
  if (typeof whole !== "string" || streamed === undefined) return typeof whole === "string" ? whole : "";
  // Looked at only where there is a rest: an end that says less costs nothing, however often it comes.
  if (whole.length <= streamed.length || !whole.startsWith(streamed.toString())) return "";
  return whole.slice(streamed.length);
}

/** Members of an item, as it is added, that only this format knows. Its status then is always "in progress". */
export function earlyMembers(item: JsonObject, modelled: ReadonlySet<string>): JsonObject | undefined {
  const { status: _status, ...rest } = item;
  return unknownMembers(rest, modelled);
}

/**
 * Members of an item, as it is done, that only this format knows and that were not the same when it was added. A status
 * is among them unless it is the one that an item without a word about it has.
 */
export function lateMembers(
  added: JsonObject,
  done: JsonObject | undefined,
  modelled: ReadonlySet<string>,
): JsonObject | undefined {
  if (done === undefined) return undefined;
  const { status, ...rest } = done;
  const late: JsonObject = status === usualStatus(done) ? {} : { status };
  for (const [name, value] of Object.entries(unknownMembers(rest, modelled) ?? {})) {
    if (JSON.stringify(value) !== JSON.stringify(added[name])) late[name] = value;
  }
  return Object.keys(late).length > 0 ? late : undefined;
}

/** Reasoning has no status as a rule. */
function usualStatus(item: JsonObject): unknown {
  return item.status === undefined || item.type === "reasoning" ? undefined : "completed";
}
