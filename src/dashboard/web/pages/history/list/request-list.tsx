import { Box, Skeleton } from "@mantine/core";
import type { KeyboardEvent } from "react";
import type { RequestSummary } from "../types.ts";
import { useKeyNames } from "../use-key-names.ts";
import { moveFocus } from "./move-focus.ts";
import { COLUMNS, TRACKS } from "./request-columns.tsx";
import { RequestRow } from "./request-row.tsx";

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
