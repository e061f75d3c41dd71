import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { type CandidateAnswer, CandidateAnswerSchema } from "../../gen/attune/inference/v1/inference_pb.ts";

/**
 * Returns the answers that were not chosen as far as people can read them. What only its maker can read, and what is
 * kept for one dialect, goes back to upstreams and nowhere else, and nobody can go on with these: it is not sealed in
 * them, as it is in answers that were given.
 */
export function readableCandidates(answers: readonly CandidateAnswer[]): CandidateAnswer[] {
  return answers.map(({ attempt, content, leftOut }) =>
    create(CandidateAnswerSchema, { attempt, leftOut, content: content.flatMap(readable) }),
  );
}

function readable({ kind }: ContentBlock): ContentBlock[] {
  switch (kind.case) {
    case "redactedThinking":
    case "opaque":
    case undefined:
      return [];
    case "thinking": {
      const { text, summary } = kind.value;
      if (text === "" && summary.length === 0) return [];
      return [create(ContentBlockSchema, { kind: { case: kind.case, value: { text, summary } } })];
    }
    default:
      return [create(ContentBlockSchema, { kind })];
  }
}
