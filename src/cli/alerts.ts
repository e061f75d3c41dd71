import { type Command, InvalidArgumentError, Option } from "commander";
import { PROJECT_KINDS } from "../alerts/check-rule.ts";
import type { RemoteOptions } from "./admin-client.ts";
import { addJsonList, type JsonOptions } from "./json-option.ts";
import { readLimit } from "./read-limit.ts";
import { addRemoteOption, REMOTE_HELP } from "./remote-option.ts";
import type { RuleOptions, TargetOptions } from "./run-alerts.ts";

/** The options of commands on the alerts of one project. */
type OfProject = RemoteOptions & { readonly project?: string };

const ALERT_MEMBERS = [
  ...["id", "projectId", "rule", "kind", "subject", "summary", "value", "threshold", "openedAt", "closedAt"],
];
const RULE_MEMBERS = ["name", "kind", "threshold", "windowMinutes", "minCalls", "disabled", "own"];

/** Adds `attune alerts list|rules|set-rule|remove-rule|destinations|add-destination|remove-destination|test`. */
export function addAlertsCommand(program: Command): void {
  const alerts = program
    .command("alerts")
    .description("show alerts, their rules, and where messages about them go")
    .addHelpText("after", REMOTE_HELP);
  const add = (name: string, description: string) =>
    addRemoteOption(
      alerts
        .command(name)
        .description(description)
        .option("--project <project>", "id or name of the project; the default one if absent"),
    );
  const list = alerts
    .command("list")
    .description("list alerts, the latest first")
    .option("--project <project>", "id or name of the project; all of them if absent")
    .option("--open", "only those that are open")
    .option("--limit <count>", "most alerts that are listed", readLimit, 50);
  addRemoteOption(addJsonList(list, ALERT_MEMBERS)).action(async (options) =>
    (await import("./run-alerts.ts")).runAlertList(options),
  );
  addJsonList(add("rules", "list the rules that hold in a project"), RULE_MEMBERS).action(
    async (options: OfProject & JsonOptions) => (await import("./run-alerts.ts")).runRuleList(options),
  );
  add("set-rule", "set a rule of a project; one of the configuration with its name does not hold there")
    .argument("<name>", "its name")
    .addOption(new Option("--kind <kind>", "what it tells of; its name if absent").choices(PROJECT_KINDS))
    .requiredOption("--threshold <value>", "value from which on it is an alert", readNumber)
    .option("--window <minutes>", "minutes that are looked at; 15 if absent", readNumber)
    .option("--min-calls <count>", "fewer calls tell nothing; 20 if absent", readNumber)
    .option("--off", "it tells of nothing")
    .action(async (name: string, options: OfProject & RuleOptions) =>
      (await import("./run-alerts.ts")).runSetRule(name, options),
    );
  add("remove-rule", "remove a rule of a project")
    .argument("<name>", "its name")
    .action(async (name: string, options: OfProject) => (await import("./run-alerts.ts")).runRemoveRule(name, options));
  addRemoteOption(
    alerts
      .command("test")
      .description(
        "send a test to the destinations of attune.yaml, or of a project; exits with 1 where one does not take it",
      )
      .option("--destination <name>", "only to this one")
      .option("--project <project>", "id or name of the project; with --url the default one if absent"),
  ).action(async (options) => (await import("./run-alerts.ts")).runAlertTest(options));
  addDestinationCommands(add);
}

/** Adds the commands on the destinations of a project. */
function addDestinationCommands(add: (name: string, description: string) => Command): void {
  const list = add("destinations", "list where messages about a project go, beside those of attune.yaml");
  addJsonList(list, ["id", "name", "kind", "target"]).action(async (options: OfProject & JsonOptions) =>
    (await import("./run-alerts.ts")).runDestinationList(options),
  );
  add("add-destination", "add a place that messages about a project go to")
    .argument("<name>", "its name")
    .option("--webhook <url>", "address of a signed webhook, whose secret is shown once")
    .option("--slack <url>", "address of an incoming webhook of Slack's kind")
    .option("--email <address>", "address of mail")
    .action(async (name: string, options: OfProject & TargetOptions) =>
      (await import("./run-alerts.ts")).runAddDestination(name, options),
    );
  add("remove-destination", "remove a place that messages about a project go to")
    .argument("<id>", "its id")
    .action(async (id: string, options: OfProject) =>
      (await import("./run-alerts.ts")).runRemoveDestination(id, options),
    );
}

function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new InvalidArgumentError("must be a number");
}
