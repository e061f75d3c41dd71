import { Button, Center, Group, Loader, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { formatTime } from "../../../parts/format.ts";
import type { RequestPageData } from "../types.ts";

interface Props {
  readonly pages: readonly RequestPageData[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  readonly onMore: () => void;
}

/** Pages that come by themselves, before someone is asked. */
const BY_ITSELF = 12;

/**
 * The end of the list: goes on by itself when it is reached, a limited number of times, and says how far a search came.
 */
export function ListEnd({ pages, hasMore, isLoading, hasFailed, onMore }: Props) {
  const { ref, entry } = useIntersection({ rootMargin: "600px" });
  const [allowed, setAllowed] = useState(BY_ITSELF);
  const isReached = entry?.isIntersecting === true;
  const mayGoOn = pages.length < allowed && !hasFailed;
  useEffect(() => {
    if (isReached && mayGoOn && hasMore && !isLoading && pages.length > 0) onMore();
  }, [isReached, mayGoOn, hasMore, isLoading, pages.length, onMore]);
  const searchedTo = pages.findLast((page) => page.searchedTo !== null)?.searchedTo;
  const looked = pages.reduce((sum, page) => sum + (page.looked ?? 0), 0);
  const more = () => {
    setAllowed(pages.length + BY_ITSELF);
    onMore();
  };
  return (
    <Center ref={ref} mih={60} aria-live="polite">
      <Group gap="md" justify="center">
        {searchedTo != null && (
          <Text fz="sm" c="dimmed">
            {hasMore ? `Searched back to ${formatTime(searchedTo)}` : "Searched to the oldest request"},{" "}
            {looked.toLocaleString("en-US")} {looked === 1 ? "request" : "requests"} looked at
          </Text>
        )}
        {isLoading && pages.length > 0 && <Loader size="xs" aria-label="Loading" />}
        {!isLoading && hasMore && !mayGoOn && (
          <Button variant="default" onClick={more}>
            {searchedTo == null ? "Older requests" : "Search on"}
          </Button>
        )}
      </Group>
    </Center>
  );
}
