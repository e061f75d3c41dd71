import { Alert, Badge, Button, Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ALERT_KINDS, formatAlertValue, hasWindow } from "../../../../alerts/kinds.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { NONE } from "../../../web/parts/format.ts";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { Part } from "./part.tsx";
import { type EditedRule, NEW_RULE, RuleDialog } from "./rule-dialog.tsx";
import type { Rule } from "./types.ts";

/** The rules that hold in the project; who may changes them. */
export function RulesPart() {
  const project = useProject();
  const rules = useQuery(trpc.alerts.rules.queryOptions({ projectId: project.id }));
  const mayChange = mayAct(project, "alerts.change");
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
      <DataTable table={TABLE} rows={rules.data?.rules} context={{ edit: mayChange ? setEdited : undefined }} />
      <RuleDialog edited={edited} onClose={() => setEdited(undefined)} />
    </Part>
  );
}

interface Context {
  /** Given to people who may change them. */
  readonly edit: ((edited: EditedRule) => void) | undefined;
}

const TABLE: TableDescription<Rule, Context> = {
  caption: "Rules",
  rowKey: ({ name }) => name,
  columns: [
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
      heading: "Threshold",
      isNumeric: true,
      cell: ({ kind, threshold }) => <span style={{ whiteSpace: "nowrap" }}>{formatAlertValue(kind, threshold)}</span>,
    },
    {
      heading: "Window",
      isNumeric: true,
      isMinor: true,
      cell: ({ kind, windowMinutes }) => (hasWindow(kind) ? formatMinutes(windowMinutes) : NONE),
    },
    {
      heading: "Actions",
      isAction: true,
      isShown: ({ edit }) => edit !== undefined,
      cell: (rule, { edit }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => edit?.({ rule, isNew: false })}
          aria-label={`Edit the rule ${rule.name}`}
        >
          Edit
        </Button>
      ),
    },
  ],
};

const HOUR = 60;

function formatMinutes(minutes: number): string {
  return minutes >= HOUR && minutes % HOUR === 0 ? `${minutes / HOUR} h` : `${minutes} min`;
}
