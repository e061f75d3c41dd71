import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Range } from "../figures/range.ts";
import { useProject } from "../shell/session.ts";
import { formatNumber } from "./format.ts";
import { historyPath, type RowsFilter } from "./history-path.ts";
import { nameText } from "./name-text.ts";

interface Props {
  readonly calls: number;
  /** The time that the calls are of. */
  readonly range: Range;
  /** The filters of the history that tell these calls from others. */
  readonly filter: RowsFilter;
  /** The calls in words, for screen readers: "answered by claude". */
  readonly what: string;
  /** The text of the link, where it is not the number. */
  readonly children?: string;
}

/** A number of calls that leads to their rows in the history. */
export function CallsLink({ calls, range, filter, what, children }: Props) {
  const { id } = useProject();
  if (calls === 0) return <>{children ?? formatNumber(calls)}</>;
  return (
    <Anchor
      component={Link}
      to={historyPath(id, range, filter)}
      inherit
      aria-label={`${children ?? formatNumber(calls)} ${calls === 1 ? "call" : "calls"} ${nameText(what)}: show them`}
    >
      {children ?? formatNumber(calls)}
    </Anchor>
  );
}
