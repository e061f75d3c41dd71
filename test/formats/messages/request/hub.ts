import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlockSchema,
  Dialect,
  type MessageSchema,
  Role,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { encodeRequest } from "../../../../src/formats/messages/request/encode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createHubInput, type HubInit } from "../../../../src/hub/input.ts";
import { asSent } from "../../shared/as-sent.ts";
import { target } from "./target.ts";

export type Block = MessageInitShape<typeof ContentBlockSchema>;
export type Message = MessageInitShape<typeof MessageSchema>;
export type Input = HubInit;

export const text = (value: string, more: Block = {}): Block => ({
  kind: { case: "text", value: { text: value } },
  ...more,
});
export const said = (role: Role, ...content: (string | Block)[]) => ({
  role,
  content: content.map((block) => (typeof block === "string" ? text(block) : block)),
});
export const call = (id: string, args = "{}", name = "f"): Block => ({
  kind: { case: "toolUse", value: { id, name, arguments: args, kind: ToolKind.FUNCTION } },
});
export const result = (id: string, ...content: Block[]): Block => ({
  kind: { case: "toolResult", value: { toolUseId: id, content } },
});
export const tool = (name: string, more: object = {}) => ({
  kind: { case: "function" as const, value: { name, parametersJson: '{"type":"object"}' } },
  ...more,
});
export const chatJson = (json: string) => ({ dialect: Dialect.CHAT, json });

export const HI = said(Role.USER, "Hi");
export const SENT_HI = { role: "user", content: "Hi" };

/** What is sent for an input, which is of the Chat format unless it says otherwise. */
export function send(input: Input): { body: JsonObject; losses: readonly string[] } {
  const { body, losses } = asSent(encodeRequest(createHubInput({ dialect: Dialect.CHAT, ...input }), target));
  return { body: JSON.parse(body), losses };
}
