import { parseDay } from "../../../lib/parse-time.ts";

const FIELD = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
const PARAMETER = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z?$/;

/** Writes a time as addresses have it, in UTC: 2026-11-21T14:00Z. A link then means the same to whoever has it. */
export function toParameter(time: string): string {
  return `${shorten(new Date(time).toISOString().slice(0, 19))}Z`;
}

/** Reads a time from an address; undefined if it is none. */
export function readParameter(text: string | null): string | undefined {
  if (text === null || !PARAMETER.test(text)) return undefined;
  return toIso(text.endsWith("Z") ? text : `${text}Z`);
}

/** Writes a time as fields of forms have it, by the viewer's clock: 2026-11-21T15:00. */
export function toField(time: string | undefined): string {
  if (time === undefined) return "";
  const at = new Date(time);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return shorten(`${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`);
}

/** Reads what a field of a form has, by the viewer's clock; undefined if it is no time. */
export function readField(text: string): string | undefined {
  return FIELD.test(text) ? toIso(text) : undefined;
}

function toIso(text: string): string | undefined {
  const timeMs = parseDay(text.slice(0, 10)) === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}

function shorten(text: string): string {
  return text.endsWith(":00") ? text.slice(0, 16) : text;
}
