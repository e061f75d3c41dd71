import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyReply, FastifyRequest } from "fastify";
import { InferenceStatus } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";
import { failAtPlaces } from "../fail.ts";
import { readParameters } from "../read-parameters.ts";
import { readTime } from "../read-time.ts";
import { encodeInference } from "./encode-inference.ts";

/** Statuses by which inferences are listed. */
export const LISTED_STATUSES = {
  completed: InferenceStatus.COMPLETED,
  failed: InferenceStatus.FAILED,
  canceled: InferenceStatus.CANCELED,
} as const;

/** Parameters of the address. */
export const LIST_PARAMETERS = [
  "session",
  "user",
  "tag",
  "model",
  "workload",
  "status",
  "from",
  "to",
  "limit",
  "after",
] as const;

/** Most inferences of a page. */
export const MAX_LIST_LIMIT = 500;

/** Creates the handler of GET /v1/inferences: calls of the key itself, or of all keys of the project where it may. */
export function createListInferences({ inference }: Pick<RpcClients, "inference">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = readQuery(request.query);
    const asking = inference.listInferences(query, getCall(request, reply));
    const { inferences, nextPageToken } = await asking.catch(failAtPlaces(spell));
    return reply.send({
      object: "list",
      data: inferences.map(encodeInference),
      has_more: nextPageToken !== "",
      first_id: inferences[0]?.id ?? null,
      last_id: inferences.at(-1)?.id ?? null,
    });
  };
}

/** Names of parameters by the fields of the RPC. */
const NAMES: Readonly<Record<string, string>> = {
  session_id: "session",
  end_user_id: "user",
  tags: "tag",
  page_token: "after",
  page_size: "limit",
};

function spell(place: string): string {
  const field = /^\w+/.exec(place)?.[0] ?? "";
  return NAMES[field] ?? place;
}

/** Reads the parameters of the address. Throws INVALID_REQUEST. */
function readQuery(query: unknown) {
  const text = readParameters(query, LIST_PARAMETERS);
  const time = (name: "from" | "to") => {
    const value = text(name);
    return value === undefined ? undefined : timestampFromDate(readTime(value, name));
  };
  const [from, to, workload] = [time("from"), time("to"), text("workload")];
  return {
    sessionId: text("session") ?? "",
    endUserId: text("user") ?? "",
    tags: readTag(text("tag")),
    model: text("model") ?? "",
    ...(workload !== undefined && { workload }),
    status: readStatus(text("status")),
    ...(from && { from }),
    ...(to && { to }),
    pageSize: readLimit(text("limit")),
    pageToken: text("after") ?? "",
  };
}

function readTag(value: string | undefined): Record<string, string> {
  if (value === undefined) return {};
  const at = value.indexOf("=");
  if (at < 1) throw InferenceError.invalid("tag", "must be a name with a value: team=search");
  return { [value.slice(0, at)]: value.slice(at + 1) };
}

function readStatus(value: string | undefined): InferenceStatus {
  if (value === undefined) return InferenceStatus.UNSPECIFIED;
  const status = Object.entries(LISTED_STATUSES).find(([name]) => name === value)?.[1];
  if (status !== undefined) return status;
  throw InferenceError.invalid("status", `must be ${Object.keys(LISTED_STATUSES).join(", ")}`);
}

function readLimit(value: string | undefined): number {
  if (value === undefined) return 0;
  const limit = Number(value);
  if (/^\d+$/.test(value) && limit >= 1 && limit <= MAX_LIST_LIMIT) return limit;
  throw InferenceError.invalid("limit", `must be a whole number from 1 to ${MAX_LIST_LIMIT}`);
}
