import { Box, NativeSelect, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { nameText } from "../../../parts/name-text.ts";
import type { ControlDraft } from "./control-draft.ts";

interface Props {
  readonly draft: ControlDraft;
  readonly set: (part: Partial<ControlDraft>) => void;
  readonly mayChange: boolean;
}

const INHERITED = { value: "", label: "inherited" } as const;

const OBJECTIVES = [
  INHERITED,
  { value: "quality", label: "Quality: what feedback says" },
  { value: "balanced", label: "Balanced: feedback, and the cost a little" },
  { value: "cost", label: "Cost: cheaper, within a margin" },
  { value: "latency", label: "Latency: faster, within a margin" },
] as const;

const FEEDBACK = [
  INHERITED,
  { value: "voluntary", label: "Some callers give feedback" },
  { value: "complete", label: "Every call gets feedback" },
] as const;

const UNITS = [
  INHERITED,
  { value: "session", label: "A session: one model answers it" },
  { value: "request", label: "Each call by itself" },
] as const;

const SELECTS = [
  { field: "objective", label: "Objective", data: OBJECTIVES },
  { field: "feedback", label: "Feedback", data: FEEDBACK },
  { field: "unit", label: "Unit of a decision", data: UNITS },
] as const;

/** The objective, the reward per price, the extent of feedback and the unit of decisions. */
export function ObjectiveFields({ draft, set, mayChange }: Props) {
  return (
    <Stack gap="xs">
      {SELECTS.map(({ field, label, data }) => (
        <NativeSelect
          key={field}
          label={label}
          data={data}
          value={draft[field]}
          onChange={({ currentTarget }) => {
            const found = data.find(({ value }) => value === currentTarget.value);
            if (found !== undefined) set({ [field]: found.value });
          }}
          disabled={!mayChange}
        />
      ))}
      <TextInput
        label="Reward per price"
        description="What a model has to earn, of 1, for each price of base that it costs more (quality, balanced)"
        placeholder="inherited"
        inputMode="decimal"
        value={draft.rewardPerPrice}
        onChange={({ currentTarget }) => set({ rewardPerPrice: currentTarget.value })}
        disabled={!mayChange}
      />
    </Stack>
  );
}

const AMOUNTS = [
  { field: "shadowShare", label: "Share of answers" },
  { field: "shadowUsdPerDay", label: "USD a day" },
] as const;

/** The shadow trials: their share, their judge, and what they may cost. */
export function ShadowFields({ draft, set, mayChange, models }: Props & { readonly models: readonly string[] }) {
  return (
    <Box role="group" aria-label="Shadow trials">
      <Text fz="sm" fw={600}>
        Shadow trials
      </Text>
      <Text fz="xs" c="dimmed" mb="xs">
        Other models are asked in the background, and a judge grades their answers. Texts go to the providers of both.
        Empty fields are inherited; a share of 0 tries nothing.
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {AMOUNTS.map(({ field, label }) => (
          <TextInput
            key={field}
            label={label}
            placeholder="inherited"
            inputMode="decimal"
            value={draft[field]}
            onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
            disabled={!mayChange}
          />
        ))}
      </SimpleGrid>
      <Select
        label="Judge"
        placeholder="inherited"
        data={models.map((name) => ({ value: name, label: nameText(name) }))}
        value={draft.shadowJudge === "" ? null : draft.shadowJudge}
        onChange={(judge) => set({ shadowJudge: judge ?? "" })}
        disabled={!mayChange}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Inherit the judge" }}
        nothingFoundMessage="No model of this name"
      />
      <Textarea
        label="Rubric"
        placeholder="inherited"
        description="What a satisfactory answer is, in words"
        maxLength={4000}
        autosize
        minRows={2}
        value={draft.shadowRubric}
        onChange={({ currentTarget }) => set({ shadowRubric: currentTarget.value })}
        disabled={!mayChange}
      />
    </Box>
  );
}
