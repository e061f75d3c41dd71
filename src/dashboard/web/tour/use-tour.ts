import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { api } from "../api/client.ts";
import { mayAct, type OwnProject } from "../shell/session.ts";
import { useTourState } from "./tour-state.ts";
import { seenAt, type TourStep, tourSteps } from "./tour-steps.ts";

/** A tour that is shown. */
export interface Tour {
  readonly steps: readonly TourStep[];
  /** The first step that is not done; undefined once all are. */
  readonly current: TourStep | undefined;
  readonly latestId: string | null;
  /** Hides it until it is asked for again. */
  leave(): void;
  /** Ends it for good. */
  finish(): void;
}

const REFRESH_MS = 3000;

/** Tells whether the role in a project can do all that the tour asks for. */
export function mayTour(project: OwnProject): boolean {
  return (["keys.change", "playground.call", "requests.read", "workloads.read"] as const).every((permission) =>
    mayAct(project, permission),
  );
}

/** Returns the tour of a project with what is done; undefined where none is shown. */
export function useTour(project: OwnProject | undefined): Tour | undefined {
  const [state, setState] = useTourState();
  const { pathname } = useLocation();
  const projectId = project?.id ?? "";
  const isOpen = state.status === "open" && state.projectId === projectId;
  const isAllowed = project !== undefined && mayTour(project);
  const facts = useQuery({
    queryKey: ["tour", projectId],
    queryFn: () => readFacts(projectId),
    enabled: isAllowed && (isOpen || state.status === "new"),
    refetchInterval: isOpen ? REFRESH_MS : false,
  });
  const begins = isAllowed && state.status === "new" && facts.data?.latestId === null;
  useEffect(() => {
    if (begins) setState((old) => ({ ...old, status: "open", projectId }));
  }, [begins, projectId, setState]);
  const { latestId = null, ratedModel = null } = facts.data ?? {};
  const at = isOpen ? seenAt(projectId, pathname) : undefined;
  // Before there is anything to see, a page has not shown it.
  const seen = (at === "request" ? latestId : ratedModel) === null ? undefined : at;
  useEffect(() => {
    if (seen !== undefined) setState((old) => ({ ...old, seen: { ...old.seen, [seen]: true } }));
  }, [seen, setState]);
  if (!isAllowed || !isOpen || facts.data === undefined) return undefined;
  const steps = tourSteps(projectId, { ...facts.data, seen: state.seen });
  return {
    steps,
    current: steps.find(({ isDone }) => !isDone),
    latestId,
    leave: () => setState((old) => ({ ...old, status: "left" })),
    finish: () => setState((old) => ({ ...old, status: "done" })),
  };
}

async function readFacts(projectId: string) {
  const [{ keys }, { inferenceId }, { entries }] = await Promise.all([
    api.keys.list.query({ projectId, limit: 50 }),
    api.feedback.example.query({ projectId }),
    api.feedback.entries.query({ projectId, limit: 1 }),
  ]);
  return {
    hasKey: keys.some(({ isOfPlayground }) => !isOfPlayground),
    latestId: inferenceId,
    ratedModel: entries[0]?.model ?? null,
  };
}
