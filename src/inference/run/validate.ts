import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { type InferenceInput, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError, type Violation } from "../../hub/error.ts";

/**
 * Creates a check of messages against the rules of their proto, and what `checkTogether` finds in fields that depend on
 * each other. It throws INVALID_REQUEST that names the first field, and has all.
 */
export function createMessageValidator<Desc extends DescMessage>(
  schema: Desc,
  checkTogether: (message: MessageShape<Desc>) => readonly Violation[] = () => [],
): (message: MessageShape<Desc>) => void {
  const validator = createValidator();
  return (message) => {
    const result = validator.validate(schema, message);
    if (result.kind === "error") throw result.error;
    const broken = result.violations?.map(({ field, message }) => ({ param: pathToString(field), problem: message }));
    const violations = [...(broken ?? []), ...checkTogether(message)];
    if (violations.length === 0) return;
    const { param, problem } = violations[0] ?? { param: "", problem: "breaks a rule of its proto" };
    throw InferenceError.invalid(param, problem).with({ violations });
  };
}

/** Creates the check of what is asked of a model. */
export function createInputValidator(): (input: InferenceInput) => void {
  return createMessageValidator(InferenceInputSchema, checkTurn);
}

/**
 * A thread goes on with an unfinished answer without a new message, and its beginning is not said again. A compaction
 * needs no message of its own.
 */
function checkTurn({
  thread,
  previousId,
  messages,
  system,
  tools,
  compact,
  embedding,
}: InferenceInput): readonly Violation[] {
  if (!thread || previousId === undefined) {
    return messages.length > 0 || compact || embedding !== undefined
      ? []
      : [{ param: "messages", problem: "must hold at least one message" }];
  }
  const given = Object.entries({ system, tools }).filter(([, list]) => list.length > 0);
  const problem = "is taken from the beginning of the thread: leave it out";
  return given.map(([param]) => ({ param, problem }));
}

/** The limits on the parts of a request that cost time each. */
interface CountLimits {
  readonly messages: number;
  readonly tools: number;
}

/** Creates a check of how many messages and tools a request has. It throws INVALID_REQUEST that names the limit. */
export function createCountCheck(limits: CountLimits): (input: InferenceInput) => void {
  return ({ messages, tools }) => {
    check("messages", messages.length, limits.messages);
    check("tools", tools.length, limits.tools);
  };
}

/** Throws where a count is above its limit. The text avoids both "message" and "item", which differ by format. */
function check(name: string, count: number, limit: number): void {
  if (count <= limit) return;
  throw InferenceError.invalid(name, `has ${count} entries, and this service takes at most ${limit}`);
}
