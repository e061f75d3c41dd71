import { Fragment, memo } from "react";
import { Link, useLocation } from "react-router";
import type { RequestSummary } from "../types.ts";
import { COLUMNS } from "./request-columns.tsx";
import { RowWords } from "./row-words.tsx";

interface Props {
  readonly request: RequestSummary;
  readonly keyName: string;
  /** The text that was searched for. */
  readonly query: string;
}

/** A request in the list: a link to its page. */
export const RequestRow = memo(function RequestRow({ request, keyName, query }: Props) {
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
