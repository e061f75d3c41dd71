import { create } from "@bufbuild/protobuf";
import {
  type AuditShare,
  AuditShareSchema,
  AuditStanding,
  type DeploymentAudit,
  DeploymentAuditSchema,
} from "../../../gen/attune/model/v1/model_pb.ts";
import type { AuditReport } from "./audit-cache.ts";
import type { Standing } from "./audit-state.ts";
import type { Share } from "./sign-test.ts";

const STANDING: Record<Standing, AuditStanding> = {
  open: AuditStanding.OPEN,
  out: AuditStanding.OUT,
  trusted: AuditStanding.TRUSTED,
};

/** Turns what is known of a deployment into the message that reports it; `model` is the model's id with its prefix. */
export function auditToMessage(
  { key, plainPlace, standing, difference, report }: AuditReport,
  model: string,
): DeploymentAudit {
  const { samples, nulls, match, matchCount, baseMatch, baseMatchCount, distance, baseDistance, measures } = report;
  return create(DeploymentAuditSchema, {
    model,
    upstream: key.place.upstream,
    upstreamModel: key.place.model,
    comparedUpstream: plainPlace.upstream,
    comparedUpstreamModel: plainPlace.model,
    standing: STANDING[standing],
    differentBy: [...(difference?.by ?? [])],
    samples,
    nullSamples: nulls,
    ...membersOf({ match: getShare(match, matchCount), baseMatch: getShare(baseMatch, baseMatchCount) }),
    ...membersOf({ textDistance: distance, baseTextDistance: baseDistance }),
    measures: measures.map(({ measure, expected, eValue, count, ...share }) => ({
      measure,
      expected,
      eValue,
      ...membersOf({ share: getShare(share, count) }),
    })),
  });
}

/** Undefined where nothing was counted. */
function getShare({ estimate, low, high }: Share, count: number): AuditShare | undefined {
  return estimate === undefined ? undefined : create(AuditShareSchema, { estimate, low, high, count });
}

/** Returns the members of a message that are not undefined. */
function membersOf<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
