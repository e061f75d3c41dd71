import type { ToolKind } from "../../../gen/attune/content/v1/content_pb.ts";
import type { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** One block of an answer. */
export type AnswerPart =
  | { readonly kind: "text" | "refusal"; readonly text: string }
  | {
      readonly kind: "thinking";
      readonly text: string;
      /** True if the caller wants to see the text. */
      readonly isShown: boolean;
      readonly signature: string;
    }
  | {
      readonly kind: "toolUse";
      readonly id: string;
      readonly name: string;
      readonly toolKind: ToolKind;
      /** The arguments. */
      readonly text: string;
    };

/** A whole answer, before any limit on its tokens. */
export interface Answer {
  readonly parts: readonly AnswerPart[];
  readonly reason: FinishReason;
  /** The sequence at which it stopped. */
  readonly stopSequence?: string | undefined;
}
