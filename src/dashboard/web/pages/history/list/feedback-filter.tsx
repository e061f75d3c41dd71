import { Autocomplete, Button, Group, Popover, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconMessageStar } from "@tabler/icons-react";
import { nameText } from "../../../parts/name-text.ts";
import { type Filters, parseMetric, parseTag } from "../parse-filters.ts";

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
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const chosen = [filters.metric, filters.tag].filter((text) => text !== null);
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button
          variant={chosen.length > 0 ? "light" : "default"}
          onClick={toggle}
          leftSection={<IconMessageStar size={16} aria-hidden />}
          maw="100%"
        >
          {chosen.length === 0 ? "Feedback" : nameText(chosen.join(", "))}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={320} maw="94vw" aria-label="Feedback">
        <FeedbackForm
          key={`${filters.metric} ${filters.tag}`}
          filters={filters}
          metrics={metrics}
          onChange={(changes) => {
            onChange(changes);
            close();
          }}
        />
      </Popover.Dropdown>
    </Popover>
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
      key: (key, { tagValue }) => {
        if (key.includes("=")) return "must not have the sign =";
        return key === "" && tagValue !== "" ? "must not be empty" : null;
      },
    },
  });
  const apply = ({ name, compare, value, key, tagValue }: typeof form.values) =>
    onChange({
      metric: name === "" ? null : `${name}${compare}${value}`,
      tag: key === "" ? null : `${key}=${tagValue}`,
    });
  return (
    <form onSubmit={form.onSubmit(apply)}>
      <Stack gap="sm">
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
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={() => onChange({ metric: null, tag: null })}>
            Any feedback
          </Button>
          <Button type="submit">Apply</Button>
        </Group>
      </Stack>
    </form>
  );
}
