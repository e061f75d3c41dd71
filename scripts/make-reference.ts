// Writes docs/reference, each page from its source.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { commandsPage } from "./reference/commands.ts";
import { configurationPage } from "./reference/configuration.ts";
import { errorsPage } from "./reference/errors.ts";
import { eventsPage } from "./reference/events.ts";
import { headersPage } from "./reference/headers.ts";
import { httpPage } from "./reference/http.ts";
import { logPage } from "./reference/log.ts";
import { page, replacePart } from "./reference/markdown.ts";
import { metricsPage } from "./reference/metrics.ts";
import { commentsOf, readProtos } from "./reference/protos.ts";
import { rolesPage } from "./reference/roles.ts";
import { rpcPage, servicesTable } from "./reference/rpc.ts";
import { serversPage } from "./reference/servers.ts";

const protos = readProtos();
const pages: Readonly<Record<string, string>> = {
  http: httpPage(),
  rpc: rpcPage(protos),
  configuration: configurationPage(),
  commands: await commandsPage(),
  metrics: await metricsPage(),
  log: logPage(),
  errors: errorsPage(commentsOf(protos)),
  headers: headersPage(),
  events: eventsPage(),
  roles: rolesPage(),
  servers: serversPage(),
};

const index = Object.entries(pages).map(([name, text]) => {
  const [, title, summary] = /^# (.*)\n\n(.*?)[.:](?=\s)/.exec(text) ?? [];
  return `| [${title}](${name}.md) | ${summary} |`;
});

const folder = new URL("../docs/reference/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(pages)) writeFileSync(new URL(`${name}.md`, folder), text);
writeFileSync(
  new URL("README.md", folder),
  page("Reference", "the sources that each page names", [["| page | content |", "| --- | --- |", ...index].join("\n")]),
);

const rpc = new URL("../docs/rpc.md", import.meta.url);
writeFileSync(
  rpc,
  replacePart(readFileSync(rpc, "utf8"), "services", () => servicesTable(protos)),
);
