import { create, toBinary } from "@bufbuild/protobuf";
import { CreateFeedbackRequestSchema } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { newId } from "../../../src/lib/ids.ts";
import { H2Session } from "../http/h2-call.ts";
import type { AttackedService } from "../service.ts";

/** As many as one call may have. */
const EVENTS = 10_000;
const LIMIT_MS = 60_000;
const RPC = "/attune.feedback.v1.FeedbackService/CreateFeedback";

/** What one sender was answered. */
export interface SentFeedback {
  readonly status: number;
  readonly text: string;
}

/** Sends feedback on ids that do not exist, over one protocol. */
export type SendFeedback = (service: AttackedService, key: string) => Promise<SentFeedback>;

/** Sends 10,000 events in the public form. */
export const sendInJson: SendFeedback = (service, key) => {
  const events = Array.from({ length: EVENTS }, () => ({ id: newId(), feedback: { helpful: true } }));
  return post(service, "/v1/feedback", { key, type: "application/json", body: JSON.stringify(events) });
};

/** The same over each protocol, by its name. */
export const SEND_FEEDBACK: Readonly<Record<string, SendFeedback>> = {
  JSON: sendInJson,
  Connect: (service, key) => post(service, RPC, { key, type: "application/proto", body: message() }),
  async gRPC({ url }, key) {
    const bytes = message();
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    const session = new H2Session(url);
    const headers = {
      ":path": RPC,
      "content-type": "application/grpc",
      te: "trailers",
      authorization: `Bearer ${key}`,
    };
    const answer = await session.call(headers, Buffer.concat([head, bytes]), LIMIT_MS);
    session.close();
    const code = answer?.trailers["grpc-status"] ?? answer?.headers["grpc-status"];
    return { status: code === "0" ? 200 : 500, text: `grpc-status ${code}` };
  },
};

function message(): Uint8Array {
  const feedback = [{ name: "helpful", value: { case: "boolean", value: true } as const }];
  const events = Array.from({ length: EVENTS }, () => ({ inferenceId: newId(), feedback }));
  return toBinary(CreateFeedbackRequestSchema, create(CreateFeedbackRequestSchema, { events }));
}

interface Post {
  readonly key: string;
  readonly type: string;
  readonly body: string | Uint8Array;
}

async function post({ url }: AttackedService, path: string, { key, type, body }: Post): Promise<SentFeedback> {
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  const signal = AbortSignal.timeout(LIMIT_MS);
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body, signal });
  return { status: response.status, text: await response.text() };
}
