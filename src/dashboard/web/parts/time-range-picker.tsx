import { Select } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { TIME_RANGES, useTimeRange } from "./time-range.ts";

/** Chooses the span that the page's figures are of. */
export function TimeRangePicker() {
  const [range, setRange] = useTimeRange();
  return (
    <Select
      aria-label="Time range"
      data={TIME_RANGES.map(({ value, label }) => ({ value, label }))}
      value={range.value}
      onChange={(value) => value !== null && setRange(value)}
      allowDeselect={false}
      leftSection={<IconCalendar size={16} aria-hidden />}
      w={180}
    />
  );
}
