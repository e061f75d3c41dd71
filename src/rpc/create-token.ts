import { create } from "@bufbuild/protobuf";
import { durationMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateTokenRequestSchema,
  CreateTokenResponseSchema,
  type FeedbackService as FeedbackRpc,
} from "../../gen/attune/feedback/v1/feedback_pb.ts";
import { encodeFeedbackToken } from "../admission/feedback-token.ts";
import { readTarget } from "../feedback/draft-event.ts";
import { readGranted } from "../feedback/read-granted.ts";
import { createMessageValidator } from "../inference/run/validate.ts";
import type { Signer } from "../lib/signer.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeErrors } from "./encode-error.ts";

const DEFAULT_LIFETIME_MS = 3_600_000;

/** Implements the RPC that makes feedback tokens. */
export function createTokenRpc(
  signer: Signer,
  callerOf: ReadCaller,
): Pick<ServiceImpl<typeof FeedbackRpc>, "createToken"> {
  const validate = createMessageValidator(CreateTokenRequestSchema);
  return {
    createToken: encodeErrors(async (request, context) => {
      const { keyId } = (await callerOf(context)).principal;
      validate(request);
      const target = readTarget(request);
      const metrics = readGranted(request.metrics);
      const lifetimeMs = request.expiresIn === undefined ? DEFAULT_LIFETIME_MS : durationMs(request.expiresIn);
      const expiresAtMs = Date.now() + lifetimeMs;
      const token = encodeFeedbackToken(signer, { keyId, target, expiresAtMs, metrics });
      return create(CreateTokenResponseSchema, { token, expiresAt: timestampFromMs(expiresAtMs) });
    }),
  };
}
