import { FeedbackMark } from "../../../parts/feedback-mark.tsx";
import { nameText } from "../../../parts/name-text.ts";
import type { RequestSummary } from "../types.ts";
import { Marked } from "./marked.tsx";

interface Props {
  readonly request: RequestSummary;
  readonly query: string;
}

/** The second line of a row: first words of prompt and answer, its feedback, and whose it is. */
export function RowWords({ request, query }: Props) {
  const { prompt, answer, feedback, sessionId, endUserId, tags } = request;
  const labels = Object.entries(tags ?? {}).map(([name, value]) => `${name}=${value}`);
  const whose = [sessionId, endUserId, ...labels].filter((text) => text !== null).map(nameText);
  if (prompt === "" && answer === "" && feedback === null && whose.length === 0) return null;
  return (
    <span className="attune-request-second">
      <span className="attune-request-words">
        <Marked text={nameText(prompt)} query={query} />
        {answer !== "" && (
          <span className="attune-request-answer">
            {" → "}
            <Marked text={nameText(answer)} query={query} />
          </span>
        )}
      </span>
      {feedback !== null && <FeedbackMark {...feedback} />}
      {whose.length > 0 && (
        <span className="attune-request-whose" title={whose.join(", ")}>
          <Marked text={whose.join(" · ")} query={query} />
        </span>
      )}
    </span>
  );
}
