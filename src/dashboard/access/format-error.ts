import type { TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import { ZodError } from "zod";

/** A failure as the dashboard's pages get it. */
interface DashboardErrorShape extends TRPCDefaultErrorShape {
  readonly data: TRPCDefaultErrorShape["data"] & {
    /** The problem of each field of the input, by its path. */
    readonly fields?: Readonly<Record<string, string>>;
  };
}

/** Names the fields of a bad input; keeps what broke inside the service to its log. */
export function formatError({ shape, error }: { shape: TRPCDefaultErrorShape; error: TRPCError }): DashboardErrorShape {
  const { stack: _stack, ...data } = shape.data;
  if (error.code === "INTERNAL_SERVER_ERROR") {
    return { ...shape, message: "something went wrong inside Attune; its log says what", data };
  }
  if (!(error.cause instanceof ZodError)) return { ...shape, data };
  const fields = Object.fromEntries(error.cause.issues.map(({ path, message }) => [path.join("."), message]));
  const message = Object.entries(fields).map(([field, text]) => (field === "" ? text : `${field}: ${text}`));
  return { ...shape, message: message.join("; "), data: { ...data, fields } };
}
