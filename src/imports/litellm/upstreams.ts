import type { ImportNote } from "../imported.ts";
import type { SettingsView } from "../settings-view.ts";
import type { Provider } from "./providers.ts";

const ENVIRONMENT = /^os\.environ\/([A-Za-z_][A-Za-z0-9_]*)$/;
/** A token of HTTP. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/;
const MS = 1000;

/** An upstream as `attune.yaml` has it. */
type Upstream = Readonly<Record<string, unknown>>;

/** The upstreams of a configuration: entries of the same place and key share one. */
export class Upstreams {
  readonly #byContent = new Map<string, string>();
  readonly #all: Record<string, Upstream> = {};
  readonly #notes: ImportNote[];

  constructor(notes: ImportNote[]) {
    this.#notes = notes;
  }

  get all(): Readonly<Record<string, Upstream>> {
    return this.#all;
  }

  /** Returns the name of the upstream that an entry's parameters are of. `seconds` is the file's own limit of a call. */
  nameOf(name: string, provider: Provider, params: SettingsView, seconds: number | undefined): string {
    const headers = this.#headers(params);
    const totalSeconds = params.number("timeout") ?? seconds;
    const key = this.#key(name, provider, params);
    const upstream = {
      kind: provider.kind,
      baseUrl: baseUrlOf(provider, params),
      ...(key !== undefined && { apiKey: key }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(totalSeconds !== undefined && { timeouts: { totalMs: Math.round(totalSeconds * MS) } }),
    };
    const content = JSON.stringify(upstream);
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    let free = name;
    for (let number = 2; free in this.#all; number++) free = `${name}-${number}`;
    this.#all[free] = upstream;
    this.#byContent.set(content, free);
    return free;
  }

  /** Returns a reference to the key; one that stands in the file is not carried into another. */
  #key(name: string, { keyVariable }: Provider, params: SettingsView): string | undefined {
    const given = params.text("api_key");
    if (given === undefined) return keyVariable === undefined ? undefined : `\${${keyVariable}}`;
    const variable = ENVIRONMENT.exec(given)?.[1];
    if (variable !== undefined) return `\${${variable}}`;
    if (/^(?:none|empty|dummy|anything|not-needed)$/i.test(given)) return undefined;
    const own = keyVariable ?? `${name.toUpperCase().replaceAll("-", "_")}_API_KEY`;
    this.#notes.push({ path: params.pathOf("api_key"), text: `put this key into the variable ${own}` });
    return `\${${own}}`;
  }

  #headers(params: SettingsView): Record<string, string> {
    const extra = params.map("extra_headers");
    const headers: Record<string, string> = {};
    for (const [name] of extra.entries) {
      const value = extra.text(name) ?? "";
      if (HEADER.test(name)) headers[name] = reference(value);
      else this.#notes.push({ path: extra.pathOf(name), text: "no header can have this name" });
    }
    const organization = params.text("organization");
    if (organization !== undefined) headers["openai-organization"] = reference(organization);
    return headers;
  }
}

function baseUrlOf({ baseUrl, baseVariable, route = "" }: Provider, params: SettingsView): string {
  const given = params.text("api_base") ?? params.text("base_url");
  if (given !== undefined) {
    const base = reference(given);
    const closed = base.endsWith("/") ? base.slice(0, -1) : base;
    return route !== "" && !closed.endsWith(route) ? `${closed}${route}` : closed;
  }
  return baseUrl ?? `\${${baseVariable}}${route}`;
}

/** Writes a reference to a variable as Attune has it; what looks like one of Attune's is a plain text. */
function reference(text: string): string {
  const variable = ENVIRONMENT.exec(text)?.[1];
  return variable === undefined ? text.replaceAll("${", "$${") : `\${${variable}}`;
}
