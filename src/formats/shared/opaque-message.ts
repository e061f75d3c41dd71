import { create } from "@bufbuild/protobuf";
import {
  ContentBlockSchema,
  type Message,
  MessageSchema,
  type RawJson,
} from "../../../gen/attune/content/v1/content_pb.ts";

/**
 * Makes a message of what only its format knows as a whole: an item of a type, or a message of a role, that is not
 * known.
 */
export function opaqueMessage(value: RawJson, id = ""): Message {
  return create(MessageSchema, { content: [create(ContentBlockSchema, { kind: { case: "opaque", value } })], id });
}
