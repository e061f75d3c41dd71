import { Button, Tooltip } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";

const REFRESH_SECONDS = 15;

/** The refreshing of figures. */
interface Refresh {
  readonly isPaused: boolean;
  readonly toggle: () => void;
  /** For queries, which also stand still while the tab is hidden. */
  readonly intervalMs: number | false;
}

/** Keeps figures up to date until someone pauses it. */
export function useRefresh(): Refresh {
  const [isPaused, setIsPaused] = useState(false);
  return {
    isPaused,
    toggle: () => setIsPaused((paused) => !paused),
    intervalMs: isPaused ? false : REFRESH_SECONDS * 1000,
  };
}

/** Pauses and goes on. */
export function RefreshButton({ refresh }: { readonly refresh: Refresh }) {
  const { isPaused, toggle } = refresh;
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={isPaused ? "Paused: figures don't update" : `Read again every ${REFRESH_SECONDS} seconds`}>
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={toggle}>
        {isPaused ? "Resume" : "Pause"}
      </Button>
    </Tooltip>
  );
}
