/**
 * The public face of the library: what `require('xfer')` gives, and the shapes that its callers meet. All other types are
 * inner ones. Sizes are bytes, durations are milliseconds, points in time are milliseconds since the epoch, unless a name
 * says otherwise.
 */

import type { Deployed, Undeployed } from './types/commands'
import type { AbortedJob, Cleaned, JobReport } from './types/jobs'
import type {
  AbortOptions,
  CleanOptions,
  CopyOptions,
  DeployOptions,
  DoctorOptions,
  JobsOptions,
  PrefixOptions,
  ResumeOptions,
  VerifyOptions,
} from './types/options'
import type { PrefixSummary } from './types/prefix'
import type { Summary } from './types/public'
import type { Verification } from './types/verify'

export type * from './types/options'
export type { Checked, Deployed, DeployedAction, Undeployed } from './types/commands'
export type { AbortedJob, Cleaned, CleanedUpload, JobReport } from './types/jobs'
export type { Notice } from './types/notices'
export type { OutageEvent, Progress } from './types/planning'
export type { ObjectCounts, PrefixEvent, PrefixProgress, PrefixSummary } from './types/prefix'
export type { CopyEvent, Proof, Summary, XferEvent } from './types/public'
export type { Verification, VerifyEvent, VerifyMethod } from './types/verify'

/**
 * Copies one object, or resumes the unfinished copy of the same source to the same destination.
 *
 * @param source `s3://bucket/key`
 * @param destination `s3://bucket/key`; without a key, or with a key that ends in a slash, the source's name is added
 * @returns resolves when the copy is at the destination and proved; for a dry run, what it would have been
 * @throws {XferError} no object is visible at the destination then, and `facts.job` names the job if it can be resumed
 */
export function copy(source: string, destination: string, options?: CopyOptions): Promise<Summary>

/**
 * Copies or syncs all objects of a prefix.
 *
 * @param source `s3://bucket/prefix`; a slash is added if it is missing
 * @param destination likewise
 * @returns resolves when every selected object is at the destination
 * @throws {XferError} OBJECTS_FAILED when some are not; every other error that ends a job
 */
export function copyPrefix(source: string, destination: string, options?: PrefixOptions): Promise<PrefixSummary>

/**
 * Continues an unfinished job.
 *
 * @param name the job's id, the beginning of it, or the path of its journal; the only unfinished job when absent
 * @param options override those that the job was started with
 * @throws {XferError} as `copy` and `copyPrefix`; NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL
 */
export function resume(name?: string, options?: ResumeOptions): Promise<Summary | PrefixSummary>

/**
 * Compares two objects.
 *
 * @returns how they were found to be equal
 * @throws {XferError} OBJECTS_DIFFER; `facts.start` and `facts.end` of the first different bytes if they were read
 */
export function verify(source: string, destination: string, options?: VerifyOptions): Promise<Verification>

/** Lists unfinished jobs, newest first. @throws {XferError} BAD_JOURNAL when their folder cannot be read */
export function jobs(options?: JobsOptions): Promise<JobReport[]>

/**
 * Gives up an unfinished job and aborts its multipart uploads.
 *
 * @param name the job's id, the beginning of it, or the path of its journal
 * @throws {XferError} NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL, or the store's refusal; the job is kept then
 */
export function abortJob(name: string, options?: AbortOptions): Promise<AbortedJob>

/**
 * Lists and aborts multipart uploads that no job will complete.
 *
 * @param destination `s3://bucket` or `s3://bucket/prefix`
 * @throws {XferError} the first refusal, after all uploads were tried
 */
export function clean(destination: string, options?: CleanOptions): Promise<Cleaned>

/** Deploys the function to the platform. @throws {XferError} USAGE, BAD_MANIFEST, NO_PLATFORM, or the platform's refusal */
export function deploy(options?: DeployOptions): Promise<Deployed>

/** Removes the function from the platform. @throws {XferError} as `deploy` */
export function undeploy(options?: DeployOptions): Promise<Undeployed>

/**
 * Checks everything that a copy needs.
 *
 * @param source `s3://bucket/key` or `s3://bucket`; not checked when undefined
 * @param destination likewise
 * @returns exitCode: that of the first check that failed
 * @throws {XferError} USAGE, UNKNOWN_SCHEME, BAD_LOCATION, INTERRUPTED
 */
export function doctor(
  source?: string,
  destination?: string,
  options?: DoctorOptions,
): Promise<{ ok: boolean; exitCode: number }>

/** Every failure. docs/reference/errors.md lists the codes. */
export class XferError extends Error {
  /** @param code one of docs/reference/errors.md; the message is made from it and the facts */
  constructor(code: string, facts?: Record<string, any>, options?: { cause?: unknown })
  /** for example `NOT_FOUND` */
  readonly code: string
  /** one sentence: what to do */
  readonly hint: string
  /** the exit status of the command line for this error; see `EXIT` */
  readonly exitCode: number
  /** what the message is made of, never a secret */
  readonly facts: Record<string, any>
  /** whether the same request may succeed later */
  readonly retryable: boolean
}

/** The exit statuses of the command line. docs/reference/exit-codes.md explains them. */
export const EXIT: Readonly<{
  OK: 0
  FAILED: 1
  USAGE: 2
  NOT_FOUND: 3
  ACCESS: 4
  ENGINE: 5
  SOURCE_CHANGED: 6
  EXISTS: 7
  INTEGRITY: 8
  INTERRUPTED: 130
}>
