import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Alert } from "../../gen/attune/admin/v1/alert_pb.ts";
import { configuredDestinations } from "../alerts/destinations.ts";
import { ALERT_KINDS, hasWindow, isAlertKind } from "../alerts/kinds.ts";
import { createSendPorts, sendTest } from "../main/open-alerts.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { type AdminClient, type RemoteOptions, readProjects, withAdmin } from "./admin-client.ts";
import { fail, print, printJsonList, printTable, tell } from "./output.ts";
import { readConfig } from "./with-config.ts";

/** Options of commands on a project, which is the default one if it is not named. */
interface ProjectOptions extends RemoteOptions {
  readonly project?: string;
}

/** The settings of a rule. */
export interface RuleOptions {
  readonly kind?: string;
  readonly threshold: number;
  readonly window?: number;
  readonly minCalls?: number;
  readonly off?: true;
}

/** The target of a new destination, of one kind. */
export interface TargetOptions {
  readonly webhook?: string;
  readonly slack?: string;
  readonly email?: string;
}

/** The options of `attune alerts list`. */
interface ListOptions extends ProjectOptions {
  readonly open?: boolean;
  readonly limit: number;
  readonly json?: true;
}

const PAGE_SIZE = 1000;

/** Prints alerts of all projects and of the installation, or those that members of a project see. */
export async function runAlertList({ open = false, limit, json, project = "", ...remote }: ListOptions): Promise<void> {
  await withAdmin(remote, { project }, async (admin) => {
    const alerts = await readAlerts(admin, { project, open, limit });
    if (json) {
      const facts = alerts.map(({ $typeName: _, openedAt, closedAt, ...alert }) => ({
        ...{ ...alert, openedAt: openedAt === undefined ? null : timestampDate(openedAt) },
        closedAt: closedAt === undefined ? null : timestampDate(closedAt),
      }));
      return printJsonList(facts);
    }
    const names = new Map((await readProjects(admin)).map(({ id, name }) => [id, name]));
    printTable(
      ["OPENED", "CLOSED", "PROJECT", "RULE", "ALERT"],
      alerts.map(({ openedAt, closedAt, projectId, rule, kind, summary }) => [
        ...[timeText(openedAt), closedAt === undefined ? "open" : timeText(closedAt)],
        ...[projectId === "" ? "-" : (names.get(projectId) ?? projectId), rule, `${labelOf(kind)}: ${summary}`],
      ]),
    );
  });
}

async function readAlerts(
  admin: AdminClient,
  { limit, ...asked }: { readonly project: string; readonly open: boolean; readonly limit: number },
): Promise<readonly Alert[]> {
  const all: Alert[] = [];
  for (let pageToken: string | undefined; pageToken !== "" && all.length < limit; ) {
    const page = await admin.listAlerts({ ...asked, pageSize: Math.min(PAGE_SIZE, limit), pageToken: pageToken ?? "" });
    all.push(...page.alerts);
    pageToken = page.nextPageToken;
  }
  return all.slice(0, limit);
}

function timeText(time: Alert["openedAt"]): string {
  return time === undefined ? "" : timestampDate(time).toISOString();
}

function labelOf(kind: string): string {
  return isAlertKind(kind) ? ALERT_KINDS[kind].label : kind;
}

/** Prints the rules that hold in a project. */
export async function runRuleList({ json, ...options }: ProjectOptions & { readonly json?: true }): Promise<void> {
  await onProject(options, async (admin, project) => {
    const { rules } = await admin.listAlertRules({ project });
    if (json) return printJsonList(rules.map(({ $typeName: _, minCalls = null, ...rule }) => ({ ...rule, minCalls })));
    printTable(
      ["NAME", "KIND", "FROM", "WINDOW", "MIN CALLS", "OF", "STATE"],
      rules.map(({ name, kind, threshold, windowMinutes, minCalls = 0, own, disabled }) => [
        ...[name, kind, `${threshold}`, isAlertKind(kind) && hasWindow(kind) ? `${windowMinutes} min` : "-"],
        ...[
          isAlertKind(kind) && ALERT_KINDS[kind].hasMinCalls ? `${minCalls}` : "-",
          own ? "project" : "configuration",
        ],
        disabled ? "off" : "on",
      ]),
    );
  });
}

/** Sets a rule of a project. */
export async function runSetRule(
  name: string,
  { kind = name, threshold, window = 0, minCalls, off, ...options }: ProjectOptions & RuleOptions,
): Promise<void> {
  await onProject(options, async (admin, project) => {
    const settings = { threshold, windowMinutes: window, disabled: off === true };
    const rule = { name, kind, ...settings, ...(minCalls !== undefined && { minCalls }) };
    await admin.setAlertRule({ project, rule });
    print(`rule ${name}: ${off ? "off" : `from ${threshold}`}`);
  });
}

/** Removes a rule of a project. */
export async function runRemoveRule(name: string, options: ProjectOptions): Promise<void> {
  await onProject(options, async (admin, project) => {
    await admin.removeAlertRule({ project, name });
    print(`removed the rule ${name}`);
  });
}

/** Prints the destinations of a project. */
export async function runDestinationList({
  json,
  ...options
}: ProjectOptions & { readonly json?: true }): Promise<void> {
  await onProject(options, async (admin, project) => {
    const { destinations } = await admin.listAlertDestinations({ project });
    if (json) return printJsonList(destinations.map(({ $typeName: _, ...each }) => each));
    printTable(
      ["ID", "NAME", "KIND", "TARGET"],
      destinations.map(({ id, name, kind, target }) => [id, name, kind, target]),
    );
  });
}

/** Adds a destination of a project, and prints the secret of a webhook. */
export async function runAddDestination(
  name: string,
  { webhook, slack, email, ...options }: ProjectOptions & TargetOptions,
): Promise<void> {
  const targets = Object.entries({ webhook, slack, email }).filter(([, target]) => target !== undefined);
  const [[kind, target] = ["", ""], ...others] = targets;
  if (target === undefined || target === "" || others.length > 0) fail("give one of --webhook, --slack and --email");
  await onProject(options, async (admin, project) => {
    const { destination, secret, created } = await admin.createAlertDestination({
      ...{ project, destination: { name, kind, target } },
    });
    tell(`${created ? "added" : "there is already"} ${name}: ${destination?.id ?? ""}`);
    if (secret !== "") print(secret);
  });
}

/** Removes a destination of a project. */
export async function runRemoveDestination(id: string, options: ProjectOptions): Promise<void> {
  await onProject(options, async (admin, project) => {
    await admin.removeAlertDestination({ project, id });
    print(`removed ${id}`);
  });
}

/** The options of `attune alerts test`. */
interface TestOptions extends ProjectOptions {
  readonly destination?: string;
}

/** Sends a test to the destinations of the configuration, or of a project, and says how each ended. */
export async function runAlertTest({ destination: name, ...options }: TestOptions): Promise<void> {
  if (options.project === undefined && options.url === undefined) return await testConfigured(name);
  await onProject(options, async (admin, project) => {
    const { destinations } = await admin.listAlertDestinations({ project });
    for (const { id, ...one } of chosen(destinations, name, "the project has none")) {
      const { delivered, problem } = await admin.testAlertDestination({ project, id });
      tellOutcome(one, delivered, problem);
    }
  });
}

const NONE_CONFIGURED = "alerts.destinations of attune.yaml names none; --project NAME tests those of a project";

async function testConfigured(name: string | undefined): Promise<void> {
  const { alerts } = readConfig();
  const all = configuredDestinations(alerts);
  for (const one of chosen(all, name, NONE_CONFIGURED)) {
    const sendPorts = createSendPorts(() => alerts);
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
  print(`${name} (${kind}): ${isDelivered ? "taken" : `not taken: ${problem}`}`);
}

async function onProject(
  { project = DEFAULT_PROJECT.id, url }: ProjectOptions,
  work: (admin: AdminClient, project: string) => Promise<void>,
): Promise<void> {
  await withAdmin({ ...(url !== undefined && { url }) }, { project }, (admin) => work(admin, project));
}
