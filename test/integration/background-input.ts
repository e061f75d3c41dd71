import { create } from "@bufbuild/protobuf";
import { ContentBlockSchema, Dialect, MessageSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInput } from "../../src/hub/input.ts";

/** What a process asked that made an answer in the background. */
export function createInput(model: string): HubInput {
  const text = create(ContentBlockSchema, { kind: { case: "text", value: { text: "Hello" } } });
  const messages = [create(MessageSchema, { role: Role.USER, content: [text] })];
  return createHubInput({ model, dialect: Dialect.RESPONSES, messages, background: true });
}
