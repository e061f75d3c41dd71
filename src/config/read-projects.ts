import { ConfigError, type Mistake, type Path, pathText } from "./mistake.ts";
import { parseText, type References } from "./parse-text.ts";
import { projectsSchema } from "./projects-schema.ts";
import { readIssue } from "./read-issue.ts";

/** A file of projects, as it is written, with its references replaced. */
export interface ProjectsFile {
  readonly value: Readonly<Record<string, unknown>>;
  /** Makes a mistake at a place of the file. */
  mistake(path: Path, message: string): Mistake;
}

/** Reads the text of a file of projects. Throws ConfigError with every mistake. */
export function readProjects(file: string, source: string, references: References): ProjectsFile {
  const parsed = parseText(source, references);
  const checked = projectsSchema.safeParse(parsed.value);
  const known = new Set(parsed.mistakes.map(({ path }) => path));
  const found = (checked.error?.issues ?? [])
    .flatMap((issue) => readIssue(issue, parsed.value))
    .filter(({ path }) => !known.has(pathText(path)));
  const mistakes = [...parsed.mistakes, ...found.map(({ path, message, at }) => parsed.mistake(path, message, at))];
  if (mistakes.length > 0) throw new ConfigError(file, mistakes);
  return { value: parsed.value as ProjectsFile["value"], mistake: parsed.mistake };
}
