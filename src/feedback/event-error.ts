/** Why an event is not stored. The message names the place and says what to change. */
export class EventError extends Error {
  override readonly name = "EventError";
  /** HTTP status that describes the failure. */
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }

  /** An event that is wrong at `place`. */
  static at(place: string, problem: string): EventError {
    return new EventError(400, `${place}: ${problem}`);
  }
}
