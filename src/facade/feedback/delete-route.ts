import type { FastifyReply, FastifyRequest } from "fastify";
import { getCall } from "../admit-request.ts";
import type { RpcClients } from "../client/clients.ts";

/** Creates the handler of DELETE /v1/feedback/{id}. */
export function createDeleteHandler({ feedback }: Pick<RpcClients, "feedback">) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { id = "" } = request.params as { readonly id?: string };
    await feedback.deleteFeedback({ id }, getCall(request, reply));
    return reply.send({ id, object: "feedback", deleted: true });
  };
}
