import { type Command, InvalidArgumentError } from "commander";
import type { FeedbackOptions, NamedValue } from "./feedback-options.ts";
import { readUrl } from "./remote-option.ts";

/** Adds `attune feedback`. */
export function addFeedbackCommand(program: Command): void {
  program
    .command("feedback")
    .description("send feedback on a session, such as an agent's run that CI has judged, or on one answer")
    .argument(
      "<name=value...>",
      "true, false and numbers are metrics, null takes back what was sent before, anything else is a note: passed=true",
      collect,
    )
    .option("--session <id>", "the session, of all whose calls this is said")
    .option("--id <id>", "the id of one answer, in place of a session")
    .option("--reason <text>", "why; kept with each metric")
    .option("--tag <name=value>", "a label that is kept with the values; several times for several", collectTag, {})
    .option("--url <url>", "address of the service", readUrl, process.env["ATTUNE_URL"] ?? "http://127.0.0.1:8080")
    .addHelpText("after", "\nThe API key is read from ATTUNE_API_KEY.")
    .action(async (values: readonly NamedValue[], options: FeedbackOptions) => {
      await (await import("./run-feedback.ts")).runFeedback(values, options);
    });
}

function collect(text: string, previous: readonly NamedValue[] | undefined): readonly NamedValue[] {
  const [name, value] = split(text);
  return [...(previous ?? []), { name, value: readValue(value) }];
}

function collectTag(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [name, value] = split(text);
  return { ...previous, [name]: value };
}

function split(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("must be a name with a value: passed=true");
  return [text.slice(0, at), text.slice(at + 1)];
}

function readValue(text: string): NamedValue["value"] {
  if (text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
