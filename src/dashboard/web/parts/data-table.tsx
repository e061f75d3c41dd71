import "./data-table.css";
import { Box, ScrollArea, Skeleton, Stack, Table, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { foldCase } from "../../../lib/fold-case.ts";
import { alignDecimals } from "./align-decimals.ts";
import { Pager } from "./pager.tsx";
import { nextSort, type Sort, type SortValue, sortRows } from "./sort-rows.ts";
import { useIsPhone } from "./use-is-phone.ts";

/**
 * A column of a table: everything that is known of it. The context is what the page hands to all cells: what its
 * buttons do, who may press them, names that were read.
 */
export interface Column<Row, Context = undefined> {
  readonly heading: string | ((context: Context) => string);
  /** Its figure, where it has one, is the text that `figure` returns, with as many decimals as the others have. */
  readonly cell: (row: Row, context: Context, figure: string) => ReactNode;
  /** Returns the figure of a cell that shows more than that; figures alone are returned by `cell`. */
  readonly figure?: (row: Row, context: Context) => string;
  /** Figures stand at the right. */
  readonly isNumeric?: boolean;
  /** The buttons of a row, at its right. */
  readonly isAction?: boolean;
  /** Texts have the whole width of a phone. */
  readonly isWide?: boolean;
  /** Left out on a phone, where the rest tells enough. */
  readonly isMinor?: boolean;
  /** Returns the value that a click on the heading sorts by; without it the column cannot be sorted. */
  readonly sortBy?: (row: Row, context: Context) => SortValue;
  /** Returns the text that a search looks in; without it in any column many rows cannot be searched. */
  readonly searchText?: (row: Row, context: Context) => string;
  /** Tells whether the column is there; without it, always. */
  readonly isShown?: (context: Context, rows: readonly Row[]) => boolean;
}

/** A table: everything that is known of it but its rows. */
export interface TableDescription<Row, Context = undefined> {
  /** Its name for screen readers. */
  readonly caption: string | ((context: Context) => string);
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row, Context>[];
  /** Shown in place of no rows. */
  readonly empty?: ReactNode | ((context: Context) => ReactNode);
  /** Rows of one page: fewer where each has many nodes, or where a page has several tables. */
  readonly pageSize?: number;
}

type ContextProps<Context> = undefined extends Context ? { readonly context?: Context } : { readonly context: Context };

type Props<Row, Context> = ContextProps<Context> & {
  readonly table: TableDescription<Row, Context>;
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined;
};

/** Rows of one page: more would be too many nodes for a browser. */
const PAGE_SIZE = 50;

/** Rows of one page where each is a card. */
export const PHONE_PAGE_SIZE = 10;

const WAITING_ROWS = ["a", "b", "c"];

/**
 * Rows and columns, in a card that scrolls sideways where it has to, and on a phone a card for each row; many rows are
 * searched and read by the page.
 */
export function DataTable<Row, Context = undefined>(props: Props<Row, Context>) {
  const { table, rows } = props;
  // The type of the properties lets it be left out where no cell takes one.
  const context = props.context as Context;
  const pageSize = Math.min(table.pageSize ?? PAGE_SIZE, useIsPhone() ? PHONE_PAGE_SIZE : PAGE_SIZE);
  const [sort, setSort] = useState<Sort>();
  const [text, setText] = useState("");
  const [offset, setOffset] = useState(0);
  if (rows?.length === 0 && table.empty !== undefined)
    return <Box className="attune-card">{forContext(table.empty, context)}</Box>;
  const caption = forContext(table.caption, context);
  const columns = table.columns
    .filter(({ isShown }) => isShown?.(context, rows ?? []) ?? true)
    .map((column): ShownColumn<Row> => inContext(column, context));
  const searched = columns.flatMap(({ searchText }) => (searchText === undefined ? [] : [searchText]));
  const wanted = foldCase(text.trim());
  const found =
    wanted === ""
      ? rows
      : rows?.filter((row) => foldCase(searched.map((searchText) => searchText(row)).join(" ")).includes(wanted));
  const sortBy = columns.find(({ heading }) => heading === sort?.heading)?.sortBy;
  const ordered = found && sortBy && sort ? sortRows(found, sortBy, sort.isDescending) : found;
  const total = ordered?.length ?? 0;
  // A screen that was turned has pages of another size.
  const first = offset < total ? offset - (offset % pageSize) : 0;
  return (
    <Stack gap="xs">
      {searched.length > 0 && (rows?.length ?? 0) > pageSize && (
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
        caption={caption}
        columns={columns}
        rows={ordered?.slice(first, first + pageSize)}
        rowKey={table.rowKey}
        sort={sort}
        onSort={(heading) => setSort(nextSort(sort, heading))}
      />
      <Pager total={total} pageSize={pageSize} offset={first} onChange={setOffset} />
    </Stack>
  );
}

/** A column whose parts have their context. */
interface ShownColumn<Row> extends Pick<Column<Row>, "isNumeric" | "isAction" | "isWide" | "isMinor"> {
  readonly heading: string;
  readonly cell: (row: Row, figure: string) => ReactNode;
  readonly figure: ((row: Row) => string) | undefined;
  readonly sortBy?: ((row: Row) => SortValue) | undefined;
  readonly searchText?: ((row: Row) => string) | undefined;
}

function inContext<Row, Context>(column: Column<Row, Context>, context: Context): ShownColumn<Row> {
  const { heading, cell, figure, sortBy, searchText, isShown: _isShown, ...look } = column;
  return {
    ...look,
    heading: forContext(heading, context),
    cell: (row, text) => cell(row, context, text),
    figure: figure && ((row) => figure(row, context)),
    sortBy: sortBy && ((row) => sortBy(row, context)),
    searchText: searchText && ((row) => searchText(row, context)),
  };
}

function forContext<Value extends ReactNode, Context>(
  value: Value | ((context: Context) => Value),
  context: Context,
): Value {
  return typeof value === "function" ? value(context) : value;
}

interface RowsProps<Row> {
  readonly caption: string;
  readonly columns: readonly ShownColumn<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly sort: Sort | undefined;
  readonly onSort: (heading: string) => void;
}

function Rows<Row>({ caption, columns, rows, rowKey, sort, onSort }: RowsProps<Row>) {
  const look = ({ isNumeric, isAction, isMinor }: ShownColumn<Row>) => ({
    "data-numeric": isNumeric || isAction || undefined,
    ...(isMinor ? { visibleFrom: "sm" as const } : {}),
  });
  // Elements that are no table on the screen of a phone lose their roles in some browsers.
  const cell = (column: ShownColumn<Row>) => ({
    role: "cell",
    "data-action": column.isAction || undefined,
    "data-wide": column.isWide || undefined,
    ...(column !== columns[0] && !column.isAction && { "data-label": column.heading }),
    ...look(column),
  });
  const cells = columns.map((column) => readCells(column, rows ?? []));
  return (
    <Box className="attune-card" data-waiting={rows === undefined || undefined} style={{ overflow: "hidden" }}>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, "aria-label": caption, role: "region" }}>
        <Table
          className="attune-table"
          verticalSpacing="sm"
          // The ground of a row leads the eye from its name to its buttons, however wide the screen.
          highlightOnHover={columns.some(({ isAction }) => isAction)}
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
            {rows?.map((row, place) => (
              <Table.Tr key={rowKey(row)} role="row">
                {columns.map((column, at) => (
                  <Table.Td key={column.heading} {...cell(column)}>
                    {cells[at]?.[place]}
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

/** The cells of a column. Its figures have their points below each other. */
function readCells<Row>({ cell, figure, isNumeric }: ShownColumn<Row>, rows: readonly Row[]): ReactNode[] {
  if (figure !== undefined) {
    const figures = alignDecimals(rows.map(figure));
    return rows.map((row, at) => cell(row, figures[at] ?? ""));
  }
  const cells = rows.map((row) => cell(row, ""));
  const isText = (content: ReactNode): content is string => typeof content === "string";
  return isNumeric && cells.every(isText) ? alignDecimals(cells) : cells;
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
