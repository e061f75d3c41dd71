import { ErrorReasonSchema } from "../../../gen/attune/error/v1/error_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { InferenceStatus, StoredInference } from "../../inference/ports.ts";
import type { InferenceRow } from "../entities/inference.ts";
import { InferenceBody } from "../entities/inference-body.ts";
import { decodeContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";

/** The query of a chain. */
export interface ChainQuery {
  readonly id: string;
  readonly projectId: string;
  /** Most inferences. */
  readonly limit: number;
  /** Most bytes of their bodies, not compressed. */
  readonly bytesLeft: number;
}

/** A part of a chain, the latest first. */
export interface ChainPart {
  readonly chain: StoredInference[];
  /** Most bytes that others of the chain may take up. */
  readonly bytesLeft: number;
}

/** Bodies that are held compressed at a time. */
const BODIES_PER_QUERY = 50;

/** Follows a chain back from its latest inference. Both engines take it as it is. */
const CHAIN = `
with recursive chain (id, previous_id, status, error_reason, error_message, error_upstream_code, depth) as (
  select id, previous_id, status, error_reason, error_message, error_upstream_code, 1 from inference
  where id = ? and project_id = ? and stored = true and deleted_at is null
  union all
  select earlier.id, earlier.previous_id, earlier.status, earlier.error_reason, earlier.error_message,
    earlier.error_upstream_code, chain.depth + 1
  from inference earlier
  join chain on earlier.id = chain.previous_id
  where earlier.project_id = ? and earlier.stored = true and earlier.deleted_at is null and chain.depth < ?
)
select id, previous_id, status, error_reason, error_message, error_upstream_code from chain order by depth`;

interface ChainLink {
  readonly id: string;
  readonly previous_id: string | null;
  readonly status: InferenceStatus;
  readonly error_reason: string | null;
  readonly error_message: string | null;
  readonly error_upstream_code: string | null;
}

/**
 * Reads stored inferences from the database, the latest first, as far back as they are there with their bodies. Throws
 * REQUEST_TOO_LARGE.
 */
export async function readChainRows(store: Store, query: ChainQuery): Promise<ChainPart> {
  const { id, projectId, limit } = query;
  const connection = store.fork().getConnection();
  const links = await connection.execute<ChainLink[]>(CHAIN, [id, projectId, projectId, limit]);
  const chain: StoredInference[] = [];
  let { bytesLeft } = query;
  for (let from = 0; from < links.length; from += BODIES_PER_QUERY) {
    const part = links.slice(from, from + BODIES_PER_QUERY);
    const rows = await store.fork().find(InferenceBody, { id: { $in: part.map((link) => link.id) } });
    const bodies = new Map(rows.map((row) => [row.id, row]));
    for (const link of part) {
      const body = bodies.get(link.id);
      if (body === undefined) return { chain, bytesLeft };
      const { input, output, bytes } = await decodeContent(body);
      bytesLeft -= bytes;
      if (bytesLeft < 0) throw tooLarge();
      const outcome = toOutcome({
        status: link.status,
        errorReason: link.error_reason,
        errorMessage: link.error_message,
        errorUpstreamCode: link.error_upstream_code,
      });
      chain.push({ id: link.id, previousId: link.previous_id ?? undefined, input, output, ...outcome });
    }
  }
  return { chain, bytesLeft };
}

type OutcomeColumns = Pick<InferenceRow, "status" | "errorReason" | "errorMessage" | "errorUpstreamCode">;

/** Returns the outcome of an inference, as its row says. */
export function toOutcome({
  status,
  errorReason,
  errorMessage,
  errorUpstreamCode,
}: OutcomeColumns): Pick<StoredInference, "status" | "error"> {
  if (status !== "failed") return { status: status === "completed" ? status : "canceled" };
  const known = ErrorReasonSchema.values.find(({ localName }) => localName.toLowerCase() === errorReason);
  const reason: ErrorReason =
    known === undefined ? ErrorReason.INTERNAL : ErrorReason[known.localName as keyof typeof ErrorReason];
  const error = new InferenceError(reason, errorMessage ?? "the response failed", {
    upstreamCode: errorUpstreamCode ?? undefined,
  });
  return { status, error };
}

function tooLarge(): InferenceError {
  return new InferenceError(
    ErrorReason.REQUEST_TOO_LARGE,
    "the stored conversation is larger than a request may be: start again with a summary of it",
  );
}
