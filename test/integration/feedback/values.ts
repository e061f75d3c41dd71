import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FeedbackEntrySchema, FeedbackEventSchema } from "../../../gen/attune/feedback/v1/feedback_pb.ts";

/** An event over RPC, without the id of its inference. */
export type RpcEvent = Omit<MessageInitShape<typeof FeedbackEventSchema>, "inferenceId" | "$typeName" | "$unknown">;

type Entry = MessageInitShape<typeof FeedbackEntrySchema>;
type Value = Omit<Entry, "name" | "$typeName" | "$unknown">;

/** A metric or note, of the kind that the value's type says. */
export function plain(value: boolean | number | string): Value {
  if (typeof value === "boolean") return { value: { case: "boolean", value } };
  return { value: typeof value === "number" ? { case: "number", value } : { case: "text", value } };
}

/** A metric or note with a reason. */
export function score(value: boolean | number | string, reason?: string): Value {
  return reason === undefined ? plain(value) : { ...plain(value), reason };
}

/** Named values. */
export function entries(values: readonly (readonly [name: string, value: Value])[]): Entry[] {
  return values.map(([name, value]) => ({ name, ...value }));
}

/** Values one level down. */
export function group(...values: readonly (readonly [name: string, value: Value])[]): Value {
  return { value: { case: "group", value: { entries: entries(values) } } };
}
