import { Group, Stack, Text, TextInput } from "@mantine/core";
import { readField } from "./times.ts";
import { describeZone } from "./zone.ts";

/** The texts of the two fields. */
interface TimeTexts {
  readonly from: string;
  readonly to: string;
}

/** Reads two fields: what they mean, and what is wrong with them. */
export function readTimes({ from, to }: TimeTexts) {
  const times = { from: readField(from), to: readField(to) };
  const isBackwards = times.from !== undefined && times.to !== undefined && times.from >= times.to;
  return { ...times, error: isBackwards ? "must be later than the beginning" : undefined };
}

interface Props {
  readonly value: TimeTexts;
  readonly onChange: (changes: Partial<TimeTexts>) => void;
}

/** Takes a beginning and an end, by the viewer's clock. */
export function TimeFields({ value, onChange }: Props) {
  const { error } = readTimes(value);
  const field = (name: keyof TimeTexts, label: string) => (
    <TextInput
      type="datetime-local"
      step={1}
      size="xs"
      label={label}
      value={value[name]}
      error={name === "to" ? error : undefined}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      w={205}
    />
  );
  return (
    <Stack gap={4}>
      <Group gap="xs" align="flex-start">
        {field("from", "From")}
        {field("to", "To")}
      </Group>
      <Text fz="xs" c="dimmed">
        Your time zone: {describeZone()}
      </Text>
    </Stack>
  );
}
