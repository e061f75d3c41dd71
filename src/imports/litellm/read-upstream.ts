import type { ImportNote } from "../imported.ts";
import { closeAddress } from "../providers.ts";
import type { SettingsView } from "../settings-view.ts";
import type { LitellmProvider } from "./providers.ts";

const ENVIRONMENT = /^os\.environ\/([A-Za-z_][A-Za-z0-9_]*)$/;
/** A token of HTTP. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/;
const MS = 1000;

/**
 * Reads the upstream of an entry from its parameters. `seconds` is the file's own limit of a call; what somebody has to
 * do by hand comes to `notes`.
 */
export function readUpstream(
  [name, provider]: readonly [string, LitellmProvider],
  params: SettingsView,
  { seconds, notes }: { readonly seconds: number | undefined; readonly notes: ImportNote[] },
): object {
  const headers = readHeaders(params, notes);
  const totalSeconds = params.number("timeout") ?? seconds;
  const key = readKey(name, provider, params, notes);
  return {
    kind: provider.kind,
    baseUrl: readBaseUrl(provider, params),
    ...(key !== undefined && { apiKey: key }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(totalSeconds !== undefined && { timeouts: { totalMs: Math.round(totalSeconds * MS) } }),
  };
}

/** Returns a reference to the key; one that stands in the file is not carried into another. */
function readKey(
  name: string,
  { baseUrl, keyVariable }: LitellmProvider,
  params: SettingsView,
  notes: ImportNote[],
): string | undefined {
  const given = params.text("api_key");
  if (given === undefined) return keyVariable === undefined ? undefined : `\${${keyVariable}}`;
  const variable = ENVIRONMENT.exec(given)?.[1];
  if (variable !== undefined) return `\${${variable}}`;
  if (/^(?:none|empty|dummy|anything|not-needed)$/i.test(given)) return undefined;
  // The provider's own key must not go to the host of another one.
  const host = baseUrl === undefined ? undefined : readHost(params);
  const own = host === undefined && keyVariable !== undefined ? keyVariable : variableOf(host ?? name);
  notes.push({ path: params.pathOf("api_key"), text: `put this key into the variable ${own}` });
  return `\${${own}}`;
}

/** Returns the host that an entry names, where it names one by its address. */
function readHost(params: SettingsView): string | undefined {
  const given = params.text("api_base") ?? params.text("base_url") ?? "";
  return URL.canParse(given) ? new URL(given).hostname : undefined;
}

function variableOf(name: string): string {
  return `${name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "_")
    .replace(/^(?=\d)/, "_")}_API_KEY`;
}

function readHeaders(params: SettingsView, notes: ImportNote[]): Record<string, string> {
  const extra = params.map("extra_headers");
  const headers: Record<string, string> = {};
  for (const [name] of extra.entries) {
    const value = extra.text(name) ?? "";
    if (HEADER.test(name)) headers[name] = reference(value);
    else notes.push({ path: extra.pathOf(name), text: "no header can have this name" });
  }
  const organization = params.text("organization");
  if (organization !== undefined) headers["openai-organization"] = reference(organization);
  return headers;
}

function readBaseUrl(provider: LitellmProvider, params: SettingsView): string {
  const given = params.text("api_base") ?? params.text("base_url");
  if (given !== undefined) return closeAddress(reference(given), provider);
  return provider.baseUrl ?? closeAddress(`\${${provider.baseVariable}}`, provider);
}

/** Writes a reference to a variable as Attune has it; what looks like one of Attune's is a plain text. */
function reference(text: string): string {
  const variable = ENVIRONMENT.exec(text)?.[1];
  return variable === undefined ? text.replaceAll("${", "$${") : `\${${variable}}`;
}
