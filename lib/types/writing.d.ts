/** Inner shapes of writing an object: what its writers get and return. */

import type { Bucket, CopySource, EngineLimits, JobState, JournalFact, ObjectAttributes, ObjectHead } from '.'
import type { Part, Plan, Proof, RunEnd, Sum, Sums, TaskSuccess, XferError } from '.'

/** The attribute options of a copy, read by lib/options/read.js. */
export interface AttributeWish {
  metadata: 'copy' | 'replace'
  /** The content headers and the user metadata from options, one character a byte. */
  given: { headers: Record<string, string>; user: Record<string, string> }
  tags: 'copy' | 'none'
  storageClass: { copy: true } | { name: string }
  encryption?: ObjectAttributes['encryption']
  ttlMs?: number
  mtime: boolean
}

/** The part of a journal that a copy uses. */
export interface JobJournal {
  /** Whether the job has a journal; without one it cannot be resumed. */
  kept: boolean
  /** An earlier process began the job. */
  goesOn?: boolean
  state: JobState
  /** Whether it is from elsewhere: lib/job/others.js. */
  brought?: boolean
  /** Names that other unfinished jobs of the same prefixes have written and not proved. */
  doubted?: Set<string>
  /** Resolves when the fact is on the disk, or when it cannot be written, which the user is told. */
  write(fact: JournalFact): Promise<void>
  note(fact: JournalFact): void
  /** Before what must not be done twice. Rejects with JOB_TAKEN if another process has taken the job over. Absent: none can. */
  fence?(): Promise<void>
  /** The same as an answer: JOB_TAKEN, or undefined. */
  takenOver?(): Promise<XferError | undefined>
  /** Where the state is that has the job, as `place` of a side; absent: in the folder of this user. */
  stateAt?: string
  /** The store that has the job; absent: a folder has it. */
  bucket?: Bucket
  /** Calls back once if that happens. */
  watchTaken?(listener: (error: XferError) => void): void
  /** Calls back once if somebody asks the job to stop (`xfer stop`). */
  watchStop?(listener: () => void): void
  /** Leaves the job to workers in ranges of names. Absent: it lies where nobody remembers which of them are done. */
  split?(ranges: NonNullable<JobState['split']>): Promise<void>
  /** The upload ids of all jobs. */
  uploads(): Promise<string[]>
  /** Ends the job: the copy is done. done: its summary; result: the code of the error with which it has ended before it began. */
  over(done?: { proof?: Proof[] | Partial<Record<Proof, number>> } & RunEnd, result?: string): Promise<void>
  /** Ends this run early. Resolves to the error, with the command that resumes the job if it can be resumed. */
  end(error: XferError, settings: { onFailure: string }, run?: RunEnd): Promise<XferError>
  close(): Promise<void>
}

/** Invocations that still run although nothing waits for them: see lib/schedule/task.js. */
export type DetachedCalls = Pick<ReturnType<typeof import('../schedule').trackDetached>, 'run' | 'count' | 'ended'>

/** What a writer of an object gets: the job, the source's description, and the plan. */
export interface WriteWork {
  job: import('../job/open').Context
  object: ObjectHead
  /** The attributes to write with the bytes. */
  attributes: ObjectAttributes
  plan: Plan
  /** The most invocations in flight. */
  concurrency: number
  limits: EngineLimits
  /** Undefined: chosen from the platform's quota. */
  partsPerInvocation?: number
  /** Resets the progress, because every part is copied again. */
  restart: () => void
  /** Registers the ranges that are read to prove the copy. Returns the listener for their progress. */
  reading: (ranges: Part[]) => import('../job/open').Run['emit']
  /** What was at the destination, if somebody has looked. */
  before?: import('../destination/conditions').Looked
  /** Set when the store of both sides copies the parts itself; absent: the engine does. */
  copies?: CopySource
  /** Schedules the parts together with those of other objects of a prefix; alone when absent. */
  schedule?: (parts: Part[], how: Parameters<typeof import('../schedule').runParts>[1]) => Promise<TaskSuccess[]>
  /** The same of an object that is one request, together with those of other uploads. */
  scheduleWhole?: import('../copy/small').Schedule
  /** The detached invocations of the prefix; its own when absent. */
  detached?: DetachedCalls
  /** Below a prefix: the last look, a thousand objects at a time; absent: a HEAD. */
  looks?: ReturnType<typeof import('../many/looks').createLooks>
  /** Called before the last look: nothing else is left to do. */
  onWritten?: () => void
}

/** What a writer of an object returns. */
export interface Written {
  outcomes: TaskSuccess[]
  /** Of the whole object; empty when none was computed (`--verify none`). */
  sums: Sums
  etag: string
  versionId?: string
  /** The checksums of the whole object at the destination that its store is known to check or to compute. */
  storedSums?: Sums
  /** Written without a condition, because the store takes none. */
  unconditional?: boolean
  /** The store is known to check part checksums, and accepted all of them. */
  checked?: boolean
  /** The checksums of the store's answers that are evidence. */
  believed?: readonly Sum[]
  /** The destination is a file system of this machine, which has confirmed all writes. */
  written?: boolean
  /** Numbers of the parts that only a read-back can prove. */
  unproved?: number[]
  /** How the store's answer differs from what was sent, as half a sentence. */
  contradiction?: string
  /** The object may be somebody else's; only a read-back can tell. */
  doubtful?: true
  /** The store allows no HEAD, so the size is unknown. */
  unseen?: true
  /** The stored object, if it was looked up. */
  stored?: ObjectHead
  /** Proofs found during the write, besides those that the values above give. */
  proofs?: Proof[]
  /** For an object in one request: all its proofs. */
  proof?: Proof[]
}
