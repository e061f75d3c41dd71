import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { AnswerRule, AnswerWebhook } from "../../catalog/model.ts";
import { bringsTools } from "../../hub/brought-tools.ts";

/** The form that a request asks for, as far as a check can tell whether the answer has it. */
export interface RequestedForm {
  /** The form of the text; undefined where any text will do. */
  readonly text: { readonly schemaJson: string | undefined; readonly root: "any" | "object" } | undefined;
  /** The tools that may be called, by name. */
  readonly tools: ReadonlyMap<string, CallableTool>;
  /** True if these are all: a definition that only one format knows may bring further names. */
  readonly areAllTools: boolean;
  /** The rules for the text, whatever the request says. */
  readonly rules: readonly TextRule[];
  /** The webhooks that have to pass the answer, be it a text or calls. */
  readonly webhooks: readonly AnswerWebhook[];
  /** The request that they get. */
  readonly input: InferenceInput;
  /**
   * True if the request asks for an output of a form, and does not only offer tools: JSON, or tools whose schema binds.
   */
  readonly isStructured: boolean;
}

/** See AnswerRule. */
type TextRule = Pick<AnswerRule, "pattern" | "schemaJson">;

/** A tool that may be called. */
type CallableTool =
  | { readonly kind: "custom" }
  | { readonly kind: "function"; readonly schemaJson: string | undefined };

/**
 * Returns what can be checked in the answer to a request, with the rules of its model; undefined if there is nothing.
 */
export function requestedForm(input: InferenceInput, checks: readonly AnswerRule[] = []): RequestedForm | undefined {
  const isFor = ({ workload }: AnswerRule): boolean => workload === undefined || workload === input.workload;
  // The answer goes on with a text that the caller has begun: by itself it is nothing whole.
  const isBegun = input.messages.at(-1)?.role === Role.ASSISTANT;
  const rules = isBegun ? [] : checks.filter(isFor);
  const text = isBegun ? undefined : requestedText(input);
  const tools = new Map<string, CallableTool>();
  let [areAllTools, isStrict] = [!input.messages.some(bringsTools), false];
  for (const { kind } of input.tools) {
    if (kind.case === "function") {
      const { name, parametersJson, strict } = kind.value;
      tools.set(name, { kind: "function", schemaJson: parametersJson });
      isStrict ||= strict === true;
    } else if (kind.case === "custom") tools.set(kind.value.name, { kind: "custom" });
    else areAllTools = false;
  }
  if (text === undefined && tools.size === 0 && rules.length === 0) return undefined;
  const webhooks = rules.flatMap(({ webhook }) => (webhook === undefined ? [] : [webhook]));
  const isStructured = text !== undefined || isStrict || rules.length > 0;
  return { text, tools, areAllTools, rules, webhooks, input, isStructured };
}

function requestedText({ outputFormat }: InferenceInput): RequestedForm["text"] {
  const kind = outputFormat?.kind;
  if (kind?.case === "jsonObject") return { schemaJson: undefined, root: "object" };
  if (kind?.case !== "jsonSchema") return undefined;
  const { schemaJson } = kind.value;
  return { schemaJson: schemaJson === "" ? undefined : schemaJson, root: "any" };
}
