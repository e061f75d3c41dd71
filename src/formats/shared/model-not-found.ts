import { ErrorReason } from "../../hub/error.ts";

/**
 * Words of servers without a code for it: vLLM ("The model `x` does not exist."), Ollama ("model \"x\" not found"),
 * Anthropic ("model: x"), Google ("models/x is not found"), Azure ("The API deployment for this resource does not
 * exist").
 */
const OF_MODEL = /\bmodels?(?:[\s:/`'"]|$)|\bdeployment\b/i;

/** Returns MODEL_NOT_FOUND for what was not found where the upstream's words are about the model, or else `reason`. */
export function refineNotFound(reason: ErrorReason, message: string): ErrorReason {
  const isOfModel = reason === ErrorReason.NOT_FOUND && OF_MODEL.test(message.slice(0, 2000));
  return isOfModel ? ErrorReason.MODEL_NOT_FOUND : reason;
}
