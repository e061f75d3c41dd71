import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { destinationSecret, ownedDestination } from "../alerts/destinations.ts";
import { createCatalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import { createTokenPrices } from "../config/token-prices.ts";
import { decodeError } from "../facade/client/decode-error.ts";
import { ErrorReason } from "../hub/error.ts";
import { createAlternatives } from "../learning/alternatives.ts";
import { newId } from "../lib/ids.ts";
import { bindOperations } from "../operations/bind-operations.ts";
import { createOperations } from "../operations/create-operations.ts";
import type { OperationPorts } from "../operations/handlers.ts";
import { openInstallationKey } from "../store/keys/installation-key.ts";
import type { Store } from "../store/types/store.ts";
import { readUsageReport } from "../store/usage/read-usage-report.ts";
import { ADMIN_SCOPES, type Administrator } from "../vocabulary/administrator.ts";
import { explainUnreachable } from "./explain-unreachable.ts";
import { type CommandParameters, nameParameter } from "./name-parameter.ts";
import type { ServiceValues } from "./options.ts";
import { fail, tell } from "./output.ts";

export { withStore } from "./with-config.ts";

/** The administrative service, wherever it is. */
export type AdminClient = Client<typeof AdminService>;

const LIMIT_MS = 30_000;

/** Connects to a service that runs, with the admin key of the environment. */
export function connect(url: string): AdminClient {
  const key = process.env["ATTUNE_ADMIN_KEY"];
  if (!key)
    fail("set ATTUNE_ADMIN_KEY to an admin key: 'attune admin-keys create' on the machine of the service creates one");
  const transport = createConnectTransport({
    baseUrl: url,
    httpVersion: "1.1",
    defaultTimeoutMs: LIMIT_MS,
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${key}`);
        return next(request);
      },
    ],
  });
  return createClient(AdminService, transport);
}

const COMMAND: Administrator = { kind: "command", id: "", label: "attune", scopes: ADMIN_SCOPES };

/** Calls the operations themselves; the store names who runs the command. */
export function openLocal(store: Store, config: Config): AdminClient {
  const { models, prefix, learning, alerts } = config;
  const catalog = createCatalog(models, prefix);
  const operations = createOperations({
    store,
    prefix,
    modelOf: (name) => catalog.find(name)?.name,
    learning: () => learning,
    improvements: {
      alternativesOf: createAlternatives(catalog.models, learning.models),
      priceOf: createTokenPrices(() => ({ catalog, config })),
    },
    alerts: localAlerts(alerts),
    endUsers: localEndUsers(),
    readRequestPage: readLocalRequests,
    catchUp: async () => {},
    readUsage: (query) => readUsageReport(store, query),
  });
  // What one call changes is told under one request, as that of a caller from elsewhere.
  return bindOperations(operations, () => ({ actor: COMMAND, origin: { ...store.origin, requestId: newId() } }));
}

function localAlerts(alerts: Config["alerts"]): OperationPorts["alerts"] {
  const settings = () => alerts;
  return {
    settings,
    secretOf: async (own, store) => destinationSecret(await openInstallationKey(store), own),
    async test(own, id, store) {
      const { createSendPorts, sendTest } = await import("../main/open-alerts.ts");
      const signingKey = await openInstallationKey(store);
      return await sendTest(ownedDestination(own, { signingKey, settings: alerts }), createSendPorts(settings), id);
    },
  };
}

const readLocalRequests: OperationPorts["readRequestPage"] = async (store, query) => {
  const { ContentReader } = await import("../dashboard/features/history/content-reader.ts");
  const { createRequestPages } = await import("../main/request-pages.ts");
  const contents = new ContentReader(() => {});
  try {
    return await createRequestPages(contents)(store, query);
  } finally {
    await contents.close();
  }
};

function localEndUsers(): OperationPorts["endUsers"] {
  return {
    async readPage(store, user, after) {
      const { ContentReader } = await import("../dashboard/features/history/content-reader.ts");
      const { createEndUserPages } = await import("../main/end-user-pages.ts");
      const contents = new ContentReader(() => {});
      try {
        return await createEndUserPages(contents)(store, user, after);
      } finally {
        await contents.close();
      }
    },
    onFailure: (error) => tell(error instanceof Error ? error.message : String(error)),
  };
}

/** The commands that list things, by what a refusal calls them. */
const LISTS: Readonly<Record<string, string>> = {
  key: "attune keys list",
  "admin key": "attune admin-keys list",
  account: "attune users list",
  destination: "attune alerts destinations",
};

/** Ends the command with what the service said of the values of its command line. */
export function explain(thrown: unknown, values: ServiceValues, parameters: CommandParameters): never {
  const { url } = values;
  const error = decodeError(thrown);
  if (url !== undefined && error.reason === ErrorReason.UNAVAILABLE) {
    fail(explainUnreachable(url, error.cause ?? error, LIMIT_MS));
  }
  // Only a defect is not told to callers.
  if (error.reason === ErrorReason.INTERNAL) throw thrown;
  const [, what = ""] = /^\w+: there is no such ((?:admin )?\w+)$/.exec(error.message) ?? [];
  const name = values[what] ?? values[error.facts.param ?? ""];
  if (what === "" || typeof name !== "string") {
    fail(error.atPlaces((place) => nameParameter(place, parameters, values)).message);
  }
  const list = LISTS[what];
  fail(`there is no ${what} '${name}'${list === undefined ? "" : `: '${list}' lists them`}`);
}
