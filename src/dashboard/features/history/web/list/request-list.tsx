import { Box, Skeleton } from "@mantine/core";
import { Fragment, type KeyboardEvent, memo } from "react";
import { Link, useLocation } from "react-router";
import { FeedbackMark } from "../../../../web/parts/feedback-mark.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { RequestSummary } from "../types.ts";
import { useKeyNames } from "../use-key-names.ts";
import { moveFocus } from "./move-focus.ts";
import { COLUMNS, TRACKS } from "./request-columns.tsx";
import { splitMatches, startAtMatch } from "./split-matches.ts";

const WAITING = ["a", "b", "c", "d", "e", "f", "g", "h"];

interface Props {
  /** Undefined while they are on their way. */
  readonly rows: readonly RequestSummary[] | undefined;
  /** Their order, in words. */
  readonly order: string;
  /** The text that was searched for. */
  readonly query: string;
}

/** Requests, each with its first words. */
export function RequestList({ rows, order, query }: Props) {
  const keyName = useKeyNames(rows?.map(({ keyId }) => keyId) ?? []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    moveFocus(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <Box
      className="attune-card attune-request-list"
      style={{ "--attune-request-tracks": TRACKS }}
      aria-busy={rows === undefined}
    >
      <div className="attune-request-head" aria-hidden>
        {COLUMNS.map(({ heading, isNumber }) => (
          <span key={heading} className={isNumber && "attune-number"}>
            {heading}
          </span>
        ))}
      </div>
      <ol className="attune-requests" aria-label={`Requests, ${order}`} onKeyDown={onKeyDown}>
        {rows?.map((request) => (
          <RequestRow key={request.id} request={request} keyName={keyName(request.keyId)} query={query} />
        )) ??
          WAITING.map((row) => (
            <li key={row}>
              <Skeleton h={18} m="0.85rem 1rem" w="auto" />
            </li>
          ))}
      </ol>
    </Box>
  );
}

interface RequestRowProps {
  readonly request: RequestSummary;
  readonly keyName: string;
  /** The text that was searched for. */
  readonly query: string;
}

/** A request in the list: a link to its page. */
const RequestRow = memo(function RequestRow({ request, keyName, query }: RequestRowProps) {
  const { search } = useLocation();
  return (
    <li>
      <Link className="attune-request" to={request.id} state={{ search }} data-request={request.id}>
        {COLUMNS.map(({ heading, cell }) => (
          <Fragment key={heading}>{cell({ request, keyName })}</Fragment>
        ))}
        <RowWords request={request} query={query} />
      </Link>
    </li>
  );
});

interface RowWordsProps {
  readonly request: RequestSummary;
  readonly query: string;
}

/** The second line of a row: first words of prompt and answer, its feedback, and whose it is. */
function RowWords({ request, query }: RowWordsProps) {
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

interface MarkedProps {
  readonly text: string;
  /** The text that was searched for; empty marks nothing. */
  readonly query: string;
}

/** A text in which what was searched for is marked; it begins shortly before the first match. */
function Marked({ text, query }: MarkedProps) {
  return splitMatches(startAtMatch(text, query), query).map((part) => (
    <Fragment key={part.at}>{part.isMatch ? <mark className="attune-mark">{part.text}</mark> : part.text}</Fragment>
  ));
}
