import { resolveControls } from "../../src/learning/controls.ts";

/** The settings of a workload that is on, of which nobody has said anything. */
export const CONTROLS = resolveControls(undefined, undefined, { mode: "on" });
