import { type End, type ErrorPlace, type ErrorWord, type Route, type ServerFacts, UNKNOWN_ON_ROUTE } from "./facts.ts";
import type { Server } from "./server.ts";
import { SERVERS } from "./servers/all.ts";

/** The name of a server whose facts are built in. */
export type ServerName = keyof typeof SERVERS;

/** Names of the servers whose facts are built in. */
export const SERVER_NAMES = Object.keys(SERVERS) as readonly ServerName[];

/** Returns the name of the server at an address. */
export function guessServer(baseUrl: string): ServerName {
  const { hostname, port } = new URL(baseUrl);
  const isAt = (place: string): boolean =>
    place.startsWith(":") ? place === `:${port}` : hostname === place || hostname.endsWith(`.${place}`);
  const found = SERVER_NAMES.find((name) => findServer(name).at.some(isAt));
  return found ?? "unknown";
}

/** Returns what is known of a server by its name. */
export function findServer(name: ServerName): Server {
  return SERVERS[name];
}

/** Words that any server may repeat of another one: a gateway says what its provider said. */
type Words = Pick<ServerFacts, "ends" | "errors" | "errorPlaces">;

/** Returns the facts of a server on one of its routes; its own words go before those of others. */
export function buildFacts(server: Server, route: Route, others: Words = ALL_WORDS): ServerFacts {
  const own = { ...UNKNOWN_ON_ROUTE[route], ...server.facts, ...server.routes?.[route] };
  return {
    ...own,
    ends: { ...others.ends, ...own.ends },
    errors: [...own.errors, ...others.errors.filter((word) => !own.errors.includes(word))],
    errorPlaces: [...own.errorPlaces, ...others.errorPlaces.filter((place) => !own.errorPlaces.includes(place))],
  };
}

/** Returns the built-in facts of a server on one of its routes. */
export function findServerFacts(name: ServerName, route: Route): ServerFacts {
  return buildFacts(findServer(name), route);
}

const ALL_WORDS = collectWords(SERVER_NAMES.map(findServer));

function collectWords(servers: readonly Server[]): Words {
  const ends: Record<string, End> = {};
  const errors: ErrorWord[] = [];
  const errorPlaces: ErrorPlace[] = [];
  for (const { facts, routes = {} } of servers) {
    for (const routeFacts of [facts, ...Object.values(routes)]) {
      Object.assign(ends, routeFacts.ends);
      errors.push(...(routeFacts.errors ?? []));
      errorPlaces.push(...(routeFacts.errorPlaces ?? []));
    }
  }
  return { ends, errors, errorPlaces };
}
