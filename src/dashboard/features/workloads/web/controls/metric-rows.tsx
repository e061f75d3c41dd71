import {
  ActionIcon,
  Autocomplete,
  Box,
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { nameText } from "../../../../web/parts/name-text.ts";
import { emptyMetric, type MetricDraft, metricDraftProblem } from "./metric-draft.ts";

interface Props {
  readonly metrics: readonly MetricDraft[];
  /** Names that feedback has, to choose from. */
  readonly names: readonly string[];
  /** The project's settings, which a workload inherits. */
  readonly inherited: readonly MetricDraft[];
  readonly mayChange: boolean;
  readonly onChange: (metrics: readonly MetricDraft[]) => void;
}

/** The settings of metrics: weight, direction, and bounds on a model's mean. */
export function MetricRows({ metrics, names, inherited, mayChange, onChange }: Props) {
  const replace = (changed: MetricDraft) =>
    onChange(metrics.map((metric) => (metric.name === changed.name ? changed : metric)));
  const add = (name: string) => {
    // What is said of a workload takes the place of all that the project says: it is begun with that.
    const rows = metrics.length === 0 ? inherited : metrics;
    onChange(rows.some((row) => row.name === name) ? rows : [...rows, emptyMetric(name)]);
  };
  return (
    <Box role="group" aria-label="How metrics count">
      <Text fz="sm" fw={600}>
        How metrics count
      </Text>
      <Text fz="xs" c="dimmed" mb="xs">
        Metrics that are not listed count in full. A metric of weight 0 is only guarded. A model whose mean breaks a
        bound does not answer instead of the base model. Changes apply to later feedback.
        {metrics.length === 0 &&
          inherited.length > 0 &&
          ` The project has settings for ${inherited.map(({ name }) => nameText(name)).join(", ")}. They ` +
            "apply as long as this workload has none."}
      </Text>
      <Stack gap="sm">
        {metrics.map((metric) => (
          <MetricRow
            key={metric.name}
            metric={metric}
            mayChange={mayChange}
            onChange={replace}
            onRemove={() => onChange(metrics.filter(({ name }) => name !== metric.name))}
          />
        ))}
        {mayChange && (
          <NewMetric names={names.filter((name) => !metrics.some((row) => row.name === name))} onAdd={add} />
        )}
      </Stack>
    </Box>
  );
}

interface RowProps {
  readonly metric: MetricDraft;
  readonly mayChange: boolean;
  readonly onChange: (metric: MetricDraft) => void;
  readonly onRemove: () => void;
}

const FIGURES = [
  { member: "weight", label: "Weight", placeholder: "1" },
  { member: "atLeast", label: "Mean at least", placeholder: "no bound" },
  { member: "atMost", label: "Mean at most", placeholder: "no bound" },
] as const;

const DIRECTIONS = [
  { value: "", label: "as callers say" },
  { value: "max", label: "greater" },
  { value: "min", label: "smaller" },
] as const;

function MetricRow({ metric, mayChange, onChange, onRemove }: RowProps) {
  const problem = metricDraftProblem(metric);
  const name = nameText(metric.name);
  return (
    <Box role="group" aria-label={name}>
      <Group justify="space-between" wrap="nowrap">
        <Text fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {name}
        </Text>
        {mayChange && (
          <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove ${name}`}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 2, xl: 4 }} spacing="xs">
        {FIGURES.map(({ member, label, placeholder }) => (
          <TextInput
            key={member}
            label={label}
            placeholder={placeholder}
            inputMode="decimal"
            value={metric[member]}
            onChange={({ currentTarget }) => onChange({ ...metric, [member]: currentTarget.value })}
            disabled={!mayChange}
          />
        ))}
        <NativeSelect
          label="Better is"
          data={DIRECTIONS}
          value={metric.direction}
          onChange={({ currentTarget }) => {
            const found = DIRECTIONS.find(({ value }) => value === currentTarget.value);
            if (found !== undefined) onChange({ ...metric, direction: found.value });
          }}
          disabled={!mayChange}
        />
      </SimpleGrid>
      {mayChange && problem !== undefined && (
        <Text fz="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {name}: {problem}
        </Text>
      )}
    </Box>
  );
}

interface NewProps {
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

function NewMetric({ names, onAdd }: NewProps) {
  const [name, setName] = useState("");
  const add = () => {
    if (name === "") return;
    onAdd(name);
    setName("");
  };
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <Autocomplete
        label="Another metric"
        placeholder="Name"
        data={[...names]}
        value={name}
        onChange={setName}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // It adds the metric; the form is sent by its own button.
          event.preventDefault();
          add();
        }}
        flex={1}
      />
      <Button variant="default" onClick={add} disabled={name === ""}>
        Add
      </Button>
    </Group>
  );
}
