import type { StoredInference } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../hub/error.ts";
import type { AdmittedCall } from "./client/admitted-call.ts";
import type { RpcClients } from "./client/clients.ts";
import { toInferenceError } from "./fail.ts";

/** Reads a stored inference of the caller's project; undefined if there is none of that id. */
export async function readStored(
  { inference }: RpcClients,
  id: string,
  call: AdmittedCall,
): Promise<StoredInference | undefined> {
  try {
    const found = await inference.getInference({ id }, call);
    return found.inference;
  } catch (thrown) {
    if (toInferenceError(thrown).reason === ErrorReason.NOT_FOUND) return undefined;
    throw thrown;
  }
}
