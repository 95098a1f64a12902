/** The public face: see lib/commands/copy.js. */

import type { TaskSuccess } from './data'
import type { Engine, EngineLimits } from '../engines/contract'
import type { CopySource, ObjectAttributes, ObjectHead } from '../stores/contract'
import type { JobState, JournalFact } from './journal'
import type { ObjectCounts, PrefixEvent } from './prefix'
import type { OutageEvent, Part, Plan, Progress, SchedulerEvent } from './planning'

type XferError = import('../errors').XferError

/** The same, read: see lib/options/attributes.js. */
export interface AttributeWish {
  metadata: 'copy' | 'replace'
  /** Content headers and user metadata that were given, a character a byte. */
  given: { headers: Record<string, string>; user: Record<string, string> }
  tags: 'copy' | 'none'
  storageClass: { copy: true } | { name: string }
  encryption?: ObjectAttributes['encryption']
  mtime: boolean
}

/** What a copy was given beside its bytes, in short. */
export interface AttributesTold {
  /** By name. */
  headers: Record<string, string>
  /** How many entries of user metadata. */
  user: number
  /** How many. */
  tags: number
  storageClass?: string
  /** As its store names it; absent: what the bucket does by itself. */
  encryption?: string
  /** Of `--mtime`: seconds since the epoch, as the user metadata `mtime` has it. */
  mtime?: string
}

/** The journal as a copy sees it. */
export interface JobJournal {
  /** Whether there is one: a job without cannot be gone on with. */
  kept: boolean
  state: JobState
  /** It was opened by a path outside the folder of journals: lib/job/foreign-journal.js. */
  brought?: boolean
  /** Resolves once it is on the disk, or cannot be put there, which the user is told. */
  write(fact: JournalFact): Promise<void>
  note(fact: JournalFact): void
  /** Ids of the uploads of all jobs. */
  uploads(): Promise<string[]>
  /** The copy is done. */
  over(): Promise<void>
  /** It ended early: resolves to the error that says how it is gone on with, where it can be. */
  end(error: XferError, settings: { onFailure: string }): Promise<XferError>
  close(): Promise<void>
}

/** Invocations that nobody waits for any more: see lib/transfer/detached.js. */
export interface Late {
  run: Engine['run']
  count(): number
  ended(limitMs: number): Promise<void>
}

/** What either route is given: the job, the source as it was found, and the plan. */
export interface WriteWork {
  job: import('../job/open').Context
  object: ObjectHead
  /** What is written with the bytes. */
  attributes: ObjectAttributes
  plan: Plan
  /** Invocations at once. */
  concurrency: number
  limits: EngineLimits
  /** Undefined: as many as the quota makes better. */
  partsPerInvocation: number | undefined
  /** Tells whoever counts that every part is to be copied again. */
  restart: () => void
  /** Likewise, that these ranges are read to prove the copy; returns whom to tell what happens then. */
  reading: (ranges: Part[]) => import('../job/open').Run['emit']
  /** Its parts are copied by the store of both sides, from here; absent: through the engine. */
  copies?: CopySource
  /** How parts are copied: by themselves when absent; below a prefix with those of other objects. */
  schedule?: (parts: Part[], how: Parameters<typeof import('../schedule').runParts>[1]) => Promise<TaskSuccess[]>
  /** Of the prefix; its own when absent. */
  late?: Late
}

/** What a route leaves behind. */
export interface Written {
  outcomes: TaskSuccess[]
  /** Of the whole object; absent where it was not computed (`--verify none`). */
  crc32?: number
  etag: string
  versionId?: string
  /** The full-object CRC-32 that the destination gave back, base64. */
  storedCrc32?: string
  /** The store takes no conditions: it was written without. */
  unconditional?: boolean
  /** Its store is known to check the checksums of its parts, and took them all. */
  checked?: true
  /** Numbers of the parts that nothing proves but a reading back. */
  unproved?: number[]
  /** What the store says of it is not what was sent, as half a sentence. */
  contradiction?: string
  /** It may be somebody else's: nothing tells but a reading. */
  doubtful?: true
  /** The store does not let it be looked at, so that its size is not known. */
  unseen?: true
  /** It was read back already, or need not be. */
  settled?: true
  /** What of the attributes the store refused, so that it was written without. */
  without?: Concession[]
  /** Why without its tags, half a sentence. */
  refusal?: string
  /** The object as it was found there, where somebody has looked. */
  stored?: ObjectHead
  /** What was found out on the way, beside what the values above prove. */
  proofs?: Proof[]
  /** All that is proved, of an object of one request. */
  proof?: Proof[]
  /** What of the attributes it was written with, likewise. */
  granted?: ObjectAttributes
}

/** What a write goes without where its store refuses it: see lib/object/attributes/fallbacks.js. */
export type Concession = 'tags' | 'storageClass'

/** What a copy was proved with; see docs/integrity.md. */
export type Proof =
  | 'store-crc32'
  | 'stored-crc32'
  | 'source-crc32'
  | 'source-etag'
  | 'source-md5'
  | 'source-read'
  | 'part-md5'
  | 'read-back'
  /** Its store copied it by itself, and said so, of a source that it was pinned to. */
  | 'store'
  | 'size'

export interface Summary {
  source: string
  destination: string
  bytes: number
  parts: number
  partBytes: number
  route: 'put' | 'multipart'
  engine: string
  /** Of the copy; absent, as the next two, of a dry run. */
  etag?: string
  versionId?: string
  /** Base64 of the four bytes, most significant first; absent with `--verify none`. */
  crc32?: string
  dryRun?: true
  /** What it was given beside its bytes; of a dry run, would have been. */
  attributes: AttributesTold
  proof: Proof[]
  /** The source keeps nothing that what was read could be compared with. */
  uncompared?: true
  /**
   * Of the write's condition: kept by the store itself; looked at beforehand, for this store may not keep it; or asked of
   * the store alone, which did not let us look.
   */
  condition?: 'atomic' | 'checked' | 'asked'
  /** Of parts that an earlier run of the job had copied. */
  resumedBytes: number
  elapsedMs: number
  bytesPerSecond: number
  invocations: number
  retried: number
  throttled: number
  /** Of parts that were started a second time because the first was far behind. */
  hedgedBytes: number
}

export type CopyEvent =
  | SchedulerEvent
  | OutageEvent
  | {
      type: 'plan'
      source: string
      destination: string
      bytes: number
      parts: number
      partBytes: number
      route: 'put' | 'multipart'
      engine: string
      where: string
      why: string
      concurrency: number
      /** That is the most: how many help is found out. */
      adapts?: true
      /** Bytes a second, at most; absent where there is no limit. */
      bandwidth?: number
      /** One sentence: of a chunk that `auto` chose. */
      chunkWhy?: string
      /** Bytes of the copy that are read back once it is complete; absent where that is not known to be needed. */
      readBack?: number
      /** One sentence each; what they are about is told by their codes. */
      notices: string[]
      /** Of each notice, in the same order: docs/reference/notices.md. */
      noticeCodes: string[]
      /** What it is given beside its bytes. */
      attributes: AttributesTold
      dryRun: boolean
      /** The job's id; absent where none is kept. */
      job?: string
    }
  /** The job is gone on with: what it has already. */
  | { type: 'resume'; job: string; parts: number; bytes: number }
  /** What a user should know of a job that goes on. code: docs/reference/notices.md; message: one sentence. */
  | { type: 'notice'; code: string; message: string }
  | { type: 'retry'; call: string; side: string; attempt: number; code: string; message: string }
  | ({ type: 'progress' } & Progress)
  | ({ type: 'done' } & Summary)
  | {
      type: 'error'
      code: string
      message: string
      hint: string
      exitCode: number
      job?: string
      objects?: ObjectCounts
    }

/** `time`: ISO 8601, UTC. */
/** Of any copy. */
export type AnyEvent = CopyEvent | PrefixEvent

export type XferEvent = AnyEvent & { time: string }
