import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Exchange, PlaygroundRequest } from "./exchange.ts";
import { send } from "./send.ts";

/** Keeps the latest call of the page, sends another in its place, and stops it when the page is left. */
export function useExchange() {
  const [exchange, setExchange] = useState<Exchange>();
  const running = useRef<AbortController>(undefined);
  const client = useQueryClient();
  const stop = useCallback(() => running.current?.abort(), []);
  const start = useCallback(
    (request: PlaygroundRequest) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      void send(request, controller.signal, (changed) => {
        // What is still told of a call that another one has replaced is not shown.
        if (running.current !== controller) return;
        setExchange(changed);
        if (changed.status === 401) void client.invalidateQueries(trpc.session.current.queryFilter());
      });
    },
    [client],
  );
  useEffect(() => stop, [stop]);
  return { exchange, start, stop };
}
