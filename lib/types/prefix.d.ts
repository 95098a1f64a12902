/** Public types of copies of prefixes: see lib/prefix/index.js. */

import type { Progress } from './planning'
import type { Proof } from './public'

export interface ObjectCounts {
  /** Found at the source, by all runs of the job: each is chosen, skipped or filtered. */
  listed: number
  /** Objects to copy, including named ones that do not exist. */
  chosen: number
  copied: number
  /** Objects that need not be copied, or do not exist any more. */
  skipped: number
  /** Left out by name, size or time. */
  filtered: number
  /** Skipped objects that were deleted at the source after they were listed; absent if there are none. */
  gone?: number
  /** Skipped objects that earlier runs of the job dealt with; absent if there are none. */
  earlier?: number
  /** Objects deleted at the destination. */
  deleted: number
  /** Objects that could not be copied or deleted. */
  failed: number
}

export interface PrefixSummary {
  recursive: 'copy' | 'sync'
  source: string
  destination: string
  /** `server` if the store copied any object by itself. */
  engine: string
  /** Within one store: how many of the copied objects the store copied by itself. */
  byStore?: number
  objects: ObjectCounts
  bytes: number
  /** The number of objects by proof. */
  proof: Partial<Record<Proof, number>>
  /** The number of objects whose source has no checksum to compare with; absent if there are none. */
  uncompared?: number
  dryRun?: true
  elapsedMs: number
  bytesPerSecond: number
  invocations: number
  retried: number
  throttled: number
}

export interface PrefixProgress {
  bytesDone: number
  /** The objects chosen so far. */
  bytesTotal: number
  objectsDone: number
  objectsTotal: number
  objectsSkipped: number
  objectsFiltered: number
  objectsFailed: number
  /** There may be more to come. */
  listing: boolean
  inFlight: number
  retried: number
  throttled: number
  slowed?: Progress['slowed']
  away?: Progress['away']
  bytesPerSecond: number
  etaMs?: number
}

export type PrefixEvent =
  | {
      type: 'plan'
      recursive: 'copy' | 'sync'
      source: string
      destination: string
      engine: string
      where: string
      why: string
      concurrency: number
      adapts?: true
      bandwidth?: number
      /** One sentence each; their codes say what they are about. */
      notices: string[]
      /** The code of each notice, in the same order: docs/reference/notices.md. */
      noticeCodes: string[]
      dryRun: boolean
      job?: string
    }
  | {
      type: 'object'
      /** gone: deleted at the source since it was listed. */
      action: 'copy' | 'delete' | 'gone'
      /** The key without the prefix. */
      name: string
      bytes?: number
      etag?: string
      crc32?: string
      versionId?: string
      proof?: Proof[]
      /**
       * The attributes that the copy lacks because the destination did not keep them: names of content headers, `user metadata`,
       * `tags`, `framing` (its content-encoding names that of the upload), `class NAME`, `encryption KIND`.
       */
      lost?: string[]
      /** For a dry run. */
      why?: string
    }
  | { type: 'failure'; name: string; code: string; message: string; hint: string }
  | ({ type: 'progress' } & PrefixProgress)
  | ({ type: 'done' } & PrefixSummary)
