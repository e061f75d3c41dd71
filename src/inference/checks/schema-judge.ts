import type { ValidateFunction } from "ajv";
import { LRUCache } from "lru-cache";
import { findAmbiguities } from "../../lib/json-schema/ambiguous-json.ts";
import { compileSchema } from "../../lib/json-schema/compile-schema.ts";
import { DeadlineError, withDeadline } from "../../lib/json-schema/deadline.ts";
import { doubt } from "../../lib/json-schema/doubtful-keywords.ts";
import { withoutOneWayNames, withoutReferenceSiblings } from "../../lib/json-schema/schema-readings.ts";

/** Asks whether a text is JSON that a schema accepts. */
export interface JsonQuestion {
  readonly text: { readonly json: string };
  /** Undefined where any JSON will do. */
  readonly schema: { readonly json: string; readonly digest: string } | undefined;
  /** The type of the outermost value, whatever the schema says. */
  readonly root: "any" | "object";
}

type Schema = NonNullable<JsonQuestion["schema"]>;

/**
 * The judgement of a text: it fits; it is no JSON, or JSON of another form; or it was not judged, since the schema
 * cannot be used or may be read in another way, or since it takes too long.
 */
export type JsonJudgement = "fits" | "invalid" | "mismatch" | "unusable" | "slow";

/** The judgements on the questions of one answer, in their order, and their CPU time. */
export interface JudgedQuestions {
  readonly judgements: readonly JsonJudgement[];
  readonly processorMs: number;
}

/** The time limits of compiling a schema, and of validating a text. */
const COMPILE_MS = 1000;
const VALIDATE_MS = 300;
/** The time limit of all texts of one answer, but for the one that is then running. */
const TOTAL_MS = 1500;
/** Characters of the schemas whose validators are kept; a validator takes some ten times as many bytes. */
const KEPT_CHARACTERS = 2 ** 20;

/** Returns the CPU time of this thread. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Judges texts by schemas that come from callers: patterns that never end and schemas that contain themselves are given
 * up.
 */
export class SchemaJudge {
  readonly #validators = new LRUCache<string, ValidateFunction>({ maxSize: KEPT_CHARACTERS });

  readonly #processorMs: () => number;

  /** `processorMs` says what this thread has had of the processor. */
  constructor(processorMs = threadMs) {
    this.#processorMs = processorMs;
    // What the first schema would have to wait for: on a busy machine that takes as long as a hard one.
    for (const draft of ["draft/2020-12", "draft-07"]) compileSchema({ $schema: draft, type: "object" });
  }

  /** Answers the questions of one answer. */
  judge(questions: readonly JsonQuestion[]): JudgedQuestions {
    const startMs = this.#processorMs();
    const endMs = performance.now() + TOTAL_MS;
    const judgements = questions.map((question) =>
      performance.now() > endMs ? "unusable" : this.#judgeOne(question, endMs),
    );
    return { judgements, processorMs: this.#processorMs() - startMs };
  }

  #judgeOne({ text, schema, root }: JsonQuestion, endMs: number): JsonJudgement {
    let value: unknown;
    try {
      value = JSON.parse(text.json);
    } catch {
      return "invalid";
    }
    if (root === "object" && (typeof value !== "object" || value === null || Array.isArray(value))) return "mismatch";
    if (schema === undefined) return "fits";
    const startMs = this.#processorMs();
    for (;;) {
      try {
        doubt.isNoted = false;
        const fits = this.#validatorOf(schema);
        if (withDeadline(VALIDATE_MS, () => fits(value))) return "fits";
        return this.#isDoubtful({ text, schema }, value) ? "unusable" : "mismatch";
      } catch (thrown) {
        // All else is of the schema: it is none, it leads out of itself, or it uses the stack up.
        if (!(thrown instanceof DeadlineError)) return "unusable";
        if (this.#processorMs() - startMs > VALIDATE_MS / 4) return "slow";
        // On a busy machine the time was somebody else's: that says nothing of the schema.
        if (performance.now() > endMs) return "unusable";
      }
    }
  }

  /** Returns whether a text that a schema does not accept fits by another reading of either. */
  #isDoubtful({ text, schema }: { readonly text: JsonQuestion["text"]; readonly schema: Schema }, value: unknown) {
    if (doubt.isNoted) return true;
    const { hasLongNumber, hasOtherSpelling, repeatsName } = findAmbiguities(text.json, value);
    if (hasLongNumber || repeatsName) return true;
    if (hasOtherSpelling && schema.json.includes('"uniqueItems"')) return true;
    if (!/"(?:\$ref|readOnly|writeOnly)"/.test(schema.json)) return false;
    const parsed: unknown = JSON.parse(schema.json);
    const others = [withoutReferenceSiblings(parsed), withoutOneWayNames(parsed)].filter((other) => other !== parsed);
    return others.some((other) => withDeadline(COMPILE_MS, () => compileSchema(other)(value)) || doubt.isNoted);
  }

  #validatorOf({ json, digest }: Schema): ValidateFunction {
    const known = this.#validators.get(digest);
    if (known !== undefined) return known;
    const validator = withDeadline(COMPILE_MS, () => compileSchema(JSON.parse(json)));
    this.#validators.set(digest, validator, { size: Math.max(1, json.length) });
    return validator;
  }
}
