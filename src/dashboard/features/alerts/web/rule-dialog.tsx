import { Button, Modal, NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ALERT_KIND_NAMES, ALERT_KINDS, hasWindow } from "../../../../alerts/kinds.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { Rule } from "./types.ts";

/** A rule in the dialog. */
export interface EditedRule {
  readonly rule: Rule;
  readonly isNew: boolean;
}

/** A new rule, before it is edited. */
export const NEW_RULE: Rule = {
  name: "",
  kind: "error-rate",
  threshold: 0.1,
  windowMinutes: 15,
  minCalls: 20,
  isEnabled: true,
  isOwn: true,
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
  const { isOwn, ...rule } = first;
  const { form, state } = useOperationForm({
    initialValues: { rule },
    operation: trpc.alerts.setRule.mutationOptions({ onSuccess: onClose }),
    toInput: (values) => ({ projectId, ...values }),
  });
  const remove = useMutation(
    trpc.alerts.removeRule.mutationOptions({ onSuccess: onClose, meta: { showsError: true } }),
  );
  const { kind } = form.values.rule;
  const { unit, hasMinCalls } = ALERT_KINDS[kind];
  const factor = unit === "share" ? 100 : 1;
  return (
    <DialogForm
      action="Save"
      onCancel={onClose}
      {...state}
      error={state.error ?? remove.error}
      aside={
        isOwn &&
        !isNew && (
          <Button
            variant="subtle"
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate({ projectId, name: rule.name })}
          >
            Remove
          </Button>
        )
      }
    >
      {isNew && (
        // Name and condition stay as they are once the rule is there.
        <>
          <TextInput
            label="Name"
            description="Letters, digits, '.', '-' and '_'"
            placeholder="many-errors"
            required
            data-autofocus
            {...form.getInputProps("rule.name")}
          />
          <Select label="Condition" data={KINDS} allowDeselect={false} {...form.getInputProps("rule.kind")} />
        </>
      )}
      <NumberInput
        label={`Threshold (${UNITS[unit] || "number"})`}
        min={0.1}
        {...form.getInputProps("rule.threshold")}
        value={Number((form.values.rule.threshold * factor).toPrecision(6))}
        onChange={(value) => form.setFieldValue("rule.threshold", Number(value) / factor)}
      />
      {hasWindow(kind) && (
        <NumberInput
          label="Window (minutes)"
          min={1}
          allowDecimal={false}
          {...form.getInputProps("rule.windowMinutes")}
          onChange={(value) => form.setFieldValue("rule.windowMinutes", Number(value))}
        />
      )}
      {hasMinCalls && (
        <NumberInput
          label="Minimum calls"
          description="No alert with fewer calls in the window"
          min={0}
          allowDecimal={false}
          {...form.getInputProps("rule.minCalls")}
          onChange={(value) => form.setFieldValue("rule.minCalls", Number(value))}
        />
      )}
      <Switch label="On" {...form.getInputProps("rule.isEnabled", { type: "checkbox" })} />
    </DialogForm>
  );
}
