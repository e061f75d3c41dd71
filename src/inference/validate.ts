import { createValidator } from "@bufbuild/protovalidate";
import { type InferenceInput, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "./error.ts";

/** Creates a check of an input against the rules of its proto. It throws INVALID_REQUEST that names the first field. */
export function createInputValidator(): (input: InferenceInput) => void {
  const validator = createValidator();
  return (input) => {
    const result = validator.validate(InferenceInputSchema, input);
    if (result.kind === "valid") return;
    if (result.kind === "error") throw result.error;
    const [violation] = result.violations;
    const field = violation?.field.map((step) => ("name" in step ? step.name : "")).filter((name) => name !== "");
    throw InferenceError.invalid(field?.join(".") ?? "", violation?.message ?? "breaks a rule of its proto");
  };
}
