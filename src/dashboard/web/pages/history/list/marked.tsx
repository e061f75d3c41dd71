import { Fragment } from "react";
import { splitMatches, startAtMatch } from "./split-matches.ts";

interface Props {
  readonly text: string;
  /** The text that was searched for; empty marks nothing. */
  readonly query: string;
}

/** A text in which what was searched for is marked; it begins shortly before the first match. */
export function Marked({ text, query }: Props) {
  return splitMatches(startAtMatch(text, query), query).map((part) => (
    <Fragment key={part.at}>{part.isMatch ? <mark className="attune-mark">{part.text}</mark> : part.text}</Fragment>
  ));
}
