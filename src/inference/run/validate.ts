import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { type InferenceInput, InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError, type Violation } from "../../hub/error.ts";
import { HALF_CHARACTER } from "../../lib/hidden-characters.ts";
import { isObject } from "../../lib/is-object.ts";
import { toSnakeCase } from "../../lib/letter-case.ts";
import { createRuleScreen } from "../../lib/protobuf/rule-screen.ts";

/** The problems of texts that break a pattern, by what the check says of them. */
const PATTERN_PROBLEMS: Readonly<Record<string, string>> = {
  "does not match regex pattern `^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`":
    "must have 1 to 64 letters, digits, '.', '-' and '_', and begin with a letter or a digit",
};

const RANGE = /^must be greater than or equal to (\S+) and less than or equal to (\S+)$/;

/** Returns a problem in words that people read at once. */
function describeProblem(problem: string): string {
  return PATTERN_PROBLEMS[problem] ?? problem.replace(RANGE, "must be from $1 to $2");
}

/**
 * Creates a check of messages against the rules of their proto, and what `checkTogether` finds in fields that depend on
 * each other. It throws INVALID_REQUEST that names the first field, and has all.
 */
export function createMessageValidator<Desc extends DescMessage>(
  schema: Desc,
  checkTogether: (message: MessageShape<Desc>) => readonly Violation[] = () => [],
): (message: MessageShape<Desc>) => void {
  const keepsRules = createRuleScreen(schema);
  const validator = createValidator();
  const brokenRules = (message: MessageShape<Desc>): readonly Violation[] => {
    const result = validator.validate(schema, message);
    if (result.kind === "error") throw result.error;
    const broken = result.violations ?? [];
    return broken.map(({ field, message }) => {
      return { param: pathToString(field), problem: describeProblem(message) };
    });
  };
  return (message) => {
    const together = checkTogether(message);
    if (together.length === 0 && keepsRules(message)) return;
    const violations = [...brokenRules(message), ...together];
    if (violations.length === 0) return;
    const { param, problem } = violations[0] ?? { param: "", problem: "breaks a rule of its proto" };
    throw InferenceError.invalid(param, problem).with({ violations });
  };
}

/**
 * Creates a check as createMessageValidator() does that also refuses the character U+0000 in texts which go into
 * columns of the database, or are compared with some. What people say to models may hold it.
 */
export function createRecordValidator<Desc extends DescMessage>(
  schema: Desc,
  checkTogether: (message: MessageShape<Desc>) => readonly Violation[] = () => [],
): (message: MessageShape<Desc>) => void {
  return createMessageValidator(schema, (message) => {
    const param = findText(message, NUL);
    const found = param === undefined ? [] : [{ param, problem: "must not hold the character U+0000" }];
    return [...checkTogether(message), ...found];
  });
}

/** A kind of wrong text in messages. */
interface WrongText {
  readonly isWrong: (text: string) => boolean;
  /** Messages of packages that begin with it are not looked through. */
  readonly except?: string;
}

/** PostgreSQL cannot hold the character U+0000. */
const NUL: WrongText = { isWrong: (text) => text.includes("\0"), except: "attune.content." };
const HALF: WrongText = { isWrong: (text) => !text.isWellFormed() };

/** Finds the first text of a message with half a character, which comes in where nothing was sent as UTF-8. */
export function findHalfCharacters(message: unknown): readonly Violation[] {
  const param = findText(message, HALF);
  return param === undefined ? [] : [{ param, problem: HALF_CHARACTER }];
}

/** Returns the place of a wrong text in a message; undefined if there is none. */
function findText(value: unknown, wrong: WrongText): string | undefined {
  if (typeof value === "string") return wrong.isWrong(value) ? "" : undefined;
  if (Array.isArray(value)) return firstPlace(value.entries(), (index) => `[${index}]`, wrong);
  if (!isObject(value) || value instanceof Uint8Array) return undefined;
  if (wrong.except !== undefined && `${value["$typeName"]}`.startsWith(wrong.except)) return undefined;
  return firstPlace(Object.entries(value).map(getMember), fieldName, wrong);
}

/** Returns the field of a oneof in place of the oneof. */
function getMember([name, value]: [string, unknown]): [string, unknown] {
  return isObject(value) && typeof value["case"] === "string" && "value" in value
    ? [value["case"], value["value"]]
    : [name, value];
}

function firstPlace<Name>(
  entries: Iterable<[Name, unknown]>,
  write: (name: Name) => string,
  wrong: WrongText,
): string | undefined {
  for (const [name, value] of entries) {
    const found = findText(name, wrong) ?? findText(value, wrong);
    if (found !== undefined) return write(name) + (found === "" || found.startsWith("[") ? found : `.${found}`);
  }
  return undefined;
}

/** Fields have the names of their proto, as in all messages of errors. */
function fieldName(name: string): string {
  return toSnakeCase(name.toWellFormed().replaceAll("\0", "\\u0000"));
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
  throw InferenceError.invalid(name, `has ${count} entries, and this service accepts at most ${limit}`);
}
