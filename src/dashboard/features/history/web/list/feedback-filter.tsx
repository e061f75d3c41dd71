import { Autocomplete, Group, Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconMessageStar } from "@tabler/icons-react";
import { type Filters, parseMetric, parseTag } from "../parse-filters.ts";
import { FilterForm, FilterPopover, tagProblem } from "./filter-popover.tsx";

interface Props {
  readonly filters: Filters;
  /** Names of feedback that there are. */
  readonly metrics: readonly string[];
  readonly onChange: (changes: Partial<Filters>) => void;
}

const COMPARISONS = [
  { value: ">", label: "more than" },
  { value: "<", label: "less than" },
  { value: "=", label: "exactly" },
];

/** Chooses requests by what was chosen of them. */
export function FeedbackFilter({ filters, metrics, onChange }: Props) {
  return (
    <FilterPopover
      name="Feedback"
      icon={<IconMessageStar size={16} aria-hidden />}
      chosen={[filters.metric, filters.tag]}
      onChange={onChange}
    >
      {(apply) => (
        <FeedbackForm key={`${filters.metric} ${filters.tag}`} filters={filters} metrics={metrics} onChange={apply} />
      )}
    </FilterPopover>
  );
}

function FeedbackForm({ filters, metrics, onChange }: Props) {
  const metric = parseMetric(filters.metric ?? "");
  const tag = parseTag(filters.tag ?? "");
  const form = useForm({
    initialValues: {
      name: metric?.name ?? "",
      compare: metric?.compare ?? ">",
      value: String(metric?.value ?? ""),
      key: tag?.key ?? "",
      tagValue: tag?.value ?? "",
    },
    validate: {
      value: (value, { name }) => (name === "" || /^-?\d+(\.\d+)?$/.test(value) ? null : "must be a number"),
      key: (key, { tagValue }) => tagProblem(key, tagValue),
    },
  });
  const apply = ({ name, compare, value, key, tagValue }: typeof form.values) =>
    onChange({
      metric: name === "" ? null : `${name}${compare}${value}`,
      tag: key === "" ? null : `${key}=${tagValue}`,
    });
  return (
    <FilterForm any="Any feedback" onAny={() => onChange({ metric: null, tag: null })} onSubmit={form.onSubmit(apply)}>
      <Autocomplete
        label="Feedback named"
        placeholder="helpful"
        data={[...metrics]}
        openOnFocus={false}
        comboboxProps={{ withinPortal: false }}
        {...form.getInputProps("name")}
      />
      <Group gap="sm" grow align="flex-start">
        <Select
          aria-label="Comparison"
          data={COMPARISONS}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          {...form.getInputProps("compare")}
        />
        <TextInput aria-label="Value" placeholder="0.5" inputMode="decimal" {...form.getInputProps("value")} />
      </Group>
      <Text fz="xs" c="dimmed">
        Yes is 1, no is 0.
      </Text>
      <Group gap="sm" grow align="flex-start">
        <TextInput label="Tag" placeholder="channel" maxLength={200} {...form.getInputProps("key")} />
        <TextInput label="Its value" placeholder="web" maxLength={200} {...form.getInputProps("tagValue")} />
      </Group>
    </FilterForm>
  );
}
