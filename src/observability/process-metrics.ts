import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { readVersion } from "../lib/version.ts";

/** The interval at which the delay of the event loop is sampled. A shorter one wakes an idle process more often. */
const EVENT_LOOP_MS = 20;

/** Adds processor time, memory, files, event loop and garbage collection of this process, by their usual names. */
export function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });
}

/** Adds the gauge that tells the versions of Attune and of Node. */
export function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: "attune_build_info",
    aggregator: "max",
    help: "1, with the versions of Attune and of Node",
    labelNames: ["version", "node"],
    registers: [registry],
  }).set({ version: readVersion(), node: process.versions.node }, 1);
}
