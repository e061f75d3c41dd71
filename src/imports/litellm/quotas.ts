import { writeUsd } from "../../vocabulary/money.ts";
import type { ImportNote } from "../import-error.ts";
import type { SettingsView } from "../settings-view.ts";

type Quota = Readonly<Record<string, number>>;

const PERIODS: Readonly<Record<string, string>> = {
  "1d": "usdPerDay",
  "24h": "usdPerDay",
  "30d": "usdPerMonth",
  "1mo": "usdPerMonth",
};

/** Reads the budgets and limits of the file: those of the whole proxy, of each key and of each end user. */
export function readQuotas(file: SettingsView, notes: ImportNote[]): Readonly<Record<string, Quota>> {
  const settings = file.map("litellm_settings");
  const general = file.map("general_settings");
  const eachKey = settings.map("default_key_generate_params");
  const concurrentCalls = general.number("global_max_parallel_requests");
  const usdTotal = settings.number("max_end_user_budget");
  const quotas: Record<string, Quota> = {
    installation: { ...readBudget(settings, notes), ...(concurrentCalls !== undefined && { concurrentCalls }) },
    eachKey: { ...readBudget(eachKey, notes), ...readRates(eachKey) },
    eachEndUser: usdTotal === undefined ? {} : { usdTotal },
  };
  return Object.fromEntries(Object.entries(quotas).filter(([, quota]) => Object.keys(quota).length > 0));
}

function readRates(view: SettingsView): Quota {
  const requestsPerMinute = view.number("rpm_limit");
  const concurrentCalls = view.number("max_parallel_requests");
  return {
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(concurrentCalls !== undefined && { concurrentCalls }),
  };
}

/** Reads a budget by its period; days and months of the calendar take the place of rolling ones. */
function readBudget(view: SettingsView, notes: ImportNote[]): Quota {
  const budget = view.number("max_budget");
  const duration = view.text("budget_duration");
  if (budget === undefined) return {};
  if (duration === undefined) return { usdTotal: budget };
  const limit = PERIODS[duration];
  const text =
    limit === undefined
      ? `budgets are for a day, a month or in all: the budget of ${writeUsd(budget)} USD for ${duration} is left out`
      : "it restarts with each day or month of the UTC calendar";
  notes.push({ path: view.pathOf("budget_duration"), text });
  return limit === undefined ? {} : { [limit]: budget };
}
