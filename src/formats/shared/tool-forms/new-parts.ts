import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlockSchema,
  type Message,
  MessageSchema,
  type Role,
  type Tool,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";

type BlockInit = NonNullable<MessageInitShape<typeof ContentBlockSchema>["kind"]>;
type ToolInit = NonNullable<MessageInitShape<typeof ToolSchema>["kind"]>;

/** Makes a message of one block. */
export function newMessage(role: Role, kind: BlockInit): Message {
  return create(MessageSchema, { role, content: [{ kind }] });
}

/** Makes a tool. */
export function newTool(kind: ToolInit): Tool {
  return create(ToolSchema, { kind });
}
