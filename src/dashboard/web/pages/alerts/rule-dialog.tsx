import { Button, Modal, NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ALERT_KIND_NAMES, ALERT_KINDS, hasWindow, isAlertKind } from "../../../../alerts/kinds.ts";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { useProject } from "../../shell/session.ts";
import { type Rule, useRefreshAlerts } from "./use-alerts.ts";

/** A rule in the dialog. */
export interface EditedRule {
  readonly rule: Rule;
  readonly isNew: boolean;
}

/** A new rule, before it is edited. */
export const NEW_RULE: Rule = {
  ...{ name: "", kind: "error-rate", threshold: 0.1, windowMinutes: 15, minCalls: 20, isEnabled: true, isOwn: true },
};

const KINDS = ALERT_KIND_NAMES.filter((kind) => ALERT_KINDS[kind].isOfProjects).map((value) => ({
  value,
  label: ALERT_KINDS[value].label,
}));

const UNITS = { share: "%", seconds: "seconds", minutes: "minutes", count: "" } as const;

interface Props {
  /** Undefined where the dialog is closed. */
  readonly edited: EditedRule | undefined;
  readonly onClose: () => void;
}

/** Changes a rule of the project, or takes it back. */
export function RuleDialog({ edited, onClose }: Props) {
  const title = edited?.isNew ? "Add a rule" : `Rule ${edited?.rule.name ?? ""}`;
  return (
    <Modal opened={edited !== undefined} onClose={onClose} title={title}>
      {edited !== undefined && <RuleForm key={edited.rule.name} edited={edited} onClose={onClose} />}
    </Modal>
  );
}

function RuleForm({ edited: { rule: first, isNew }, onClose }: { edited: EditedRule; onClose: () => void }) {
  const { id: projectId } = useProject();
  const refresh = useRefreshAlerts();
  const [{ isOwn, ...rule }, setRule] = useState(first);
  const done = async () => {
    await refresh();
    onClose();
  };
  const meta = { showsError: true };
  const save = useMutation({ mutationFn: () => api.alerts.setRule.mutate({ projectId, rule }), onSuccess: done, meta });
  const remove = useMutation({
    mutationFn: () => api.alerts.removeRule.mutate({ projectId, name: rule.name }),
    onSuccess: done,
    meta,
  });
  return (
    <DialogForm
      action="Save"
      onSubmit={() => save.mutate()}
      onCancel={onClose}
      isPending={save.isPending}
      error={save.error ?? remove.error}
      aside={
        isOwn &&
        !isNew && (
          <Button variant="subtle" color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )
      }
    >
      <RuleFields
        rule={rule}
        isNew={isNew}
        error={save.error}
        onChange={(change) => setRule({ isOwn, ...rule, ...change })}
      />
    </DialogForm>
  );
}

interface FieldsProps {
  readonly rule: Omit<Rule, "isOwn">;
  readonly isNew: boolean;
  /** Why the rule was not taken. */
  readonly error: unknown;
  readonly onChange: (change: Partial<Rule>) => void;
}

function RuleFields({ rule, isNew, error, onChange: set }: FieldsProps) {
  const errors: Readonly<Record<string, unknown>> = fieldErrors(error);
  const problem = (name: string) => {
    const found = errors[`rule.${name}`];
    return typeof found === "string" ? found : undefined;
  };
  const { unit, hasMinCalls } = ALERT_KINDS[rule.kind];
  const factor = unit === "share" ? 100 : 1;
  return (
    <>
      {isNew && <NewRuleFields rule={rule} problem={problem("name")} onChange={set} />}
      <NumberInput
        label={`From (${UNITS[unit] || "number"})`}
        min={0.1}
        value={Number((rule.threshold * factor).toPrecision(6))}
        error={problem("threshold")}
        onChange={(value) => set({ threshold: Number(value) / factor })}
      />
      {hasWindow(rule.kind) && (
        <NumberInput
          label="Window (minutes)"
          min={1}
          allowDecimal={false}
          value={rule.windowMinutes}
          error={problem("windowMinutes")}
          onChange={(value) => set({ windowMinutes: Number(value) })}
        />
      )}
      {hasMinCalls && (
        <NumberInput
          label="Calls at least"
          description="Fewer calls in the window tell nothing"
          min={0}
          allowDecimal={false}
          value={rule.minCalls}
          error={problem("minCalls")}
          onChange={(value) => set({ minCalls: Number(value) })}
        />
      )}
      <Switch
        label="On"
        checked={rule.isEnabled}
        onChange={({ currentTarget }) => set({ isEnabled: currentTarget.checked })}
      />
    </>
  );
}

interface NewFieldsProps extends Pick<FieldsProps, "rule" | "onChange"> {
  /** The problem of the name; undefined without one. */
  readonly problem: string | undefined;
}

/** Name and condition, which stay as they are once the rule is there. */
function NewRuleFields({ rule, problem, onChange: set }: NewFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="Letters, digits, '.', '-' and '_'"
        placeholder="many-errors"
        required
        data-autofocus
        value={rule.name}
        error={problem}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Select
        label="Condition"
        data={KINDS}
        allowDeselect={false}
        value={rule.kind}
        onChange={(kind) => kind !== null && isAlertKind(kind) && set({ kind })}
      />
    </>
  );
}
