/** The public face of copies of prefixes: see lib/prefix/index.js. */

import type { Progress } from './planning'
import type { Proof } from './public'

export interface ObjectCounts {
  /** Found at the source, by all runs of the job: each is chosen, skipped or filtered. */
  listed: number
  /** To be copied, those among them that were named and are not there. */
  chosen: number
  copied: number
  /** They need not be copied, or are not there any more. */
  skipped: number
  /** Left out by name, size or time. */
  filtered: number
  /** Of those that were skipped: deleted at the source between being listed and being read; absent where none was. */
  gone?: number
  /** Of those that were skipped: dealt with by earlier runs of the job; absent where none was. */
  earlier?: number
  /** At the destination. */
  deleted: number
  /** They could not be copied, or not be deleted. */
  failed: number
}

export interface PrefixSummary {
  recursive: 'copy' | 'sync'
  source: string
  destination: string
  /** `server` where the store copied any. */
  engine: string
  /** Within one store: how many of those that were copied it copied by itself. */
  byStore?: number
  objects: ObjectCounts
  bytes: number
  /** How many objects were proved with what. */
  proof: Partial<Record<Proof, number>>
  /** How many objects have a source that keeps nothing that what was read could be compared with; absent where none has. */
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
  /** Of what was chosen so far. */
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
      /** One sentence each; what they are about is told by their codes. */
      notices: string[]
      /** Of each notice, in the same order: docs/reference/notices.md. */
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
       * What of its attributes the copy lacks, for its destination did not keep it: names of content headers, `user metadata`,
       * `tags`, `framing` (its content-encoding names that of the upload), `class NAME`, `encryption KIND`.
       */
      lost?: string[]
      /** Of a dry run. */
      why?: string
    }
  | { type: 'failure'; name: string; code: string; message: string; hint: string }
  | ({ type: 'progress' } & PrefixProgress)
  | ({ type: 'done' } & PrefixSummary)
