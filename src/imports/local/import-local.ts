import { isModelName } from "../../catalog/model-name.ts";
import type { Imported, ImportNote } from "../import-error.ts";
import { plainText, type WrittenModel, writeConfig } from "../write-config.ts";
import { type LocalModel, SERVER_KINDS, type ServerKind } from "./servers.ts";

/** A server that runs on this host. */
export interface LocalServer {
  readonly kind: ServerKind;
  /** Its address, without a path. */
  readonly url: string;
  readonly models: readonly LocalModel[];
}

/** A place where a server may be. */
interface ServerAddress {
  readonly kind: ServerKind;
  readonly port: number;
}

const USUAL_PLACES: readonly ServerAddress[] = SERVER_KINDS.flatMap((kind) =>
  kind.ports.map((port) => ({ kind, port })),
);

/** The port that Attune has unless it is told otherwise, and another one. */
const OWN_PORT = 8080;
const OTHER_PORT = 8081;

/** Looks for servers that run models on this host; what does not answer within a second is none. */
export async function findLocalServers(places = USUAL_PLACES): Promise<LocalServer[]> {
  const found = await Promise.all(
    places.map(async ({ kind, port }) => {
      const url = `http://127.0.0.1:${port}`;
      const models = await kind.readModels(url);
      return models === undefined || models.length === 0 ? [] : [{ kind, url, models }];
    }),
  );
  return found.flat();
}

/** Makes an `attune.yaml` of the models that servers of this host have. */
export function importLocal(servers: readonly LocalServer[]): Imported {
  const notes: ImportNote[] = [];
  const models = new Map<string, WrittenModel>();
  const named = nameUpstreams(servers);
  for (const { kind, models: own, upstream } of named) {
    for (const { name, ...facts } of own) {
      // Servers of llama.cpp tell the path of the file where they are given no alias.
      const short = isModelName(name) ? name : (name.split(/[/\\]/).at(-1) ?? "");
      if (!isModelName(short)) {
        notes.push({
          path: kind.name,
          text: `the model '${name}' is left out: a name has letters, digits and ._:/@+-`,
        });
        continue;
      }
      // Two servers may have different weights of one name.
      const free = models.has(short) ? `${upstream}/${short}` : short;
      const members = getSettings(facts);
      const deployments = [{ upstream, model: plainText(name) }];
      models.set(free, { name: free, family: "chat", ...members, deployments });
    }
  }
  const upstreams = Object.fromEntries(
    named.map(({ kind, url, upstream }) => [
      upstream,
      { kind: "openai-chat", baseUrl: `${url}/v1`, profile: kind.profile },
    ]),
  );
  const taker = servers.find(({ url }) => new URL(url).port === String(OWN_PORT));
  if (taker !== undefined)
    notes.push({ path: "server.port", text: `is ${OTHER_PORT}, since ${taker.kind.name} has ${OWN_PORT}` });
  const server = taker && { port: OTHER_PORT };
  const config = { ...(server && { server }), upstreams, models: [...models.values()] };
  return { yaml: writeConfig(config, "attune import local"), notes };
}

/** Names an upstream for each server; several of one kind have their ports behind it. */
function nameUpstreams(servers: readonly LocalServer[]): (LocalServer & { readonly upstream: string })[] {
  const taken = new Set<string>();
  return servers.map((server) => {
    const { upstream: name } = server.kind;
    const upstream = taken.has(name) ? `${name}-${new URL(server.url).port}` : name;
    taken.add(upstream);
    return { ...server, upstream };
  });
}

/** Returns the settings of a model that its server tells of. */
function getSettings({ contextWindow, thinks }: Omit<LocalModel, "name">) {
  return {
    ...(contextWindow !== undefined && { contextWindow, maxOutputTokens: contextWindow }),
    ...(thinks !== undefined && { thinking: thinks ? "adaptive" : "none" }),
  };
}

/** Says in a line what a server has. */
export function describeServer({ kind, url, models }: LocalServer): string {
  const names = models.map(({ name }) => name);
  const shown = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${kind.name} at ${url.slice("http://".length)}: ${shown}${more}`;
}
