/** Results and events of a copy, as its caller sees them. */

import type { ObjectCounts, PrefixEvent } from './prefix'
import type { OutageEvent, Plan, Progress, SchedulerEvent } from './planning'

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
