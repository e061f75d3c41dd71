/** The facts that exist, and were seen, so far. */
export interface TourFacts {
  readonly hasKey: boolean;
  /** Id of the latest call; null before the first. */
  readonly latestId: string | null;
  /** The model that the latest rated call asked for, which names its workload; null before the first feedback. */
  readonly ratedModel: string | null;
  /** The pages that were opened during the tour. */
  readonly seen: { readonly request: boolean; readonly evidence: boolean };
}

/** A step of the tour. */
export interface TourStep {
  readonly name: "key" | "call" | "request" | "feedback" | "evidence";
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  /** The way to do it, below /dashboard; null for what is done in place, or cannot be done yet. */
  readonly link: { readonly label: string; readonly to: string } | null;
}

/** Returns the five steps of a project's first minutes. */
export function tourSteps(projectId: string, { hasKey, latestId, ratedModel, seen }: TourFacts): readonly TourStep[] {
  const project = `/projects/${projectId}`;
  return [
    {
      name: "key",
      title: "Create an API key",
      isDone: hasKey,
      text: "Programs call with it. It is shown once, with a first call filled in.",
      link: { label: "Create a key", to: `${project}/keys` },
    },
    {
      name: "call",
      title: "Send the first call",
      isDone: latestId !== null,
      text: "From your program, from a terminal, or from this browser.",
      link: { label: "Call from here", to: `${project}/playground` },
    },
    {
      name: "request",
      title: "Open the request",
      isDone: latestId !== null && seen.request,
      text: "Its page has the conversation, who answered and why, each attempt, and the cost.",
      link: latestId === null ? null : { label: "Open the request", to: `${project}/history/${latestId}` },
    },
    {
      name: "feedback",
      title: "Rate the answer",
      isDone: ratedModel !== null,
      text: "Here, below “Feedback” on its page, or from your program with the id of the answer.",
      link: null,
    },
    {
      name: "evidence",
      title: "See what feedback shows",
      isDone: ratedModel !== null && seen.evidence,
      text: "Each rating is evidence about the model that answered. With enough of it, the workload's page names the better model, which then answers if the mode is On.",
      link:
        ratedModel === null
          ? null
          : { label: "See the evidence", to: `${project}/workloads/${encodeURIComponent(ratedModel)}` },
    },
  ];
}

/** Returns the page of the tour that an address is; undefined for any other page. */
export function seenAt(projectId: string, pathname: string): keyof TourFacts["seen"] | undefined {
  const [, projects, project, page, one, more] = pathname.split("/");
  if (projects !== "projects" || project !== projectId || !one || more !== undefined) return undefined;
  if (page === "history") return "request";
  return page === "workloads" ? "evidence" : undefined;
}
