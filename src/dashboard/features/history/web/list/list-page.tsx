import "../history.css";
import { Button, Group } from "@mantine/core";
import { IconArrowUp, IconHistory } from "@tabler/icons-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { EmptyState } from "../../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { describeZone } from "../../../../web/parts/zone.ts";
import { Page } from "../../../../web/shell/page.tsx";
import { chosenOrder, FILTER_NAMES, type Filters, hasFilters, ORDERS, readFilters } from "../parse-filters.ts";
import { useKeys } from "../use-keys.ts";
import { FilterBar } from "./filter-bar.tsx";
import { KeyHelp } from "./key-help.tsx";
import { takeOpened } from "./last-opened.ts";
import { ListEnd } from "./list-end.tsx";
import { ListTools } from "./list-tools.tsx";
import { LiveNote } from "./live-note.tsx";
import { focusRequest, hasFocusedRow, moveFocus } from "./move-focus.ts";
import { RequestList } from "./request-list.tsx";
import { isOver, MOST_NEW, useNewRequests } from "./use-new-requests.ts";
import { useRequests } from "./use-requests.ts";

/** So far from the top the list still counts as being at it. */
const TOP_PX = 120;

/** Lists the requests of the project, and what is new. */
export function ListPage() {
  const [filters, change] = useFilters();
  const [isFollowing, setIsFollowing] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const requests = useRequests(filters);
  const rows = useMemo(() => requests.data?.pages.flatMap((page) => page.rows), [requests.data]);
  const { fresh, show, failure, readAt } = useNewRequests({ filters, rows, hasMore: requests.hasNextPage });
  const isFirst = rows !== undefined;
  useEffect(() => {
    const id = isFirst ? takeOpened() : undefined;
    if (id !== undefined) focusRequest(id);
  }, [isFirst]);
  useEffect(() => {
    // Someone who reads further down, or stands on a row, is not moved.
    if (isFollowing && fresh.length > 0 && window.scrollY < TOP_PX && !hasFocusedRow()) show();
  }, [isFollowing, fresh, show]);
  const showNew = () => {
    show();
    window.scrollTo({ top: 0 });
  };
  useKeys({
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    n: showNew,
    f: () => setIsFollowing((value) => !value),
    "/": () => searchRef.current?.focus(),
    "?": () => setIsHelpOpen(true),
  });
  const isEmpty = rows?.length === 0 && !requests.hasNextPage && !requests.isFetching;
  return (
    <Page
      title="History"
      lead={`${writeLead(chosenOrder(filters), requests.data?.pages[0]?.ordered)}, in your time zone (${describeZone()}).`}
      actions={
        <ListTools
          filters={filters}
          isFollowing={isFollowing}
          onFollow={setIsFollowing}
          onHelp={() => setIsHelpOpen(true)}
        />
      }
    >
      <FilterBar filters={filters} onChange={change} searchRef={searchRef} />
      <ErrorNote error={requests.error} onRetry={() => void requests.refetch()} />
      <LiveNote failure={failure} since={readAt === 0 ? requests.dataUpdatedAt : readAt} />
      <div className="attune-new" aria-live="polite">
        {fresh.length > 0 && (
          <Button radius="xl" size="compact-md" onClick={showNew} leftSection={<IconArrowUp size={16} aria-hidden />}>
            {fresh.length >= MOST_NEW ? `${MOST_NEW}+` : fresh.length} new
          </Button>
        )}
      </div>
      {isEmpty ? (
        <NoRequests isFiltered={hasFilters(filters)} isOver={isOver(filters)} />
      ) : (
        (rows !== undefined || requests.error === null) && (
          <RequestList rows={rows} order={writeLabel(chosenOrder(filters))} query={filters.q?.trim() ?? ""} />
        )
      )}
      <ListEnd
        key={JSON.stringify(filters)}
        pages={requests.data?.pages ?? []}
        hasMore={requests.hasNextPage}
        isLoading={requests.isFetching}
        hasFailed={requests.error !== null}
        onMore={requests.fetchNextPage}
        onWhole={filters.whole === "1" ? undefined : () => change({ whole: "1" })}
      />
      <KeyHelp isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </Page>
  );
}

type Order = ReturnType<typeof chosenOrder>;

function writeLabel(order: Order): string {
  return ORDERS.find(({ value }) => value === order)?.label.toLowerCase() ?? "the newest first";
}

/** Says the order, and among how many of the newest requests it is. */
function writeLead(order: Order, ordered: number | undefined): string {
  const label = `${writeLabel(order).charAt(0).toUpperCase()}${writeLabel(order).slice(1)}`;
  if (order === undefined || ordered === undefined) return label;
  return `${label}, among the newest ${ordered.toLocaleString("en-US")} that the filters let through`;
}

interface NoRequestsProps {
  readonly isFiltered: boolean;
  /** True if the time that is looked at is over. */
  readonly isOver: boolean;
}

function NoRequests({ isFiltered, isOver: isPast }: NoRequestsProps) {
  if (isFiltered) {
    return (
      <Group className="attune-card" justify="center">
        <EmptyState
          Icon={IconHistory}
          title="No matching requests"
          text={`Clear a filter, or choose a longer period.${isPast ? "" : " New ones appear here automatically."}`}
        />
      </Group>
    );
  }
  return (
    <Group className="attune-card" justify="center">
      <EmptyState
        Icon={IconHistory}
        title="No requests yet"
        text="Create an API key and send a call with it. It appears here within seconds."
        action={
          <Button component={Link} to="../keys" relative="path">
            Go to API keys
          </Button>
        }
      />
    </Group>
  );
}

/**
 * The filters that the address has, and what changes some of them. They stay in the address, so they can be sent on.
 */
function useFilters(): readonly [Filters, (changes: Partial<Filters>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.toString();
  const filters = useMemo(() => readFilters(new URLSearchParams(text)), [text]);
  const change = useCallback(
    (changes: Partial<Filters>) =>
      setParameters((old) => {
        const changed = new URLSearchParams(old);
        for (const name of FILTER_NAMES) {
          const value = changes[name];
          if (value === null) changed.delete(name);
          else if (value !== undefined) changed.set(name, value);
        }
        return changed;
      }),
    [setParameters],
  );
  return [filters, change];
}
