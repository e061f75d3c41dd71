import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Alert } from "../../../gen/attune/admin/v1/alert_pb.ts";
import { PROJECT_KINDS } from "../../alerts/check-rule.ts";
import { configuredDestinations } from "../../alerts/destinations.ts";
import { ALERT_KINDS, hasWindow, isAlertKind } from "../../alerts/kinds.ts";
import { DEFAULT_PROJECT } from "../../store/entities/project.ts";
import { type AdminClient, defineAdminCommand, readProjects, withAdmin } from "../admin-client.ts";
import { argument, type CommandGroup, choice, defineCommand, flag, option, required, withPreset } from "../command.ts";
import {
  json,
  PROJECT,
  PROJECT_OR_ALL,
  readInteger,
  readLimit,
  readNumber,
  SERVICE,
  SERVICE_HELP,
} from "../options.ts";
import { fail, print, printJsonList, printTable, tell } from "../output.ts";
import { readConfig } from "../with-config.ts";

const PAGE_SIZE = 1000;

const ALERT_MEMBERS = [
  ...["id", "projectId", "rule", "kind", "subject", "summary", "value", "threshold", "openedAt", "closedAt"],
];
const RULE_MEMBERS = ["name", "kind", "threshold", "windowMinutes", "minCalls", "disabled", "own"];

/** `attune alerts`. */
export const alerts: CommandGroup = {
  help: SERVICE_HELP,
  commands: {
    list: defineAdminCommand({
      summary: "list alerts, newest first",
      options: {
        ...PROJECT_OR_ALL,
        open: flag("only open alerts"),
        limit: withPreset(option("count", "maximum number of alerts", readLimit), 50),
        ...json("list", ALERT_MEMBERS),
      },
      async run(admin, { project = "", open, limit, json: isJson }) {
        const found = await readAlerts(admin, { project, open, limit });
        if (isJson) return printJsonList(found.map(toJson));
        const names = new Map((await readProjects(admin)).map(({ id, name }) => [id, name]));
        printTable(
          ["OPENED", "CLOSED", "PROJECT", "RULE", "ALERT"],
          found.map(({ openedAt, closedAt, projectId, rule, kind, summary }) => [
            timeText(openedAt),
            closedAt === undefined ? "open" : timeText(closedAt),
            projectId === "" ? "-" : (names.get(projectId) ?? projectId),
            rule,
            `${toLabel(kind)}: ${summary}`,
          ]),
        );
      },
    }),

    rules: defineAdminCommand({
      summary: "list the rules of a project",
      options: { ...PROJECT, ...json("list", RULE_MEMBERS) },
      async run(admin, { json: isJson, project }) {
        const { rules } = await admin.listAlertRules({ project });
        if (isJson) {
          return printJsonList(rules.map(({ $typeName: _, minCalls = null, ...rule }) => ({ ...rule, minCalls })));
        }
        printTable(
          ["NAME", "KIND", "FROM", "WINDOW", "MIN CALLS", "OF", "STATE"],
          rules.map(({ name, kind, threshold, windowMinutes, minCalls = 0, own, disabled }) => [
            name,
            kind,
            `${threshold}`,
            isAlertKind(kind) && hasWindow(kind) ? `${windowMinutes} min` : "-",
            isAlertKind(kind) && ALERT_KINDS[kind].hasMinCalls ? `${minCalls}` : "-",
            own ? "project" : "configuration",
            disabled ? "off" : "on",
          ]),
        );
      },
    }),

    "set-rule": defineAdminCommand({
      summary: "set a rule of a project; it replaces a rule with the same name in the configuration",
      arguments: { name: argument("name of the rule") },
      options: {
        ...PROJECT,
        kind: choice("kind", "kind of rule; the same as its name if absent", PROJECT_KINDS),
        threshold: required(option("value", "value at which the alert opens", readNumber)),
        window: option("minutes", "length of the window; 15 if absent", readInteger),
        minCalls: option("count", "minimum calls for an alert; 20 if absent", readInteger),
        off: flag("turn the rule off"),
      },
      async run(admin, { name, kind = name, threshold, window = 0, minCalls, off, project }) {
        const settings = { threshold, windowMinutes: window, disabled: off };
        const rule = { name, kind, ...settings, ...(minCalls !== undefined && { minCalls }) };
        await admin.setAlertRule({ project, rule });
        print(`rule ${name}: ${off ? "off" : `from ${threshold}`}`);
      },
    }),

    "remove-rule": defineAdminCommand({
      summary: "remove a rule of a project",
      arguments: { name: argument("name of the rule") },
      options: PROJECT,
      async run(admin, { name, project }) {
        await admin.removeAlertRule({ project, name });
        print(`removed the rule ${name}`);
      },
    }),

    test: defineCommand({
      summary: "send a test to the destinations of attune.yaml, or of a project; exits with 1 if one of them fails",
      options: {
        destination: option("name", "only to this one"),
        project: option("project", "id or name of the project; with --url the default one if absent"),
        ...SERVICE,
      },
      async run({ destination: name, ...options }) {
        if (options.project === undefined && options.url === undefined) return await testConfigured(name);
        const { project = DEFAULT_PROJECT.id, url } = options;
        await withAdmin({ project, url }, async (admin) => {
          const { destinations } = await admin.listAlertDestinations({ project });
          for (const { id, ...one } of chosen(destinations, name, "the project has none")) {
            const { delivered, problem } = await admin.testAlertDestination({ project, id });
            tellOutcome(one, delivered, problem);
          }
        });
      },
    }),

    destinations: defineAdminCommand({
      summary: "list the destinations of a project, apart from those of attune.yaml",
      options: { ...PROJECT, ...json("list", ["id", "name", "kind", "target"]) },
      async run(admin, { json: isJson, project }) {
        const { destinations } = await admin.listAlertDestinations({ project });
        if (isJson) return printJsonList(destinations.map(({ $typeName: _, ...each }) => each));
        printTable(
          ["ID", "NAME", "KIND", "TARGET"],
          destinations.map(({ id, name, kind, target }) => [id, name, kind, target]),
        );
      },
    }),

    "add-destination": defineAdminCommand({
      summary: "add a destination for alerts of a project",
      arguments: { name: argument("name of the destination") },
      options: {
        ...PROJECT,
        webhook: option("url", "address of a signed webhook, whose secret is shown once"),
        slack: option("url", "address of an incoming webhook of Slack's kind"),
        email: option("address", "address of mail"),
      },
      async run(admin, { name, webhook, slack, email, project }) {
        const targets = Object.entries({ webhook, slack, email }).filter(([, target]) => target !== undefined);
        const [[kind, target] = ["", ""], ...others] = targets;
        if (target === undefined || target === "" || others.length > 0) {
          fail("give one of --webhook, --slack and --email");
        }
        const added = await admin.createAlertDestination({ project, destination: { name, kind, target } });
        tell(`${added.created ? "added" : "there is already"} ${name}: ${added.destination?.id ?? ""}`);
        if (added.secret !== "") print(added.secret);
      },
    }),

    "remove-destination": defineAdminCommand({
      summary: "remove a destination of a project",
      arguments: { id: argument("its id") },
      options: PROJECT,
      async run(admin, { id, project }) {
        await admin.removeAlertDestination({ project, id });
        print(`removed ${id}`);
      },
    }),
  },
};

function toJson({ $typeName: _, openedAt, closedAt, ...alert }: Alert) {
  return {
    ...alert,
    openedAt: openedAt === undefined ? null : timestampDate(openedAt),
    closedAt: closedAt === undefined ? null : timestampDate(closedAt),
  };
}

async function readAlerts(
  admin: AdminClient,
  { limit, ...filter }: { readonly project: string; readonly open: boolean; readonly limit: number },
): Promise<readonly Alert[]> {
  const all: Alert[] = [];
  for (let pageToken: string | undefined; pageToken !== "" && all.length < limit; ) {
    const page = await admin.listAlerts({
      ...filter,
      pageSize: Math.min(PAGE_SIZE, limit),
      pageToken: pageToken ?? "",
    });
    all.push(...page.alerts);
    pageToken = page.nextPageToken;
  }
  return all.slice(0, limit);
}

function timeText(time: Alert["openedAt"]): string {
  return time === undefined ? "" : timestampDate(time).toISOString();
}

function toLabel(kind: string): string {
  return isAlertKind(kind) ? ALERT_KINDS[kind].label : kind;
}

const NONE_CONFIGURED = "alerts.destinations of attune.yaml names none; --project NAME tests those of a project";

async function testConfigured(name: string | undefined): Promise<void> {
  const { createSendPorts, sendTest } = await import("../../main/open-alerts.ts");
  const { alerts: settings } = readConfig();
  const all = configuredDestinations(settings);
  for (const one of chosen(all, name, NONE_CONFIGURED)) {
    const sendPorts = createSendPorts(() => settings);
    const { isDelivered, problem } = await sendTest(one, sendPorts);
    tellOutcome(one, isDelivered, problem);
  }
}

/** Returns those of a name, or all; ends the command where there are none. */
function chosen<One extends { readonly name: string }>(
  all: readonly One[],
  name: string | undefined,
  none: string,
): readonly One[] {
  const wanted = name === undefined ? all : all.filter((one) => one.name === name);
  if (wanted.length > 0) return wanted;
  const names = all.map((one) => one.name).join(", ");
  return fail(names === "" ? none : `there is no such destination: ${names}`);
}

function tellOutcome(
  { name, kind }: { readonly name: string; readonly kind: string },
  isDelivered: boolean,
  problem: string | undefined,
): void {
  if (!isDelivered) process.exitCode = 1;
  print(`${name} (${kind}): ${isDelivered ? "delivered" : `failed: ${problem}`}`);
}
