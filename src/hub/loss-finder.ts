import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { type Dialect, type RawJson, RawJsonSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { type InferenceInput, InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { DIALECT_OF, LOSS, type Target } from "./field-row.ts";
import { FIELDS } from "./fields.ts";

/** Takes what is lost. */
export interface LossReport {
  /**
   * Tells whether no more is to be told of what stands at a place: it is lost as a whole, or a codec has told what is.
   */
  isSettled(place: string): boolean;
  /** A loss at a path. */
  at(place: string): void;
  /** Members that one format alone knows are lost, of what stands at a place. */
  lose(raw: RawJson, place: string): void;
}

type Members = Readonly<Record<string, unknown>>;
/** A oneof, as a message has it. */
type Case = { readonly case?: string; readonly value?: unknown };

/** A field that is lost, or that may hold something that is. */
interface Step {
  readonly name: string;
  /** Name of the oneof that it is a case of. */
  readonly oneof: string | undefined;
  /** Name in places; empty for what they leave out. */
  readonly place: string;
  readonly is: "lost" | "json" | "message" | "list";
  /** True if it is set wherever it is there. */
  readonly hasPresence: boolean;
  /** True if JSON of the format itself has no place either. */
  readonly isOwnLost: boolean;
  /** The rows of the messages that it holds. */
  readonly plan: readonly Step[];
}

/** Finds what is set in requests and has no place in a format, or at the sandbox, which has no JSON of its own. */
export class LossFinder {
  readonly #target: Target;
  readonly #ownDialect: Dialect | undefined;
  readonly #plans = new Map<string, readonly Step[]>();
  readonly #plan: readonly Step[];

  constructor(target: Target) {
    this.#target = target;
    this.#ownDialect = target === "sandbox" ? undefined : DIALECT_OF[target];
    this.#plan = this.#planOf(InferenceInputSchema);
  }

  /** Reports each loss of a request. Places are made only where there is one. */
  find(input: InferenceInput, report: LossReport): void {
    const members = input as unknown as Members;
    if (this.#holdsLoss(this.#plan, members)) this.#tell(this.#plan, members, "", report);
  }

  #planOf(schema: DescMessage): readonly Step[] {
    const known = this.#plans.get(schema.typeName);
    if (known !== undefined) return known;
    const plan: Step[] = [];
    this.#plans.set(schema.typeName, plan);
    for (const field of schema.members.flatMap((member) => (member.kind === "field" ? member : member.fields))) {
      const step = this.#stepOf(field);
      if (step !== undefined) plan.push(step);
    }
    return plan;
  }

  /** Returns undefined for a field of which nothing can be lost that its codec does not tell. */
  #stepOf(field: DescField): Step | undefined {
    const { localName: name, message } = field;
    const isLost = FIELDS[field.parent.name]?.[name]?.[this.#target] === LOSS;
    // What a block, a tool or a form is, is told by the place alone.
    const place = field.oneof?.name === "kind" ? "" : field.name;
    const hasPresence = field.presence !== FeatureSet_FieldPresence.IMPLICIT;
    const step = { name, oneof: field.oneof?.localName, place, hasPresence, isOwnLost: isLost, plan: [] };
    if (isForeignJson(field)) return { ...step, is: "json" };
    if (isLost) return { ...step, is: "lost" };
    if (message === undefined || message.typeName === RawJsonSchema.typeName || field.fieldKind === "map") return;
    const isUnderWay = this.#plans.has(message.typeName);
    const plan = this.#planOf(message);
    if (plan.length === 0 && !isUnderWay) return;
    return { ...step, is: field.fieldKind === "list" ? "list" : "message", plan };
  }

  #holdsLoss(plan: readonly Step[], message: Members): boolean {
    for (const step of plan) {
      const cases = step.oneof === undefined ? undefined : (message[step.oneof] as Case);
      const value = cases === undefined ? message[step.name] : cases.case === step.name ? cases.value : undefined;
      if (value !== undefined && this.#isLossy(step, value)) return true;
    }
    return false;
  }

  #isLossy({ is, hasPresence, isOwnLost, plan }: Step, value: unknown): boolean {
    if (value === undefined) return false;
    if (is === "lost") return hasPresence || isSet(value);
    if (is === "json") return isOwnLost || (value as RawJson).dialect !== this.#ownDialect;
    if (is === "message") return this.#holdsLoss(plan, value as Members);
    for (const item of value as readonly Members[]) if (this.#holdsLoss(plan, item)) return true;
    return false;
  }

  #tell(plan: readonly Step[], message: Members, path: string, report: LossReport): void {
    if (report.isSettled(path)) return;
    for (const step of plan) {
      const value = readStep(step, message);
      if (!this.#isLossy(step, value)) continue;
      const place = path === "" || step.place === "" ? path + step.place : `${path}.${step.place}`;
      if (step.is === "lost" || (step.is === "json" && step.oneof !== undefined)) report.at(place);
      else if (step.is === "message") this.#tell(step.plan, value as Members, place, report);
      else if (step.is === "list") this.#tellItems(step.plan, value as readonly Members[], place, report);
      else if (!report.isSettled(place)) report.lose(value as RawJson, path);
    }
  }

  #tellItems(plan: readonly Step[], items: readonly Members[], path: string, report: LossReport): void {
    for (const [index, item] of items.entries()) {
      if (this.#holdsLoss(plan, item)) this.#tell(plan, item, `${path}[${index}]`, report);
    }
  }
}

/**
 * Tells whether a field is JSON that only one format knows, and that is a loss elsewhere: a choice of tools may say the
 * same in words.
 */
function isForeignJson({ message, oneof, name }: DescField): boolean {
  return message?.typeName === RawJsonSchema.typeName && (oneof !== undefined || name === "extension");
}

function readStep({ name, oneof }: Step, message: Members): unknown {
  if (oneof === undefined) return message[name];
  const { case: kind, value } = message[oneof] as Case;
  return kind === name ? value : undefined;
}

/** Tells whether a field without presence is set: lists and maps that hold something, and what is not its zero. */
function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
