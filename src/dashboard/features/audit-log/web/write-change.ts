import { formatCost, formatDuration, formatNumber, formatTime } from "../../../web/parts/format.ts";
import { writeLimit } from "../../../web/parts/limits-draft.ts";
import { nameText } from "../../../web/parts/name-text.ts";

/** Longest text of a value; the export has all of it. */
const MOST_CHARACTERS = 120;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** A part of a change: what was and what is, each undefined where it is not set. */
export interface ChangedMember {
  readonly label: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

type State = Readonly<Record<string, unknown>> | null;

/**
 * Writes a change of the audit log as people read it, a member each; those that are set on neither side are left out.
 */
export function writeChange(before: State, after: State): ChangedMember[] {
  const [was, is] = [writeOmitted(before), writeOmitted(after)];
  if (was !== undefined || is !== undefined) return [{ label: "too long to record", from: was, to: is }];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name) => {
    const [from, to] = [writeValue(name, before?.[name]), writeValue(name, after?.[name])];
    if (from === undefined && to === undefined) return [];
    const isLimit = [before, after].some((state) => writeLimit(name, state?.[name]) !== undefined);
    return [{ label: isLimit ? "limit" : writeLabel(name), from, to }];
  });
}

/** Writes the size of a state that was too long to record; undefined for any other. */
function writeOmitted(state: State): string | undefined {
  const characters = state?.["omittedCharacters"];
  return typeof characters === "number" ? `${formatNumber(characters)} characters` : undefined;
}

/** Writes the name of a member in words, without its unit: expiresAt is "expires at". */
function writeLabel(name: string): string {
  const words = name
    .replace(/(Nanos|Ms)$/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return nameText(words === "" ? name : words);
}

function writeValue(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const limit = writeLimit(name, value);
  if (limit !== undefined) return limit;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && name.endsWith("Nanos")) return formatCost(value);
  if (typeof value === "number" && name.endsWith("Ms")) return formatDuration(value);
  if (typeof value === "string" && TIME.test(value)) return formatTime(new Date(value));
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    return shorten(value.length === 0 ? "none" : value.join(", "));
  }
  return shorten(typeof value === "string" ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return nameText(text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`);
}
