import type { Config } from "../../src/config/config.ts";

/**
 * Has workloads observed where a configuration says nothing of learning. Who answers is chance once there is feedback:
 * a test that says nothing of it is not about that.
 */
export function observeUnlessSaid(config: Config, yaml: string | undefined): Config {
  if (yaml?.includes("learning:") === true) return config;
  return { ...config, learning: { ...config.learning, mode: "observe" } };
}
