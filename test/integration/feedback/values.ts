import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FeedbackEventSchema,
  FeedbackGroupSchema,
  FeedbackScoreSchema,
  FeedbackValueSchema,
} from "../../../gen/attune/feedback/v1/feedback_pb.ts";

/** An event over RPC, without the id of its inference. */
export type RpcEvent = Omit<MessageInitShape<typeof FeedbackEventSchema>, "inferenceId" | "$typeName" | "$unknown">;

type Value = MessageInitShape<typeof FeedbackValueSchema>;
type Scalar = NonNullable<MessageInitShape<typeof FeedbackScoreSchema>["score"]>;

/** A boolean, number or text, as its type says. */
export function scalar(value: boolean | number | string): Scalar {
  if (typeof value === "boolean") return { case: "boolean", value };
  return typeof value === "number" ? { case: "number", value } : { case: "text", value };
}

/** A metric or note. */
export function plain(value: boolean | number | string): Value {
  return { kind: scalar(value) };
}

/** A metric or note with a reason. */
export function score(value: boolean | number | string, reason?: string): Value {
  return { kind: { case: "score", value: { score: scalar(value), ...(reason === undefined ? {} : { reason }) } } };
}

/** Named values. */
export function members(values: readonly (readonly [name: string, value: Value])[]) {
  return { members: values.map(([name, value]) => ({ name, value })) } satisfies MessageInitShape<
    typeof FeedbackGroupSchema
  >;
}

/** Values one level down. */
export function group(...values: readonly (readonly [name: string, value: Value])[]): Value {
  return { kind: { case: "group", value: members(values) } };
}
