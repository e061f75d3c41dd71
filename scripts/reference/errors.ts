import { Code } from "@connectrpc/connect";
import { ErrorReason, ErrorReasonSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { responsesCodec } from "../../src/formats/responses/codec.ts";
import { InferenceError } from "../../src/hub/error.ts";
import { enumName } from "../../src/lib/protobuf/enum-name.ts";
import { encodeError } from "../../src/rpc/encode-error.ts";
import { code, page, table } from "./markdown.ts";
import type { Comments } from "./protos.ts";

interface OpenAiBody {
  readonly error: { readonly type: string; readonly code: string | null };
}

interface MessagesBody {
  readonly error: { readonly type: string };
}

function row(reason: ErrorReason, meaning: string): string[] {
  const error = new InferenceError(reason, "");
  const openAi = responsesCodec.encodeError(error, "");
  const messages = messagesCodec.encodeError(error, "");
  const { type, code: named } = (openAi.body as unknown as OpenAiBody).error;
  const status =
    openAi.status === messages.status ? `${openAi.status}` : `${openAi.status}; Messages ${messages.status}`;
  const messagesType = (messages.body as unknown as MessagesBody).error.type;
  const both = named === null ? code(type) : `${code(type)}, ${code(named)}`;
  return [
    code(enumName(ErrorReasonSchema, reason)),
    status,
    both,
    code(messagesType),
    code(Code[encodeError(error).code] ?? ""),
    error.retryable ? "yes" : "no",
    meaning,
  ];
}

/** Returns the page of errors. */
export function errorsPage(comments: Comments): string {
  const rows = Object.entries(ErrorReason)
    .filter(([, reason]) => reason !== ErrorReason.UNSPECIFIED)
    .map(([name, reason]) => row(reason, comments.of("attune.error.v1.ErrorReason", `ERROR_REASON_${name}`)));
  return page("Errors", "`proto/attune/error/v1/error.proto` and `src/formats`", [
    "Look up an error by its reason, or by the `type` and `code` that your client got. Logs, metrics and records use " +
      "the reason. If an upstream answered with an error, `not_found`, `rate_limited`, `quota_exceeded`, `upstream_overloaded` and " +
      "similar reasons keep its status. For the failures that go to another deployment, see [failover](../failover.md).",
    table(
      ["reason", "HTTP", "Chat and Responses: `type`, `code`", "Messages: `type`", "RPC", "try again", "meaning"],
      rows,
    ),
  ]);
}
