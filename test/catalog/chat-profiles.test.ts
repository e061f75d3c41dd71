import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BUILT_IN_PROFILES, getProfile, guessProfile, PROFILE_NAMES } from "../../src/catalog/chat-profiles.ts";
import { UNKNOWN_PROFILE } from "../../src/hub/chat-profile.ts";

const code = (text: string): string => `\`${text}\``;

/** The row of a profile in docs/upstreams.md. */
function rowOf(name: (typeof PROFILE_NAMES)[number]): string {
  const { at, source: _, ...members } = BUILT_IN_PROFILES[name];
  const places = at.map((place: string) => (place.startsWith(":") ? `port ${place.slice(1)}` : code(place))).join(", ");
  const said = Object.entries(members).map(([member, value]) => code(`${member}: ${String(value)}`));
  return `| ${code(name)} | ${places || "–"} | ${said.join(", ") || "–"} |`;
}

describe("built-in profiles", () => {
  it.each(PROFILE_NAMES)("%s is in docs/upstreams.md", (name) => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "upstreams.md"), "utf8");
    expect(page.split("\n")).toContain(rowOf(name));
  });

  it.each(PROFILE_NAMES)("%s says nothing that an unknown server has too", (name) => {
    const { at: _at, source: _source, ...members } = BUILT_IN_PROFILES[name];
    for (const [member, value] of Object.entries(members)) expect(UNKNOWN_PROFILE).not.toHaveProperty(member, value);
    expect(Object.keys(getProfile(name)).toSorted()).toEqual(Object.keys(UNKNOWN_PROFILE).toSorted());
  });

  it("are guessed from a host or what is below it, and from a port of any host", () => {
    expect(guessProfile("https://api.mistral.ai/v1")).toBe("mistral");
    expect(guessProfile("https://mistral.ai.example/v1")).toBe("unknown");
    expect(guessProfile("https://max.ai/v1")).toBe("unknown");
    expect(guessProfile("http://gpu-box:1234/v1")).toBe("lm-studio");
  });
});
