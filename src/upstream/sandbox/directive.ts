import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { splitDirective } from "../../catalog/directive.ts";
import { InferenceError } from "../../hub/error.ts";

/** The number that may follow a directive's name. */
interface DirectiveValue {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

const HOUR_MS = 3_600_000;

/** The directives of the sandbox. docs/sandbox.md explains each. */
const DIRECTIVES = {
  overload: undefined,
  "rate-limit": { fallback: 1, min: 0, max: 3600, whole: false },
  error: { fallback: 500, min: 400, max: 599, whole: true },
  "context-length": undefined,
  "mid-stream-death": { fallback: 5, min: 0, max: 1_000_000, whole: true },
  "slow-first-token": { fallback: 2000, min: 0, max: HOUR_MS, whole: true },
  slow: { fallback: 100, min: 0, max: HOUR_MS, whole: true },
  long: { fallback: 1000, min: 1, max: 200_000, whole: true },
  refusal: undefined,
  "content-filter": undefined,
  empty: undefined,
  "broken-json": { fallback: 100, min: 0, max: 100, whole: false },
} as const satisfies Record<string, DirectiveValue | undefined>;

/** Name of a directive. */
type DirectiveName = keyof typeof DIRECTIVES;

/** Something that the sandbox is told to do. */
export interface Directive {
  readonly name: DirectiveName;
  /** Seconds, status, tokens, milliseconds or percent, as the directive has it; 0 for those without a number. */
  readonly value: number;
}

/** Directive in the end user's id of formats that have no other place for it. */
const USER_MARK = "sandbox:";

/**
 * Reads the directive of a request: from the model's name, or else from the metadata. Undefined if there is none.
 * Throws INVALID_REQUEST for one that is not known.
 */
export function readDirective(input: InferenceInput): Directive | undefined {
  const { directive } = splitDirective(input.model);
  if (directive !== undefined) return parseDirective(directive, "model");
  const label = input.metadata["sandbox"];
  if (label !== undefined) return parseDirective(label, "metadata.sandbox");
  const user = input.endUserId;
  if (user?.startsWith(USER_MARK) !== true) return undefined;
  return parseDirective(user.slice(USER_MARK.length), "end_user_id");
}

function parseDirective(text: string, place: string): Directive {
  const [name = "", ...rest] = text.split("=");
  if (!isDirectiveName(name)) {
    const known = Object.keys(DIRECTIVES).join(", ");
    throw InferenceError.invalid(place, `the sandbox does not know this directive; it knows ${known}`);
  }
  const allowed: DirectiveValue | undefined = DIRECTIVES[name];
  if (rest.length === 0) return { name, value: allowed?.fallback ?? 0 };
  if (allowed === undefined) throw InferenceError.invalid(place, `the sandbox's directive ${name} takes no number`);
  const value = rest.length === 1 && /^\d+(\.\d+)?$/.test(rest[0] ?? "") ? Number(rest[0]) : Number.NaN;
  if (!(value >= allowed.min && value <= allowed.max) || (allowed.whole && !Number.isInteger(value))) {
    const what = `${allowed.whole ? "a whole" : "a"} number from ${allowed.min} to ${allowed.max}`;
    throw InferenceError.invalid(
      place,
      `the sandbox's directive ${name} takes ${what}, as in ${name}=${allowed.fallback}`,
    );
  }
  return { name, value };
}

function isDirectiveName(name: string): name is DirectiveName {
  return Object.hasOwn(DIRECTIVES, name);
}
