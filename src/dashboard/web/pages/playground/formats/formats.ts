import type { FormatName } from "../draft.ts";
import type { AnswerReader } from "./answer.ts";
import type { JsonObject } from "./json.ts";
import { readChat } from "./read-chat.ts";
import { readMessages } from "./read-messages.ts";
import { readResponses } from "./read-responses.ts";
import type { Settings } from "./settings.ts";
import { writeChat } from "./write-chat.ts";
import { writeMessages } from "./write-messages.ts";
import { writeResponses } from "./write-responses.ts";

/** A public format, as the playground speaks it. */
export interface Format {
  readonly label: string;
  /** Address of the route. */
  readonly path: string;
  /** The reasoning efforts that a model takes. */
  readonly efforts: readonly string[];
  readonly write: (settings: Settings) => JsonObject;
  readonly reader: AnswerReader;
}

const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** The public formats. */
export const FORMATS: Record<FormatName, Format> = {
  chat: {
    label: "Chat",
    path: "/v1/chat/completions",
    efforts: ["none", "minimal", ...EFFORTS],
    write: writeChat,
    reader: readChat,
  },
  responses: {
    label: "Responses",
    path: "/v1/responses",
    efforts: ["none", "minimal", ...EFFORTS],
    write: writeResponses,
    reader: readResponses,
  },
  messages: {
    label: "Messages",
    path: "/v1/messages",
    efforts: EFFORTS,
    write: writeMessages,
    reader: readMessages,
  },
};
