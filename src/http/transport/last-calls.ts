/** When calls to an upstream ended last, in milliseconds of `performance.now()`; 0 before the first one. */
export class LastCalls {
  answeredAt = 0;
  /** The duration of the last answer in milliseconds, without the wait for a connection. */
  answerMs = 0;
  /** The status of the last answer. */
  answerStatus = 0;
  /** When a connection failed, or a response was not complete in time. */
  failedAt = 0;

  /** Records an answer, of any status. Called for each: it writes three numbers. */
  answer(now: number, ms: number, status: number): void {
    this.answeredAt = now;
    this.answerMs = ms;
    this.answerStatus = status;
  }

  fail(now: number): void {
    this.failedAt = now;
  }
}
