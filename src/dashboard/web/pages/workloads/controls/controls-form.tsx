import { Button, Group, MultiSelect, Radio, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type FormEvent, type ReactNode, useState } from "react";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { nameText } from "../../../parts/name-text.ts";
import { MODES } from "../standing.ts";
import { useSetControls } from "../use-workloads.ts";
import { type ControlDraft, changesOf, draftProblem, type OwnSettings, toDraft } from "./control-draft.ts";

interface Props {
  /** Base of the workload; empty for all of the project. */
  readonly model: string;
  readonly own: OwnSettings;
  /** What holds where nothing is chosen: "the project has observe". */
  readonly inherited: { readonly mode: string; readonly hold: string };
  /** All models there are. */
  readonly models: readonly string[];
  readonly mayChange: boolean;
  readonly onDone?: () => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** What may be changed by what is learned, and who answers. */
export function ControlsForm({ model, own, inherited, models, mayChange, onDone, children }: Props) {
  const [draft, setDraft] = useState<ControlDraft>(() => toDraft(own));
  const save = useSetControls(model);
  const changes = changesOf(draft, own);
  const problem = draftProblem(draft);
  const isChanged = Object.keys(changes).length > 0;
  const set = (part: Partial<ControlDraft>) => setDraft((old) => ({ ...old, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined || !isChanged) return;
    save.mutate(changes, {
      onSuccess: () => {
        notifications.show({
          color: "teal",
          message: "Saved: it holds from the next request on, everywhere within a second",
        });
        onDone?.();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Choices
          label="What feedback may change"
          value={draft.mode}
          onChange={(mode) => set({ mode })}
          mayChange={mayChange}
          choices={[{ value: "", label: inherited.mode, text: "" }, ...MODES]}
        />
        <Choices
          label="Who answers while it is on"
          value={draft.hold}
          onChange={(hold) => set({ hold })}
          mayChange={mayChange}
          choices={[
            { value: "", label: inherited.hold, text: "" },
            ...(model === "" ? [] : [{ value: "free" as const, label: "Free", text: "Whom feedback favours." }]),
            { value: "frozen", label: "Frozen", text: "Only base; it is learned on." },
            { value: "pinned", label: "Pinned", text: "One model, wherever it can answer." },
          ]}
        />
        {draft.hold === "pinned" && (
          <Select
            label="Pinned to"
            data={models.map((name) => ({ value: name, label: nameText(name) }))}
            value={draft.pinned}
            onChange={(pinned) => set({ pinned })}
            disabled={!mayChange}
            searchable
            error={mayChange ? problem : undefined}
            nothingFoundMessage="There is no such model"
          />
        )}
        <MultiSelect
          label="Never in base's place"
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
          nothingFoundMessage="There is no such model"
        />
        <ErrorNote error={save.error} />
        {mayChange ? (
          <Group justify="space-between">
            <Button type="submit" disabled={!isChanged || problem !== undefined} loading={save.isPending}>
              Save
            </Button>
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
