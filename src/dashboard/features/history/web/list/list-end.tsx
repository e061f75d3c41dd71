import { Button, Center, Group, Loader, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { formatTime } from "../../../../web/parts/format.ts";
import type { RequestPageData } from "../types.ts";

interface Props {
  readonly pages: readonly RequestPageData[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  readonly onMore: () => void;
  /** Searches whole texts; undefined where that is done already. */
  readonly onWhole: (() => void) | undefined;
}

/** Pages that come by themselves, before someone is asked, and rows: more would be too many nodes for a browser. */
const BY_ITSELF = 24;
const ROWS_BY_THEMSELVES = 150;

/**
 * The end of the list: goes on by itself when it is reached, a limited number of times, and says how far a search came.
 */
export function ListEnd({ pages, hasMore, isLoading, hasFailed, onMore, onWhole }: Props) {
  const { ref, entry } = useIntersection({ rootMargin: "600px" });
  const [allowed, setAllowed] = useState({ pages: BY_ITSELF, rows: ROWS_BY_THEMSELVES });
  const rows = pages.reduce((sum, page) => sum + page.rows.length, 0);
  const isReached = entry?.isIntersecting === true;
  const mayGoOn = pages.length < allowed.pages && rows < allowed.rows && !hasFailed;
  useEffect(() => {
    if (isReached && mayGoOn && hasMore && !isLoading && pages.length > 0) onMore();
  }, [isReached, mayGoOn, hasMore, isLoading, pages.length, onMore]);
  const isSearch = pages.some((page) => page.looked !== null);
  const searchedTo = pages.findLast((page) => page.searchedTo !== null)?.searchedTo;
  const where = onWhole === undefined ? "" : "first words ";
  const looked = pages.reduce((sum, page) => sum + (page.looked ?? 0), 0);
  const more = () => {
    setAllowed({ pages: pages.length + BY_ITSELF, rows: rows + ROWS_BY_THEMSELVES });
    onMore();
  };
  return (
    <Center ref={ref} mih={60} aria-live="polite">
      <Group gap="md" justify="center">
        {isSearch && (
          <Text fz="sm" c="dimmed">
            {hasMore && searchedTo != null
              ? `Searched ${where}back to ${formatTime(searchedTo)}`
              : `Searched ${where}to the oldest request`}
            , {looked.toLocaleString("en-US")} {looked === 1 ? "request" : "requests"} looked at
          </Text>
        )}
        {isLoading && pages.length > 0 && <Loader size="xs" aria-label="Loading" />}
        {isSearch && isReached && mayGoOn && hasMore && (
          <Button variant="default" onClick={() => setAllowed({ pages: pages.length, rows })}>
            Stop
          </Button>
        )}
        {!isLoading && hasMore && !mayGoOn && (
          <Button variant="default" onClick={more}>
            {isSearch ? "Search on" : "Older requests"}
          </Button>
        )}
        {isSearch && onWhole !== undefined && (
          <Button variant="default" onClick={onWhole}>
            Search whole texts
          </Button>
        )}
      </Group>
    </Center>
  );
}
