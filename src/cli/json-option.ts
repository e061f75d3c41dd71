import { type Command, Option } from "commander";

/** The form of what `--json` prints: a list in `data`, one object, or an object a line. */
type Form = "list" | "object" | "lines";

const FORMS: Record<Form, string> = {
  list: "a list in data, each with",
  object: "an object with",
  lines: "a line for each with",
};

/** The option that has a command print JSON, with the names that programs may rely on. */
export class JsonOption extends Option {
  readonly form: Form;
  readonly members: readonly string[];

  constructor(form: Form, members: readonly string[]) {
    super("--json", `print JSON: ${FORMS[form]} ${members.join(", ")}`);
    this.form = form;
    this.members = members;
  }
}

/** Lets a command print a list as JSON; `members` are the names that each of its objects has. */
export function addJsonList(command: Command, members: readonly string[]): Command {
  return command.addOption(new JsonOption("list", members));
}

/** Lets a command print one object as JSON, with these names. */
export function addJsonObject(command: Command, members: readonly string[]): Command {
  return command.addOption(new JsonOption("object", members));
}

/** Lets a command that may print more than fits into memory print an object a line, with these names. */
export function addJsonLines(command: Command, members: readonly string[]): Command {
  return command.addOption(new JsonOption("lines", members));
}

/** Options of commands that print JSON where that is asked for. */
export interface JsonOptions {
  readonly json?: true;
}
