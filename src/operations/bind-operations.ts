import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import type { OperationCaller, Operations } from "./create-operations.ts";
import { ADMIN_METHODS, type AdminMethod } from "./operations.ts";

type Members = Record<string, unknown>;
type Methods = typeof AdminService.method;

/** The operations, done by one caller. Throw InferenceError. */
export type BoundOperations = {
  readonly [Method in AdminMethod]: (
    request: MessageInitShape<Methods[Method]["input"]>,
  ) => Promise<MessageShape<Methods[Method]["output"]>>;
};

/** The operations of a caller, who is asked for at each call. */
class Binding {
  readonly operations: Operations;
  readonly findCaller: () => OperationCaller;

  constructor(operations: Operations, findCaller: () => OperationCaller) {
    this.operations = operations;
    this.findCaller = findCaller;
  }
}

// Once for all callers: the dashboard binds them for each call.
for (const method of ADMIN_METHODS) {
  const { input, output }: DescMethodUnary = AdminService.method[method];
  const call = async function (this: Binding, request: Members) {
    const operation = this.operations[method] as (caller: OperationCaller, request: unknown) => Promise<Members>;
    return create(output, await operation(this.findCaller(), create(input, request)));
  };
  Object.defineProperty(Binding.prototype, method, { value: call });
}

/** Binds operations to a caller within this process; they are called on what is returned, not taken from it. */
export function bindOperations(operations: Operations, findCaller: () => OperationCaller): BoundOperations {
  return new Binding(operations, findCaller) as unknown as BoundOperations;
}
