import type { ImportNote } from "../import-error.ts";
import type { Secrets } from "../secrets.ts";
import type { SettingsView } from "../settings-view.ts";
import { plainText } from "../write-config.ts";

const ENVIRONMENT = /^os\.environ\/([A-Za-z_][A-Za-z0-9_]*)$/;

/** Names the variables that a file refers to. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(/os\.environ\/([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = ""]) => name);
}

/** Writes a reference to a variable. */
export function referTo(variable: string): string {
  return `\${${variable}}`;
}

/** Writes a reference to a variable as Attune has it; what looks like one of Attune's is a plain text. */
export function toReference(text: string): string {
  const variable = ENVIRONMENT.exec(text)?.[1];
  return variable === undefined ? plainText(text) : referTo(variable);
}

/** Takes a text that may refer to a variable; undefined if there is none. */
export function takeReference(view: SettingsView, key: string): string | undefined {
  const text = view.text(key);
  return text === undefined ? undefined : toReference(text);
}

/** Takes a secret as a reference to a variable. One that stands in the file is not carried over: a note says so. */
export function takeSecret(
  view: SettingsView,
  key: string,
  { wish, secrets, notes }: { readonly wish: string; readonly secrets: Secrets; readonly notes: ImportNote[] },
): string | undefined {
  const given = view.text(key);
  if (given === undefined) return undefined;
  if (ENVIRONMENT.test(given)) return toReference(given);
  const variable = secrets.variableOf(wish, given);
  notes.push({ path: view.pathOf(key), text: `put this key into the variable ${variable}` });
  return referTo(variable);
}
