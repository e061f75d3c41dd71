import { toSnakeCase } from "../lib/letter-case.ts";
/** A value of a command line: an argument or an option, whose name is the one under which a command declares it. */
export interface Parameter<Value> {
  readonly summary: string;
  /** The word that stands for the value in help; absent for an option without a value. */
  readonly value?: string;
  /** A short name of an option beside the long one. */
  readonly short?: string;
  readonly choices?: readonly string[];
  /** Environment variable that is read where an option is not given. */
  readonly env?: string;
  readonly preset?: Value;
  /** True where the summary says what holds without the option, and help does not show the preset. */
  readonly isPresetInSummary?: boolean;
  readonly isRequired?: boolean;
  /** True where several values may follow. */
  readonly isMany?: boolean;
  /** True for an option that turns off what holds without it; the value is false where it is given. */
  readonly isNegation?: boolean;
  /** Options that it does not go with. */
  readonly conflicts?: readonly string[];
  /** The form of what the option has a command print. */
  readonly json?: JsonForm;
  /** Reads a value; `before` is what the values before it came to. Throws UsageError. */
  read?(text: string, before: Value | undefined): Value;
}

/** The form of what `--json` prints: a list in `data`, one object, or an object a line, each with these names. */
export interface JsonForm {
  readonly form: "list" | "object" | "lines";
  readonly members: readonly string[];
}

/** Parameters by their names; `minCalls` is `--min-calls` as an option and `<min-calls>` as an argument. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values of parameters; those that are not given and have no preset are undefined, and false without a value. */
export type ValuesOf<Declared extends Parameters> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Parameter<infer Value> ? Value : never;
};

/** A command, from which parsing, help and the reference are made. */
export interface Command {
  readonly summary: string;
  readonly arguments?: Parameters;
  readonly options?: Parameters;
  /** Text that help ends with. */
  readonly help?: string;
  readonly examples?: readonly string[];
  /** Returns what is wrong with the values together; undefined where nothing is. */
  findMistake?(values: Readonly<Record<string, unknown>>): string | undefined;
  run(values: Readonly<Record<string, unknown>>): Promise<void> | void;
}

/** Commands that share a name, each by its own. */
export interface CommandGroup {
  readonly help?: string;
  /** The name of the command that runs where none is named; help is shown if absent. */
  readonly standard?: string;
  readonly commands: Readonly<Record<string, Command>>;
}

/** A command of the first level, whose summary stands in the table of commands. */
export type RootCommand = Omit<Command, "summary"> | CommandGroup;

/** A command whose handler has the types of its arguments and options. */
export interface HandledCommand<Arguments extends Parameters, Options extends Parameters> {
  readonly arguments?: Arguments;
  readonly options?: Options;
  readonly help?: string;
  readonly examples?: readonly string[];
  findMistake?(values: ValuesOf<Arguments> & ValuesOf<Options>): string | undefined;
  run(values: ValuesOf<Arguments> & ValuesOf<Options>): Promise<void> | void;
}

/** No parameters. */
export type None = Readonly<Record<never, never>>;

/** Declares a command, whose handler has the types of its arguments and options. */
export function defineCommand<Arguments extends Parameters = None, Options extends Parameters = None>(
  command: HandledCommand<Arguments, Options> & { readonly summary: string },
): Command {
  return command as Command;
}

/** Declares a command of the first level. */
export function defineRootCommand<Arguments extends Parameters = None, Options extends Parameters = None>(
  command: HandledCommand<Arguments, Options>,
): RootCommand {
  return command as RootCommand;
}

/** A value that is not as its parameter has it; its message says how it must be. */
export class UsageError extends Error {}

/** Declares an argument that must be given; without a reader it is text. */
export function argument(summary: string): Parameter<string>;
export function argument<Value>(summary: string, read: (text: string) => Value): Parameter<Value>;
export function argument<Value>(summary: string, read?: (text: string) => Value): Parameter<Value> {
  return { summary, isRequired: true, ...(read && { read }) };
}

/** Declares an argument of which several may be given, or none. */
export function anyNumber(summary: string): Parameter<readonly string[]> {
  return { summary, isMany: true };
}

/** Lets an argument be left out. */
export function optional<Value>(parameter: Parameter<Value>): Parameter<Value | undefined> {
  return { ...parameter, isRequired: false } as never;
}

type Read<Value> = (text: string, before: Value | undefined) => Value;

/** Declares an option with a value; without a reader it is text. */
export function option(value: string, summary: string): Parameter<string | undefined>;
export function option<Value>(value: string, summary: string, read: Read<Value>): Parameter<Value | undefined>;
export function option<Value>(value: string, summary: string, read?: Read<Value>): Parameter<Value | undefined> {
  return { value, summary, ...(read && { read: (text: string, before?: Value) => read(text, before) }) };
}

/** Declares an option without a value. */
export function flag(summary: string, facts?: Pick<Parameter<boolean>, "conflicts">): Parameter<boolean> {
  return { summary, ...facts };
}

/** Declares an option that turns off what holds without it. */
export function negation(summary: string): Parameter<boolean> {
  return { summary, isNegation: true };
}

/** Declares an option whose value is one of some words. */
export function choice<const Word extends string>(
  value: string,
  summary: string,
  choices: readonly Word[],
): Parameter<Word | undefined> {
  return { value, summary, choices };
}

/** Declares an option that takes several of some words. */
export function choices<const Word extends string>(
  value: string,
  summary: string,
  words: readonly Word[],
): Parameter<readonly Word[] | undefined> {
  return { value, summary, choices: words, isMany: true };
}

/** Has an option be given. */
export function required<Value>(parameter: Parameter<Value>): Parameter<Exclude<Value, undefined>> {
  return { ...parameter, isRequired: true } as never;
}

/** Gives an option the value that it has where it is not given. */
export function withPreset<Value>(
  parameter: Parameter<Value>,
  preset: Exclude<Value, undefined>,
): Parameter<Exclude<Value, undefined>> {
  return { ...parameter, preset } as never;
}

/** Returns the name that an argument or an option has on the command line. */
export function toWrittenName(name: string): string {
  return toSnakeCase(name).replaceAll("_", "-");
}
