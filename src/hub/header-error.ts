import { InferenceError } from "./error.ts";

/** Says what is wrong with the value of a header: a header is no member of the body, so that `param` names nothing. */
export function headerError(name: string, problem: string): InferenceError {
  return InferenceError.invalid("", `the header '${name}' ${problem}`);
}
