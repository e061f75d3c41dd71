import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { readSearchPart } from "./read-search.ts";

/** Begins the ids that Attune makes for the other format's form of a search. */
const PREFIXES = { [Dialect.RESPONSES]: "ws", [Dialect.MESSAGES]: "srvtoolu" } as const;
const OWN_ID = /^(?:ws|srvtoolu)_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_(\d{1,9})$/;

/** Tells nearly every other block apart, without reading it. */
const MENTIONS_OWN = /"(?:ws|srvtoolu)_[0-9a-f]{32}_\d/;

/** The place of a block in an answer: a search is found again by it. */
export interface SearchPlace {
  readonly inferenceId: string;
  /** Position of the block that the search begins with. */
  readonly index: number;
}

/** Writes the id that a search has in a format that is not its provider's. */
export function writeSearchId(dialect: keyof typeof PREFIXES, { inferenceId, index }: SearchPlace): string {
  return `${PREFIXES[dialect]}_${inferenceId.replaceAll("-", "")}_${index}`;
}

/** Tells whether a block is such a form of a search, which no provider knows. */
export function isOwnSearch(raw: RawJson): boolean {
  return ownSearchPlace(raw) !== undefined;
}

/** Returns the place of the search that a block is such a form of; undefined for any other block. */
export function ownSearchPlace(raw: RawJson): SearchPlace | undefined {
  const part = MENTIONS_OWN.test(raw.json) ? readSearchPart(raw) : undefined;
  return part && readSearchId(part.id);
}

/** Reads such an id; undefined for one of a provider. */
function readSearchId(id: string): SearchPlace | undefined {
  const [, ...parts] = OWN_ID.exec(id) ?? [];
  const index = parts.pop();
  return index === undefined ? undefined : { inferenceId: parts.join("-"), index: Number(index) };
}
