import type { AlertKind } from "./kinds.ts";

/** A rule: from which value on a condition is an alert. */
export interface AlertRule {
  /** Names it in its place: the configuration, or a project. */
  readonly name: string;
  readonly kind: AlertKind;
  /** Calls are judged for each project, or for all of them together. */
  readonly scope: "project" | "installation";
  /** In the unit of the kind; a value that reaches it is an alert. */
  readonly threshold: number;
  /** The time that is looked at, for kinds that have a window. */
  readonly windowMinutes: number;
  /** Fewer calls in the window tell nothing. */
  readonly minCalls: number;
  readonly isEnabled: boolean;
}

/** A rule, with the project whose own it is. */
export interface OwnedRule extends AlertRule {
  readonly projectId: string;
}

const DAY = 24 * 60;

function defaultRule(kind: AlertKind, threshold: number, more: Partial<AlertRule> = {}): AlertRule {
  return { name: kind, kind, scope: "project", threshold, windowMinutes: 15, minCalls: 20, isEnabled: true, ...more };
}

/** The rules that hold where nobody has said otherwise. */
export const DEFAULT_RULES: readonly AlertRule[] = [
  defaultRule("error-rate", 0.2),
  defaultRule("latency", 120),
  defaultRule("budget", 0.8),
  defaultRule("refused-keys", 100),
  defaultRule("canceled-cost", 0.3),
  defaultRule("drift", 1, { windowMinutes: DAY }),
  defaultRule("regret-budget", 1, { windowMinutes: DAY }),
  defaultRule("crowded-metrics", 1, { windowMinutes: DAY }),
  defaultRule("deployment", 2, { scope: "installation" }),
  defaultRule("spool", 0.5, { scope: "installation" }),
  defaultRule("database", 1, { scope: "installation" }),
];

/** Tells which rules hold in each project. */
export class RuleBook {
  readonly #general: readonly AlertRule[];
  readonly #own = new Map<string, Map<string, AlertRule>>();

  /** A rule of a project's own replaces the general one of its name in this project. */
  constructor(general: readonly AlertRule[], own: readonly OwnedRule[]) {
    this.#general = general;
    for (const rule of own) {
      const rules = this.#own.get(rule.projectId) ?? new Map<string, AlertRule>();
      this.#own.set(rule.projectId, rules.set(rule.name, rule));
    }
  }

  /** Returns the rules of a kind that hold in a project; of the installation for an empty id. */
  find(kind: AlertKind, projectId: string, scope: AlertRule["scope"]): readonly AlertRule[] {
    const own = this.#own.get(projectId);
    const rules =
      own === undefined ? this.#general : [...this.#general.filter(({ name }) => !own.has(name)), ...own.values()];
    return rules.filter((rule) => rule.kind === kind && rule.scope === scope && rule.isEnabled);
  }

  /** Returns the windows of a kind, in minutes; only those of the rules of a name, if one is given. */
  windows(kind: AlertKind, name?: string): readonly number[] {
    const own = [...this.#own.values()].flatMap((rules) => [...rules.values()]);
    const rules = [...this.#general, ...own].filter((rule) => rule.kind === kind && rule.isEnabled);
    const named = name === undefined ? rules : rules.filter((rule) => rule.name === name);
    return [...new Set(named.map(({ windowMinutes }) => windowMinutes))];
  }
}
