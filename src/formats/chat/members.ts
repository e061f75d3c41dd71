import {
  AudioBlockSchema,
  ContentBlockSchema,
  CustomToolSchema,
  DocumentBlockSchema,
  FunctionToolSchema,
  ImageBlockSchema,
  MessageSchema,
  RefusalBlockSchema,
  TextBlockSchema,
  ToolSchema,
  ToolUseBlockSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { knownMembers } from "../../hub/field-names.ts";

const TYPE = { further: ["type"] };

/**
 * Members that the hub models, by the object that has them. All others travel as an extension and come back as they
 * were.
 */
export const MODELLED = {
  message: knownMembers("chat", [MessageSchema]),
  assistant: knownMembers("chat", [MessageSchema], {
    further: ["refusal", "tool_calls", "function_call", "reasoning_content", "reasoning", "reasoning_details"],
  }),
  tool_message: new Set(["role", "content", "tool_call_id"]),
  function_message: new Set(["role", "content", "name"]),
  tool_call: new Set(["id", "type", "function", "custom"]),
  called_function: knownMembers("chat", [ToolUseBlockSchema], { path: "function" }),
  called_custom: new Set(["name", "input"]),
  text: knownMembers("chat", [TextBlockSchema, ContentBlockSchema], TYPE),
  refusal: knownMembers("chat", [RefusalBlockSchema, ContentBlockSchema], TYPE),
  image_url: knownMembers("chat", [ImageBlockSchema, ContentBlockSchema], TYPE),
  image_url_inner: knownMembers("chat", [ImageBlockSchema], { path: "image_url" }),
  input_audio: knownMembers("chat", [AudioBlockSchema, ContentBlockSchema], TYPE),
  input_audio_inner: knownMembers("chat", [AudioBlockSchema], { path: "input_audio" }),
  file: knownMembers("chat", [DocumentBlockSchema, ContentBlockSchema], TYPE),
  file_inner: knownMembers("chat", [DocumentBlockSchema], { path: "file" }),
  tool: knownMembers("chat", [FunctionToolSchema, CustomToolSchema, ToolSchema], TYPE),
  function: knownMembers("chat", [FunctionToolSchema], { path: "function" }),
  custom: knownMembers("chat", [CustomToolSchema], { path: "custom" }),
  usage: new Set(["prompt_tokens", "completion_tokens", "total_tokens"]),
  prompt_tokens_details: new Set(["cached_tokens", "cache_write_tokens"]),
  completion_tokens_details: new Set(["reasoning_tokens"]),
} as const satisfies Record<string, ReadonlySet<string>>;
