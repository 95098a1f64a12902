/** What the files of this folder hand to each other. */

import type { Found } from '../../destination/conditions'
import type { Side } from '../../job/open'
import type {
  Notice,
  ObjectAttributes,
  ObjectHead,
  Part,
  Proof,
  Sums,
  Task,
  TaskError,
  TaskSuccess,
  WriteCondition,
  XferError,
} from '../../types'
import type { Reported, Weighed } from '../../integrity/evidence'
import type { SumsPlan } from '../../integrity/sums-plan'
import type { Reader } from './reader'

export type End = Pick<Side, 'store' | 'key' | 'text' | 'settings'> & { versionId?: string }

/** The source as it is known now: from a list, from a HEAD, or from what a read said of it. */
export type KnownSource = Pick<ObjectHead, 'bytes' | 'etag'> &
  Partial<Omit<ObjectHead, 'tags'>> & {
    /** Describing ones, of what was asked for by its name; absent: to be guessed, or not of interest. */
    headers?: Record<string, string>
    /** How many; absent: what the headers tell; undefined: nobody could be asked yet. */
    tags?: number | undefined
  }

/** One part through the scheduler, which repeats it. `start`: where it begins in what is read; 0 when absent. */
export type ScheduleOne = (
  bytes: number,
  how: {
    start?: number
    sign(part: Part): Promise<Task>
    explain(error: TaskError): XferError
    /** What the destination has of it, where an attempt may have been carried out. */
    settle?(parts: Part[]): Promise<TaskSuccess[]>
    emit(event: any): void
  },
) => Promise<TaskSuccess>

/** One object that is to be written in one request. */
export interface Order {
  from: End
  to: End
  source: KnownSource
  /** What was at the destination beforehand; absent where nobody looked. */
  before?: Found
  /** Asks for the source again; undefined when it is gone. Absent: a source that changed is an error. */
  ask?(): Promise<KnownSource | undefined>
  /** Whether it is not for one request, as it is now. */
  isLarge?(source: KnownSource): boolean
  /** Told of what happens to it. */
  emit(event: any): void
  /** What was moved so far was in vain. */
  restart(): void
  /** It was written, and the job ends before it is proved. */
  unproved?(): void
}

/** How one attempt is sent. */
export interface SendHow {
  /** What the bytes must be, where that is known: others are not written. */
  known: Sums
  /** The checksums to compute and to send, by what is known of the source. */
  plan(source: KnownSource): SumsPlan
  condition: WriteCondition
}

export interface Sent {
  error?: undefined
  /** Those that it was written with. */
  attributes: ObjectAttributes
  /** The source as the read told it. */
  source: KnownSource
  outcome: TaskSuccess
  /** What the answer to the write told. */
  told: Reported & { etag: string; versionId?: string }
  /** Of what is not copied. */
  notices: Notice[]
}

export interface Failed {
  attributes: ObjectAttributes
  error: XferError
  /** Whether one that was sent may have been written, whatever was said of the last. */
  open: boolean
}

/** How bytes get there: through an engine, or by the store itself. */
export interface Via {
  send(order: Order, source: KnownSource, how: SendHow): Promise<Sent | Failed>
  /** What the answer, and what was found at the destination afterwards, prove of what is stored. */
  weigh(order: Order, attempt: Sent, how: { checked: boolean; stored?: ObjectHead; bytes?: number }): Promise<Weighed>
  /** Whether a HEAD is needed to weigh it. */
  asks(attempt: Sent): boolean
  /** What is there, of an object of the right size whose write may have been carried out. */
  judge(
    order: Order,
    source: KnownSource,
    object: ObjectHead,
  ): Promise<{ verdict: 'ours' | 'other' | 'unknown'; proof: Proof[]; outcome?: TaskSuccess }>
  /** Whether a write is sent its condition; else it is looked at just before. */
  keepsConditions: boolean
  /** Reads what was written, to compare it; absent: no byte passes an engine. */
  reader?: Reader
}
