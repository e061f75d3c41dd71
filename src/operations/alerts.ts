import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  AlertDeliverySchema,
  AlertDestinationSchema,
  AlertRuleSchema,
  AlertSchema,
  AlertRule as RuleMessage,
} from "../../gen/attune/admin/v1/alert_pb.ts";
import { PROJECT_KINDS, targetProblem, thresholdProblem, windowProblem } from "../alerts/check-rule.ts";
import { DESTINATION_KINDS, type OwnedDestination } from "../alerts/ports.ts";
import { InferenceError } from "../hub/error.ts";
import { checkPublicUrl, PrivateAddressError } from "../lib/public-address.ts";
import { type AlertInfo, listAlertPage } from "../store/alerts/list-alerts.ts";
import { createProjectAlerts, describeTarget, type ProjectRule } from "../store/dashboard/alerts.ts";
import type { AlertDeliveryRow } from "../store/entities/alert.ts";
import { isPerson } from "./actor.ts";
import { alreadyExists, conflict, notFound } from "./checks.ts";
import { findOwnProject, projectOfList } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import { readPageSize, toPage } from "./page.ts";
import { runChange } from "./run-change.ts";

type RuleMethod = "listAlerts" | "listAlertRules" | "setAlertRule" | "removeAlertRule" | "listAlertDeliveries";
type DestinationMethod =
  | "listAlertDestinations"
  | "createAlertDestination"
  | "removeAlertDestination"
  | "testAlertDestination";

const DEFAULT_WINDOW_MINUTES = 15;
const DEFAULT_MIN_CALLS = 20;

/** The operations on alerts: what is wrong, by which rules, and where messages go. */
export const alertHandlers: Handlers<RuleMethod | DestinationMethod> = {
  async listAlerts(work, { project, pageSize, pageToken, open: isOpen }) {
    const size = readPageSize(pageSize);
    const projectId = await projectOfList(work, project);
    const query = { projectId, isOpen, before: pageToken.toLowerCase(), limit: size + 1 };
    const { items, nextPageToken } = toPage(await listAlertPage(work.store, query), size);
    return { alerts: items.map(alertToMessage), nextPageToken };
  },

  async listAlertRules(work, { project }) {
    const { id } = await findOwnProject(work, project);
    const own = await createProjectAlerts(work.store).rules(id);
    const names = new Set(own.map(({ name }) => name));
    const { rules } = work.alerts.settings();
    const general = rules.filter(({ scope, name }) => scope === "project" && !names.has(name));
    return {
      rules: [...general.map((rule) => ruleToMessage(rule, false)), ...own.map((rule) => ruleToMessage(rule, true))],
    };
  },

  async setAlertRule(work, { project, rule: message }) {
    const { id } = await findOwnProject(work, project);
    const rule = readRule(work, message);
    await createProjectAlerts(work.store).setRule(id, rule);
    return { rule: ruleToMessage(rule, true) };
  },

  async removeAlertRule(work, { project, name }) {
    const { id } = await findOwnProject(work, project);
    if (!(await createProjectAlerts(work.store).removeRule(id, name)))
      throw notFound("name", "rule of the project's own");
    return {};
  },

  async listAlertDestinations(work, { project }) {
    const { id } = await findOwnProject(work, project);
    return { destinations: (await createProjectAlerts(work.store).destinations(id)).map(destinationToMessage) };
  },

  async createAlertDestination(work, { project, destination, dryRun }) {
    const { id: projectId } = await findOwnProject(work, project);
    // Whoever answers for the name may take seconds, for which nobody else waits.
    const wanted = { projectId, name: destination?.name ?? "", ...(await readTarget(work, projectId, destination)) };
    const added = await runChange(work.store, dryRun, (store) => addDestination({ ...work, store }, wanted));
    if (!added.isNew) return { destination: destinationToMessage(added.destination) };
    const isSigned = wanted.kind === "webhook" && !dryRun;
    const secret = isSigned ? await work.alerts.secretOf(added.destination, work.store) : "";
    return { destination: destinationToMessage(added.destination), secret, created: true };
  },

  async removeAlertDestination(work, { project, id }) {
    const { id: projectId } = await findOwnProject(work, project);
    const isRemoved = await createProjectAlerts(work.store).removeDestination(projectId, id.toLowerCase());
    if (!isRemoved) throw notFound("id", "destination");
    return {};
  },

  async testAlertDestination(work, { project, id, dryRun }) {
    const { id: projectId } = await findOwnProject(work, project);
    const alerts = createProjectAlerts(work.store);
    const found = (await alerts.destinations(projectId)).find((each) => each.id === id.toLowerCase());
    if (found === undefined) throw notFound("id", "destination");
    if (dryRun) return {};
    const testId = await alerts.beginTest(found);
    const { isDelivered, ...sent } = await work.alerts.test(found, testId, work.store);
    await alerts.endTest(found, sent);
    return { delivered: isDelivered, problem: sent.problem ?? "" };
  },

  async listAlertDeliveries(work, { project, pageSize }) {
    const { id } = await findOwnProject(work, project);
    const found = await createProjectAlerts(work.store).deliveries(id, readPageSize(pageSize));
    return { deliveries: found.map(deliveryToMessage) };
  },
};

/** Adds a destination, unless there is the same one. Throws ALREADY_EXISTS for another one of its name. */
async function addDestination({ store, actor }: Work, wanted: Omit<OwnedDestination, "id">) {
  const added = await createProjectAlerts(store).addDestination(wanted);
  if (added !== undefined && (added.isNew || !isPerson(actor))) return added;
  if (added !== undefined) throw alreadyExists("destination.name", "is of this destination already");
  throw alreadyExists("destination.name", "is of a destination with another kind or target: remove that one first");
}

/** Reads a rule of a project. Throws INVALID_REQUEST, and CONFLICT for the name of a rule of another kind. */
function readRule({ alerts }: Work, message: RuleMessage | undefined): ProjectRule {
  const { name = "", threshold = 0, minCalls = DEFAULT_MIN_CALLS, disabled = false } = message ?? {};
  const kind = PROJECT_KINDS.find((known) => known === message?.kind);
  if (kind === undefined) throw InferenceError.invalid("rule.kind", `must be ${PROJECT_KINDS.join(", ")}`);
  const fixed = alerts.settings().rules.find((rule) => rule.name === name)?.kind;
  if (fixed !== undefined && fixed !== kind)
    throw conflict("rule.kind", `must be ${fixed}, as of the rule of this name`);
  const windowMinutes = message?.windowMinutes || DEFAULT_WINDOW_MINUTES;
  const problem = windowProblem(kind, windowMinutes);
  if (problem !== undefined) throw InferenceError.invalid("rule.window_minutes", problem);
  const excess = thresholdProblem(kind, threshold);
  if (excess !== undefined) throw InferenceError.invalid("rule.threshold", excess);
  return { name, kind, threshold, windowMinutes, minCalls, isEnabled: !disabled };
}

/** Reads where messages go. Throws INVALID_REQUEST. */
async function readTarget(
  { alerts }: Work,
  projectId: string,
  destination: { readonly kind: string; readonly target: string } | undefined,
): Promise<Pick<OwnedDestination, "kind" | "target">> {
  const target = destination?.target ?? "";
  const kind = DESTINATION_KINDS.find((known) => known === destination?.kind);
  if (kind === undefined) throw InferenceError.invalid("destination.kind", `must be ${DESTINATION_KINDS.join(", ")}`);
  const { smtp, allowPrivateAddresses } = alerts.settings();
  if (kind === "email" && smtp === undefined) {
    throw InferenceError.invalid("destination.kind", "cannot be email: alerts.smtp of attune.yaml names no server");
  }
  const problem = targetProblem(kind, target);
  if (problem !== undefined) throw InferenceError.invalid("destination.target", problem);
  if (kind !== "email" && !allowPrivateAddresses) await checkPublic(target, projectId);
  return { kind, target };
}

/** A name that leads nowhere yet may lead to the internet later: each attempt looks again. */
async function checkPublic(target: string, projectId: string): Promise<void> {
  try {
    await checkPublicUrl(target, projectId);
  } catch (error) {
    if (error instanceof PrivateAddressError) throw InferenceError.invalid("destination.target", error.message);
  }
}

function alertToMessage({ openedAt, closedAt, ...alert }: AlertInfo): MessageInitShape<typeof AlertSchema> {
  return {
    ...alert,
    openedAt: timestampFromDate(openedAt),
    ...(closedAt !== null && { closedAt: timestampFromDate(closedAt) }),
  };
}

function ruleToMessage(
  { name, kind, threshold, windowMinutes, minCalls, isEnabled }: ProjectRule,
  own: boolean,
): MessageInitShape<typeof AlertRuleSchema> {
  return { name, kind, threshold, windowMinutes, minCalls, disabled: !isEnabled, own };
}

function destinationToMessage(own: OwnedDestination): MessageInitShape<typeof AlertDestinationSchema> {
  const { id, name, kind, target } = own;
  return { id, name, kind, target: describeTarget(kind, target) };
}

function deliveryToMessage(row: Omit<AlertDeliveryRow, "body">): MessageInitShape<typeof AlertDeliverySchema> {
  const { id, destination, type, state, attempts, status, problem, createdAt, endedAt } = row;
  return {
    id,
    destinationId: destination,
    type,
    state,
    attempts,
    problem: problem ?? "",
    ...(status != null && { status }),
    createdAt: timestampFromDate(createdAt),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
  };
}
