import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { type InferenceInput, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "./error.ts";

/** Creates a check of messages against the rules of their proto. It throws INVALID_REQUEST that names the first field, and has all. */
export function createMessageValidator<Desc extends DescMessage>(schema: Desc): (message: MessageShape<Desc>) => void {
  const validator = createValidator();
  return (message) => {
    const result = validator.validate(schema, message);
    if (result.kind === "valid") return;
    if (result.kind === "error") throw result.error;
    const violations = result.violations.map(({ field, message }) => ({
      param: pathToString(field),
      problem: message,
    }));
    const { param, problem } = violations[0] ?? { param: "", problem: "breaks a rule of its proto" };
    throw InferenceError.invalid(param, problem).with({ violations });
  };
}

/** Creates the check of what is asked of a model. */
export function createInputValidator(): (input: InferenceInput) => void {
  return createMessageValidator(InferenceInputSchema);
}
