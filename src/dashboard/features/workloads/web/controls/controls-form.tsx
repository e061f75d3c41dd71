import { Alert, Button, Group, MultiSelect, Radio, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { followMutations } from "../../../../web/api/trpc.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { MODES } from "../standing.ts";
import { useSetControls } from "../use-set-controls.ts";
import { type ControlDraft, draftProblem, type OwnSettings, readChanges, rebase, toDraft } from "./control-draft.ts";
import type { MetricDraft } from "./metric-draft.ts";
import { MetricRows } from "./metric-rows.tsx";
import { PlainFields, ShadowFields } from "./plain-fields.tsx";

interface Props {
  /** Base of the workload; empty for all of the project. */
  readonly model: string;
  readonly own: OwnSettings;
  /** The inherited values: "the project has observe". */
  readonly inherited: { readonly mode: string; readonly hold: string; readonly metrics: readonly MetricDraft[] };
  /** All models there are. */
  readonly models: readonly string[];
  /** Metrics that feedback has. */
  readonly metrics: readonly string[];
  readonly mayChange: boolean;
  readonly onDone?: () => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** The form of a workload's controls. */
export function ControlsForm({ model, own, inherited, models, metrics, mayChange, onDone, children }: Props) {
  const { draft, clashes, set, discard } = useDraft(own);
  const save = useSetControls(model);
  useEffect(followMutations, []);
  const changes = readChanges(draft, own);
  const problem = draftProblem(draft);
  const isChanged = Object.keys(changes).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined || !isChanged) return;
    save.mutate(changes, {
      onSuccess: () => {
        notifications.show({
          color: "teal",
          message: "Saved. It applies to new requests within a second",
        });
        onDone?.();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Choices
          label="Mode"
          value={draft.mode}
          onChange={(mode) => set({ mode })}
          mayChange={mayChange}
          choices={[{ value: "", label: inherited.mode, text: "" }, ...MODES]}
        />
        <Choices
          label="Model that answers while the mode is on"
          value={draft.hold}
          onChange={(hold) => set({ hold })}
          mayChange={mayChange}
          choices={[
            { value: "", label: inherited.hold, text: "" },
            ...(model === ""
              ? []
              : [{ value: "free" as const, label: "Free", text: "The model that feedback favors." }]),
            { value: "frozen", label: "Frozen", text: "Only base answers. Attune still learns." },
            { value: "pinned", label: "Pinned", text: "One model answers wherever it can." },
          ]}
        />
        <ModelChoices model={model} models={models} draft={draft} set={set} mayChange={mayChange} problem={problem} />
        <PlainFields draft={draft} set={set} mayChange={mayChange} models={models} />
        <ShadowFields draft={draft} set={set} mayChange={mayChange} models={models} />
        <MetricRows
          metrics={draft.metrics}
          names={metrics}
          inherited={inherited.metrics}
          mayChange={mayChange}
          onChange={(metrics) => set({ metrics })}
        />
        {isChanged && clashes.length > 0 && (
          <Alert color="yellow" title="Someone else changed these settings">
            {nameText(clashes.join(", "))}: these are your changes, and saving replaces theirs.
          </Alert>
        )}
        {mayChange && isChanged && problem !== undefined && (
          <Text fz="sm" c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        <ErrorNote error={save.error} />
        {mayChange ? (
          <Group justify="space-between">
            <Group gap="xs">
              <Button type="submit" disabled={!isChanged || problem !== undefined} loading={save.isPending}>
                Save
              </Button>
              {isChanged && (
                <Button variant="subtle" onClick={discard} disabled={save.isPending}>
                  Discard
                </Button>
              )}
            </Group>
            {children}
          </Group>
        ) : (
          <Text fz="sm" c="dimmed">
            Members of the project can change this.
          </Text>
        )}
      </Stack>
    </form>
  );
}

interface ModelChoicesProps extends Pick<Props, "model" | "models" | "mayChange"> {
  readonly draft: ControlDraft;
  readonly set: (part: Partial<ControlDraft>) => void;
  readonly problem: string | undefined;
}

/** The model that is pinned, and those that are excluded. */
function ModelChoices({ model, models, draft, set, mayChange, problem }: ModelChoicesProps) {
  return (
    <>
      {draft.hold === "pinned" && (
        <Select
          label="Pinned to"
          data={models.map((name) => ({ value: name, label: nameText(name) }))}
          value={draft.pinned}
          onChange={(pinned) => set({ pinned })}
          disabled={!mayChange}
          searchable
          error={mayChange && draft.pinned === null ? problem : undefined}
          nothingFoundMessage="No model of this name"
        />
      )}
      <MultiSelect
        label="Excluded models"
        placeholder={draft.excluded.length === 0 ? "No model is excluded" : ""}
        data={[...new Set([...models, ...draft.excluded])]
          .filter((name) => name !== model)
          .map((name) => ({ value: name, label: nameText(name) }))}
        value={[...draft.excluded]}
        onChange={(excluded) => set({ excluded })}
        disabled={!mayChange}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Exclude none" }}
        nothingFoundMessage="No model of this name"
      />
    </>
  );
}

/** A form that stays as it is while what it began with changes: what was not changed in it is as it is by now. */
function useDraft(own: OwnSettings) {
  const now = toDraft(own);
  const [form, setForm] = useState(() => ({ draft: now, before: now, clashes: [] as readonly string[] }));
  let current = form;
  if (JSON.stringify(form.before) !== JSON.stringify(now)) {
    const { draft, clashes } = rebase(form.draft, form.before, now);
    const isSaved = Object.keys(readChanges(draft, own)).length === 0;
    current = { draft, before: now, clashes: isSaved ? [] : [...new Set([...form.clashes, ...clashes])] };
    setForm(current);
  }
  return {
    draft: current.draft,
    clashes: current.clashes,
    set: (part: Partial<ControlDraft>) => setForm((old) => ({ ...old, draft: { ...old.draft, ...part } })),
    discard: () => setForm((old) => ({ ...old, draft: old.before, clashes: [] })),
  };
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly text: string }[];
  readonly mayChange: boolean;
  readonly onChange: (value: Value) => void;
}

function Choices<Value extends string>({ label, value, choices, mayChange, onChange }: ChoicesProps<Value>) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => {
        const found = choices.find((choice) => choice.value === chosen);
        if (found !== undefined) onChange(found.value);
      }}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((choice) => (
          <Radio
            key={choice.value}
            value={choice.value}
            label={choice.label}
            description={choice.text}
            disabled={!mayChange}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
