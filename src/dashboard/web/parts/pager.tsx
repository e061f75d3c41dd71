import { Group, Pagination, Text } from "@mantine/core";
import { formatNumber } from "./format.ts";

interface Props {
  readonly total: number;
  readonly pageSize: number;
  /** Rows before the page. */
  readonly offset: number;
  readonly onChange: (offset: number) => void;
}

/** Leads through the pages of a long list; nothing where there is one page. */
export function Pager({ total, pageSize, offset, onChange }: Props) {
  if (total <= pageSize) return null;
  const end = Math.min(total, offset + pageSize);
  return (
    <Group justify="space-between" gap="sm">
      <Text fz="sm" c="dimmed" role="status">
        {formatNumber(offset + 1)} to {formatNumber(end)} of {formatNumber(total)}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / pageSize)}
        value={Math.floor(offset / pageSize) + 1}
        onChange={(page) => onChange((page - 1) * pageSize)}
        getControlProps={(control) => ({ "aria-label": `${control} page` })}
        getItemProps={(page) => ({ "aria-label": `Page ${page}` })}
      />
    </Group>
  );
}
