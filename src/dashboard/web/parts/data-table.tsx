import { Box, ScrollArea, Skeleton, Table } from "@mantine/core";
import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  readonly isNumeric?: boolean;
  /** Left out on a phone, where the rest tells enough. */
  readonly isMinor?: boolean;
}

interface Props<Row> {
  /** The caption of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** The content shown when there are no rows. */
  readonly empty?: ReactNode;
  readonly onOpen?: (row: Row) => void;
}

const WAITING_ROWS = ["a", "b", "c"];

/** Rows and columns, in a card that scrolls sideways where it has to. */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty, onOpen }: Props<Row>) {
  if (rows?.length === 0 && empty !== undefined) return <Box className="attune-card">{empty}</Box>;
  const look = ({ isNumeric, isMinor }: Column<Row>) => ({
    ta: isNumeric ? ("right" as const) : ("left" as const),
    ...(isMinor ? { visibleFrom: "sm" as const } : {}),
  });
  return (
    <Box className="attune-card" style={{ overflow: "hidden" }}>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, "aria-label": caption, role: "region" }}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover={onOpen !== undefined} aria-label={caption}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.heading} fz="xs" c="dimmed" scope="col" {...look(column)}>
                  {column.heading}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows?.map((row) => (
              <Table.Tr key={keyOf(row)} {...(onOpen && { onClick: () => onOpen(row), style: { cursor: "pointer" } })}>
                {columns.map((column) => (
                  <Table.Td key={column.heading} {...look(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            )) ??
              WAITING_ROWS.map((row) => (
                <Table.Tr key={row}>
                  {columns.map((column) => (
                    <Table.Td key={column.heading} {...look(column)}>
                      <Skeleton h={14} my={4} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Box>
  );
}
