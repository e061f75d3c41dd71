import { foldCase } from "../../../lib/fold-case.ts";
import "./data-table.css";
import { Box, ScrollArea, Skeleton, Stack, Table, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Pager } from "./pager.tsx";
import { nextSort, type Sort, type SortValue, sortRows } from "./sort-rows.ts";
import { useIsPhone } from "./use-is-phone.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  readonly isNumeric?: boolean;
  /** The buttons of a row, at its right. */
  readonly isAction?: boolean;
  /** Texts have the whole width of a phone. */
  readonly isWide?: boolean;
  /** Left out on a phone, where the rest tells enough. */
  readonly isMinor?: boolean;
  /** Returns the value that a click on the heading sorts by; without it the column cannot be sorted. */
  readonly sortBy?: (row: Row) => SortValue;
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
  /** Returns the text that many rows are searched by; without it they cannot be searched. */
  readonly textOf?: (row: Row) => string;
  /** Rows of one page: fewer where each has many nodes, or where a page has several tables. */
  readonly pageSize?: number;
}

/** Rows of one page: more would be too many nodes for a browser. */
const PAGE_SIZE = 50;

/** Rows of one page where each is a card. */
const PHONE_PAGE_SIZE = 10;

const WAITING_ROWS = ["a", "b", "c"];

/**
 * Rows and columns, in a card that scrolls sideways where it has to, and on a phone a card for each row; many rows are
 * searched and read by the page.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, empty, textOf } = props;
  const pageSize = Math.min(props.pageSize ?? PAGE_SIZE, useIsPhone() ? PHONE_PAGE_SIZE : PAGE_SIZE);
  const [sort, setSort] = useState<Sort>();
  const [text, setText] = useState("");
  const [offset, setOffset] = useState(0);
  if (rows?.length === 0 && empty !== undefined) return <Box className="attune-card">{empty}</Box>;
  const wanted = foldCase(text.trim());
  const found = wanted === "" ? rows : rows?.filter((row) => foldCase(textOf?.(row) ?? "").includes(wanted));
  const sortBy = columns.find(({ heading }) => heading === sort?.heading)?.sortBy;
  const ordered = found && sortBy && sort ? sortRows(found, sortBy, sort.isDescending) : found;
  const total = ordered?.length ?? 0;
  // A screen that was turned has pages of another size.
  const first = offset < total ? offset - (offset % pageSize) : 0;
  return (
    <Stack gap="xs">
      {textOf !== undefined && (rows?.length ?? 0) > pageSize && (
        <TextInput
          aria-label={`Search ${caption}`}
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          maw={260}
        />
      )}
      <Rows
        {...props}
        rows={ordered?.slice(first, first + pageSize)}
        sort={sort}
        onSort={(heading) => setSort(nextSort(sort, heading))}
      />
      <Pager total={total} pageSize={pageSize} offset={first} onChange={setOffset} />
    </Stack>
  );
}

interface RowsProps<Row> extends Props<Row> {
  readonly sort: Sort | undefined;
  readonly onSort: (heading: string) => void;
}

function Rows<Row>({ caption, columns, rows, keyOf, onOpen, sort, onSort }: RowsProps<Row>) {
  const look = ({ isNumeric, isAction, isMinor }: Column<Row>) => ({
    "data-numeric": isNumeric || isAction || undefined,
    ...(isMinor ? { visibleFrom: "sm" as const } : {}),
  });
  // Elements that are no table on the screen of a phone lose their roles in some browsers.
  const cell = (column: Column<Row>) => ({
    role: "cell",
    "data-action": column.isAction || undefined,
    "data-wide": column.isWide || undefined,
    ...(column !== columns[0] && !column.isAction && { "data-label": column.heading }),
    ...look(column),
  });
  return (
    <Box className="attune-card" style={{ overflow: "hidden" }}>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, "aria-label": caption, role: "region" }}>
        <Table
          className="attune-table"
          verticalSpacing="sm"
          horizontalSpacing="md"
          // The ground of a row leads the eye from its name to its buttons, however wide the screen.
          highlightOnHover={onOpen !== undefined || columns.some(({ isAction }) => isAction)}
          role="table"
          aria-label={caption}
        >
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map((column) => (
                <Table.Th
                  key={column.heading}
                  fz="xs"
                  c="dimmed"
                  scope="col"
                  role="columnheader"
                  data-sortable={column.sortBy !== undefined || undefined}
                  {...(sort?.heading === column.heading && {
                    "aria-sort": sort.isDescending ? ("descending" as const) : ("ascending" as const),
                  })}
                  {...look(column)}
                >
                  {column.sortBy === undefined ? (
                    column.heading
                  ) : (
                    <SortButton {...column} sort={sort} onSort={onSort} />
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows?.map((row) => (
              <Table.Tr
                key={keyOf(row)}
                role="row"
                {...(onOpen && { onClick: () => onOpen(row), style: { cursor: "pointer" } })}
              >
                {columns.map((column) => (
                  <Table.Td key={column.heading} {...cell(column)}>
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            )) ??
              WAITING_ROWS.map((row) => (
                <Table.Tr key={row} role="row">
                  {columns.map((column) => (
                    <Table.Td key={column.heading} {...cell(column)}>
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

interface SortButtonProps {
  readonly heading: string;
  readonly sort: Sort | undefined;
  readonly onSort: (heading: string) => void;
}

function SortButton({ heading, sort, onSort }: SortButtonProps) {
  const sign = sort?.heading !== heading ? "" : sort.isDescending ? " ▼" : " ▲";
  return (
    <UnstyledButton fz="inherit" fw="inherit" c="inherit" onClick={() => onSort(heading)} title={`Sort by ${heading}`}>
      {heading}
      <span aria-hidden>{sign}</span>
    </UnstyledButton>
  );
}
