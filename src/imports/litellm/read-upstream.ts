import type { ImportNote } from "../import-error.ts";
import { chooseKind, closeAddress, keySettings } from "../providers.ts";
import type { Secrets } from "../secrets.ts";
import type { SettingsView } from "../settings-view.ts";
import type { LitellmProvider } from "./providers.ts";
import { takeReference, takeSecret, toReference } from "./references.ts";

/** A token of HTTP. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/;
const MS = 1000;
/** Texts that stand for no key. */
const NO_KEY = /^(?:none|empty|dummy|anything|not-needed)$/i;

/** The context in which an upstream is read. */
export interface UpstreamContext {
  /** The file's own limit of a call. */
  readonly seconds: number | undefined;
  readonly secrets: Secrets;
  /** Takes notes of what somebody has to do by hand. */
  readonly notes: ImportNote[];
}

/** Reads the upstream of an entry from its parameters. */
export function readUpstream(
  [name, provider]: readonly [string, LitellmProvider],
  params: SettingsView,
  context: UpstreamContext & { readonly asksResponses: boolean },
): object {
  return {
    kind: chooseKind(provider, context.asksResponses),
    baseUrl: readBaseUrl(provider, params),
    ...readCaller(name, provider, params, context),
    ...readCommon(params, context),
  };
}

/** Reads what any upstream may have: headers and limits. */
export function readCommon(params: SettingsView, { seconds, notes }: UpstreamContext): object {
  const headers = readHeaders(params, notes);
  const totalSeconds = params.number("timeout") ?? seconds;
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(totalSeconds !== undefined && { timeouts: { totalMs: Math.round(totalSeconds * MS) } }),
  };
}

/** Reads who calls: a key, or an application of Entra ID. */
function readCaller(name: string, provider: LitellmProvider, params: SettingsView, context: UpstreamContext): object {
  if (provider.keyHeader !== undefined && !params.has("api_key")) {
    const [tenantId, clientId] = [takeReference(params, "tenant_id"), takeReference(params, "client_id")];
    const clientSecret = takeSecret(params, "client_secret", { wish: "AZURE_CLIENT_SECRET", ...context });
    const auth = {
      ...(tenantId && { tenantId }),
      ...(clientId && { clientId }),
      ...(clientSecret && { clientSecret }),
    };
    if (Object.keys(auth).length > 0) return { auth: { type: "azure", ...auth } };
  }
  return keySettings(provider, readKey(name, provider, params, context));
}

/** Returns a reference to the key; undefined if there is none. */
function readKey(
  name: string,
  { baseUrl, keyVariable }: LitellmProvider,
  params: SettingsView,
  context: UpstreamContext,
): string | undefined {
  if (!params.has("api_key")) return keyVariable === undefined ? undefined : `\${${keyVariable}}`;
  if (NO_KEY.test(params.text("api_key") ?? "none")) return undefined;
  // The provider's own key must not go to the host of another one.
  const host = baseUrl === undefined ? undefined : readHost(params);
  const wish = host === undefined && keyVariable !== undefined ? keyVariable : getVariable(host ?? name);
  return takeSecret(params, "api_key", { wish, ...context });
}

/** Returns the host that an entry names, where it names one by its address. */
function readHost(params: SettingsView): string | undefined {
  const given = params.text("api_base") ?? params.text("base_url") ?? "";
  return URL.canParse(given) ? new URL(given).hostname : undefined;
}

function getVariable(name: string): string {
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
    if (HEADER.test(name)) headers[name] = toReference(value);
    else notes.push({ path: extra.pathOf(name), text: "no header can have this name" });
  }
  const organization = params.text("organization");
  if (organization !== undefined) headers["openai-organization"] = toReference(organization);
  return headers;
}

function readBaseUrl(provider: LitellmProvider, params: SettingsView): string {
  const given = takeReference(params, "api_base") ?? takeReference(params, "base_url");
  if (given !== undefined) return closeAddress(given, provider);
  return provider.baseUrl ?? closeAddress(`\${${provider.baseVariable}}`, provider);
}
