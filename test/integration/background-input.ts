import { create } from "@bufbuild/protobuf";
import { ContentBlockSchema, Dialect, MessageSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { type InferenceInput, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";

/** What a process asked that made an answer in the background. */
export function createInput(model: string): InferenceInput {
  const text = create(ContentBlockSchema, { kind: { case: "text", value: { text: "Hello" } } });
  const messages = [create(MessageSchema, { role: Role.USER, content: [text] })];
  return create(InferenceInputSchema, { model, dialect: Dialect.RESPONSES, messages, background: true });
}
