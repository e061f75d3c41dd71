import { parseDay, parseMoment } from "../lib/parse-time.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { flag, type JsonForm, option, type Parameter, UsageError, withPreset } from "./command.ts";

/** The option of all commands that work on the database of the configuration, or with a service that runs. */
export const SERVICE = {
  url: option("url", "address of a running service; the admin key is read from ATTUNE_ADMIN_KEY", readUrl),
};

/** The options of commands that work on the database of the configuration, or with a service that runs. */
export interface ServiceOptions {
  /** Address of the service; the database of the configuration if absent. */
  readonly url: string | undefined;
}

/** The values of a command line, by which what the service refuses is named. */
export type ServiceValues = ServiceOptions & Readonly<Record<string, unknown>>;

/** The help of commands that work on a database or with a service. */
export const SERVICE_HELP = `

With --url the commands call a running service with the admin key in ATTUNE_ADMIN_KEY; without it, they use the database
of the configuration.`;

/** The project of a command that works on one. */
export const PROJECT = {
  project: {
    ...withPreset(option("project", "id or name of the project; the default one if absent"), DEFAULT_PROJECT.id),
    isPresetInSummary: true,
  },
};

/** Returns a project as people know it: the default one has its id where none is named. */
export function describeProject(project: string): string {
  return project === DEFAULT_PROJECT.id ? "the default project" : project;
}

/** The project of a command that may work on all. */
export const PROJECT_OR_ALL = { project: option("project", "id or name of the project; all of them if absent") };

/** The option that stands for a yes to what a command asks before it changes something. */
export const CONFIRMATION = { yes: flag("don't ask for confirmation") };

/** Returns the option that has a command print JSON with the names that programs may rely on. */
export function json(form: JsonForm["form"], members: readonly string[]): { readonly json: Parameter<boolean> } {
  return { json: { ...flag("print JSON"), json: { form, members } } };
}

/** Reads the address of a service, without a slash at its end, or the `/v1` that the base URL of an SDK has. */
export function readUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") {
    return url.href.replace(/(?<!\/)\/+$/, "").replace(/(?<!\/)\/v1$/, "");
  }
  throw new UsageError("must be an address such as https://attune.example.com");
}

/** Reads how many entries a command shows at most. */
export function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new UsageError("must be a whole number from 1 to 10000");
}

/** Reads a time. */
export function readTime(text: string): Date {
  const time = parseMoment(text) ?? parseDay(text);
  if (time !== undefined) return time;
  throw new UsageError("must be a time such as 2027-01-31 or 2027-01-31T12:00:00Z");
}

/** Reads a month of the UTC calendar, from its beginning to that of the next. */
export function readMonth(text: string): { readonly from: Date; readonly to: Date } {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined) throw new UsageError("must be a month such as 2027-01");
  const at = (months: number) => new Date(Date.UTC(Number(year), Number(month) - 1 + months));
  return { from: at(0), to: at(1) };
}

/** Reads a whole number, as far as requests can have it. */
export function readInteger(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isInteger(number)) throw new UsageError("must be a whole number");
  if (Math.abs(number) < 2 ** 31) return number;
  throw new UsageError("must be a whole number from -2147483647 to 2147483647");
}

/** Reads a number. */
export function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new UsageError("must be a number");
}
