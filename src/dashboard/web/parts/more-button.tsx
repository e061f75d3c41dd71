import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** The list that goes on. */
  readonly pages: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
  readonly children: ReactNode;
}

/** Loads the next page of a list that goes on below; nothing once all is shown. */
export function MoreButton({ pages: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: Props) {
  if (!hasNextPage) return null;
  return (
    <Group justify="center">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </Group>
  );
}
