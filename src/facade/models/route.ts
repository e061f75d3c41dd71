import type { FastifyReply, FastifyRequest } from "fastify";
import type { Model } from "../../../gen/attune/model/v1/model_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { getCall } from "../admit-request.ts";
import type { AdmittedCall } from "../client/admitted-call.ts";
import type { RpcClients } from "../client/clients.ts";
import { encodeModel } from "./encode-model.ts";

/** Creates the handler of GET /v1/models: one body that serves the OpenAI SDK's listing and the Anthropic SDK's. */
export function createListModels(clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const models = await listAll(clients, getCall(request, reply));
    const { page, hasMore } = paginate(models, request.query as Record<string, unknown>);
    return reply.send({
      object: "list",
      data: page.map(encodeModel),
      has_more: hasMore,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    });
  };
}

async function listAll({ model }: RpcClients, options: AdmittedCall): Promise<readonly Model[]> {
  const all: Model[] = [];
  let pageToken = "";
  do {
    const { models, nextPageToken } = await model.listModels({ pageToken }, options);
    all.push(...models);
    pageToken = nextPageToken;
  } while (pageToken !== "");
  return all;
}

/** Creates the handler of GET /v1/models/{id}; the id holds a slash, which may come encoded. */
export function createGetModel(clients: RpcClients) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const id = (request.params as { "*": string })["*"];
    const { model } = await clients.model.getModel({ id }, getCall(request, reply));
    if (model === undefined) throw InferenceError.invalid("model", `the model '${id}' does not exist`);
    return reply.send(encodeModel(model));
  };
}

/** The Anthropic SDK's way through a long list: `limit` (1 to 1000), `after_id`, `before_id`. */
function paginate(
  models: readonly Model[],
  query: Record<string, unknown>,
): { page: readonly Model[]; hasMore: boolean } {
  const limit = query["limit"] === undefined ? 1000 : Number(query["limit"]);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw InferenceError.invalid("limit", "must be a whole number from 1 to 1000");
  }
  const position = (name: string): number | undefined => {
    if (query[name] === undefined) return undefined;
    const found = models.findIndex((model) => model.id === query[name]);
    if (found === -1) throw InferenceError.invalid(name, "is not the id of a model in the list");
    return found;
  };
  const before = position("before_id");
  if (before !== undefined) {
    const from = Math.max(0, before - limit);
    return { page: models.slice(from, before), hasMore: from > 0 };
  }
  const from = (position("after_id") ?? -1) + 1;
  return { page: models.slice(from, from + limit), hasMore: from + limit < models.length };
}
