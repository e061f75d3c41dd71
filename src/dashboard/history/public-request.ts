import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { jsonBytes } from "../../formats/shared/json-bytes.ts";
import type { HubInput } from "../../hub/input.ts";
import { encodeInFormat, type FormatName } from "./encode-in-format.ts";

/** The form in which a recorded request is asked for again. */
export interface PublicRequestQuery {
  /** Absent: the format that it came in, and Chat for what came over RPC. */
  readonly format?: FormatName | undefined;
  /** The model to ask in place of the recorded one. */
  readonly model?: string | undefined;
  /** The inference whose conversation it continues. */
  readonly previousId: string | null;
}

/** A recorded request as a client would send it. */
export interface PublicRequest {
  readonly format: FormatName;
  /** Name of the model, as the request has it. */
  readonly model: string;
  /** The JSON of its body. */
  readonly text: string;
  /** Parts that the format cannot carry. */
  readonly losses: readonly string[];
}

const FORMATS: Partial<Record<Dialect, FormatName>> = {
  [Dialect.CHAT]: "chat",
  [Dialect.RESPONSES]: "responses",
  [Dialect.MESSAGES]: "messages",
};

/** Writes a recorded request as a client would send it, not streamed. Throws INVALID_REQUEST as the format does. */
export function publicRequest(input: HubInput, query: PublicRequestQuery): PublicRequest {
  const { previousId } = query;
  const own = FORMATS[input.dialect];
  // Responses alone can go on with another inference.
  const format = query.format ?? own ?? (previousId === null ? "chat" : "responses");
  const model = query.model ?? input.model;
  const { body, losses } = encodeInFormat(input, { format, model, streamed: false });
  const previous = format === "responses" && previousId !== null ? { previous_response_id: previousId } : {};
  const text = new TextDecoder().decode(jsonBytes({ ...body, ...previous }));
  return { format, model, text, losses };
}
