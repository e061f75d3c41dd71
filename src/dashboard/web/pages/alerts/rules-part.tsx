import { Alert, Badge, Button, Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ALERT_KINDS, formatAlertValue, hasWindow } from "../../../../alerts/kinds.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { NONE } from "../../parts/format.ts";
import { mayAct, useProject } from "../../shell/session.ts";
import { Part } from "./part.tsx";
import { type EditedRule, NEW_RULE, RuleDialog } from "./rule-dialog.tsx";
import { type Rule, useRules } from "./use-alerts.ts";

/** The rules that hold in the project; who may changes them. */
export function RulesPart() {
  const rules = useRules();
  const mayChange = mayAct(useProject(), "alerts.change");
  const [edited, setEdited] = useState<EditedRule>();
  return (
    <Part
      title="Rules"
      action={
        mayChange && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setEdited({ rule: NEW_RULE, isNew: true })}
          >
            Add a rule
          </Button>
        )
      }
    >
      <ErrorNote error={rules.error} onRetry={() => void rules.refetch()} />
      {rules.data?.isEnabled === false && (
        <Alert color="yellow" variant="default">
          The operator has turned alerts off: no rule is evaluated.
        </Alert>
      )}
      <DataTable
        caption="Rules"
        columns={columns(mayChange ? setEdited : undefined)}
        rows={rules.data?.rules}
        keyOf={({ name }) => name}
      />
      <RuleDialog edited={edited} onClose={() => setEdited(undefined)} />
    </Part>
  );
}

function columns(edit: ((edited: EditedRule) => void) | undefined): Column<Rule>[] {
  const all: Column<Rule>[] = [
    {
      heading: "Rule",
      cell: ({ name, kind, isOwn, isEnabled }) => (
        <>
          <Group gap="xs">
            <Text fw={500} fz="sm">
              {ALERT_KINDS[kind].label}
            </Text>
            {isOwn && <Badge variant="default">Own</Badge>}
            {!isEnabled && <Badge color="gray.7">Off</Badge>}
          </Group>
          {/* Built-in rules are named after their condition. */}
          {name !== kind && (
            <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
          )}
        </>
      ),
    },
    {
      heading: "From",
      isNumeric: true,
      cell: ({ kind, threshold }) => <span style={{ whiteSpace: "nowrap" }}>{formatAlertValue(kind, threshold)}</span>,
    },
    {
      heading: "Window",
      isNumeric: true,
      isMinor: true,
      cell: ({ kind, windowMinutes }) => (hasWindow(kind) ? formatMinutes(windowMinutes) : NONE),
    },
  ];
  if (edit === undefined) return all;
  const actions: Column<Rule> = {
    heading: "Actions",
    isAction: true,
    cell: (rule) => (
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => edit({ rule, isNew: false })}
        aria-label={`Change the rule ${rule.name}`}
      >
        Change
      </Button>
    ),
  };
  return [...all, actions];
}

const HOUR = 60;

function formatMinutes(minutes: number): string {
  return minutes >= HOUR && minutes % HOUR === 0 ? `${minutes / HOUR} h` : `${minutes} min`;
}
