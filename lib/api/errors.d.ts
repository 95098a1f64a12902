/** The error of every function, and the exit statuses of the command line. */

import type { XferErrorCode } from './codes'

/** Every failure. docs/reference/errors.md lists the codes. */
export declare class XferError extends Error {
  /**
   * @param code the message and the hint are made from it and the facts
   * @param facts what the sentences of this code mention; never a secret
   */
  constructor(code: XferErrorCode, facts?: Record<string, any>, options?: { cause?: unknown })
  /** for example `NO_SUCH_KEY` */
  readonly code: XferErrorCode
  /** one sentence: what to do */
  readonly hint: string
  /** the exit status of the command line for this error; see `EXIT` */
  readonly exitCode: number
  /** what the message is made of, never a secret; `job`: the id of the job that can be resumed */
  readonly facts: { job?: string; [fact: string]: any }
  /** whether the same request may succeed later */
  readonly retryable: boolean
  /** what `JSON.stringify` prints: what a log needs, without the stack and the cause */
  toJSON(): Pick<XferError, 'name' | 'code' | 'message' | 'hint' | 'exitCode' | 'facts'>
}

/** The exit statuses of the command line. docs/reference/exit-codes.md explains them. */
export declare const EXIT: Readonly<{
  OK: 0
  FAILED: 1
  USAGE: 2
  NOT_FOUND: 3
  ACCESS: 4
  ENGINE: 5
  SOURCE_CHANGED: 6
  EXISTS: 7
  INTEGRITY: 8
  TRY_AGAIN: 75
  TIMED_OUT: 124
  INTERRUPTED: 130
}>
