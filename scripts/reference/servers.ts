import type { Server } from "../../src/catalog/server.ts";
import { findServer, SERVER_NAMES } from "../../src/catalog/server-facts.ts";
import { code, page, prose, table } from "./markdown.ts";

function places({ at }: Server): string {
  return at.map((place) => (place.startsWith(":") ? `port ${place.slice(1)}` : code(place))).join(", ");
}

function rows({ facts, routes = {} }: Server): string[][] {
  return [["all", facts] as const, ...Object.entries(routes)].flatMap(([route, told]) =>
    Object.entries(told).map(([fact, value]) => [code(fact), route, describe(value)]),
  );
}

function describe(value: unknown): string {
  return code((typeof value === "string" ? value : JSON.stringify(value)).replaceAll("|", "\\|"));
}

function section(name: (typeof SERVER_NAMES)[number]): string {
  const server = findServer(name);
  const at = places(server);
  const facts = rows(server);
  const sources = server.sources.map(
    ({ at: where, on, basis, tells }) => `- ${tells.map(code).join(", ")}: ${basis} on ${on}, ${prose(where)}`,
  );
  return [
    `## ${name}`,
    at === "" ? "Never guessed from an address." : `Guessed from ${at}.`,
    facts.length === 0 ? "" : table(["fact", "route", "value"], facts),
    sources.join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Returns the page of the servers whose facts are built in, each with its sources. */
export function serversPage(): string {
  return page("Servers", "`src/catalog/servers`", [
    "What Attune knows about each kind of server: which request fields it accepts, and what its errors mean, each " +
      "with its source. `profile` of an [upstream](../upstreams.md#profiles) changes these facts.",
    ...SERVER_NAMES.map(section),
  ]);
}
