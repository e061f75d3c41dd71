/** Time zone of the viewer, by its name in the IANA database: Europe/Zurich. */
export const VIEWER_ZONE: string = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const offsets = new Map<string, Intl.DateTimeFormat>();

/** Returns how far a zone is from UTC at a time: GMT+1, GMT+5:30; GMT where it is not. */
export function offsetAt(timeMs: number, zone: string = VIEWER_ZONE): string {
  let format = offsets.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "shortOffset" });
    offsets.set(zone, format);
  }
  return format.formatToParts(timeMs).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
}

/** Names a zone for people, with how far it is from UTC: Europe/Zurich, GMT+1. */
export function describeZone(zone: string = VIEWER_ZONE, timeMs: number = Date.now()): string {
  return zone === "UTC" ? zone : `${zone}, ${offsetAt(timeMs, zone)}`;
}
