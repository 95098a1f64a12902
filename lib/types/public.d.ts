/** Results and events of a copy, as its caller sees them. */

import type { ObjectCounts, PrefixEvent } from './prefix'
import type { OutageEvent, Progress, SchedulerEvent } from './planning'

/** The attributes of a copy, in short. */
export interface AttributesTold {
  /** The content headers, by name. */
  headers: Record<string, string>
  /** The number of entries of user metadata. */
  user: number
  /** The number of tags. */
  tags: number
  storageClass?: string
  /** The store's name for it; absent: the bucket's default. */
  encryption?: string
  /** With `--mtime`: seconds since the epoch, as the user metadata `mtime` has it. */
  mtime?: string
}

/** The proofs of a copy; see docs/integrity.md. */
export type Proof =
  | 'store-crc32'
  | 'stored-crc32'
  | 'source-crc32'
  | 'source-etag'
  | 'source-md5'
  | 'source-read'
  | 'part-md5'
  | 'read-back'
  /** The store copied it by itself, from a source pinned by its ETag, and confirmed it. */
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
  /** The copy's ETag. This and the next two are absent from a dry run. */
  etag?: string
  versionId?: string
  /** Base64 of the four bytes, most significant first; absent with `--verify none`. */
  crc32?: string
  dryRun?: true
  /** The attributes that it was given; in a dry run, that it would be given. */
  attributes: AttributesTold
  proof: Proof[]
  /** The source has no checksum that the copy could be compared with. */
  uncompared?: true
  /**
   * How the write's condition was ensured: by the store itself; by a check before the write, because the store may ignore
   * conditions; or only by the condition in the request, because the credentials may not read the destination.
   */
  condition?: 'atomic' | 'checked' | 'asked'
  /** Bytes of parts that an earlier run of the job had copied. */
  resumedBytes: number
  elapsedMs: number
  bytesPerSecond: number
  invocations: number
  retried: number
  throttled: number
  /** Parts that were hedged: started a second time because they were stragglers. */
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
      /** `concurrency` is the maximum; how many of these help is measured. */
      adapts?: true
      /** The maximum rate in bytes per second; absent if there is no limit. */
      bandwidth?: number
      /** Why `auto` chose this chunk size; one sentence. */
      chunkWhy?: string
      /** Bytes of the copy to read back once it is complete; absent if no read-back is planned. */
      readBack?: number
      /** One sentence each; their codes say what they are about. */
      notices: string[]
      /** The code of each notice, in the same order: docs/reference/notices.md. */
      noticeCodes: string[]
      /** The attributes that the copy gets. */
      attributes: AttributesTold
      dryRun: boolean
      /** The job's id; absent if no journal is kept. */
      job?: string
    }
  /** The job is resumed: what it has copied already. */
  | { type: 'resume'; job: string; parts: number; bytes: number }
  /** Something that the user should know about a running job. code: docs/reference/notices.md; message: one sentence. */
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
/** The events of any copy. */
export type AnyEvent = CopyEvent | PrefixEvent

export type XferEvent = AnyEvent & { time: string }
