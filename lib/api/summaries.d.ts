/** What `copy`, `copyPrefix` and `verify` resolve to. Sizes are bytes, durations are milliseconds. */

import type { EngineName } from './codes'

/** A proof of a copy; docs/integrity.md says what each is worth. */
export type Proof =
  | `${'store' | 'stored' | 'source'}-${'crc32' | 'crc32c' | 'crc64nvme'}`
  | `source-${'etag' | 'md5' | 'read'}`
  | 'part-md5'
  | 'read-back'
  /** The destination is a file: the kernel took every byte whose checksum was computed, and has put them on the disk. */
  | 'written'
  /** The store copied it by itself, from a source pinned by its ETag, and confirmed it. */
  | 'store'
  | 'size'

/** From where and to where, as it was typed. */
export interface Ends {
  /** Its location. */
  source: string
  /** Its location. */
  destination: string
}

/** A checksum. */
export type SumName = 'crc32' | 'crc32c' | 'crc64nvme' | 'md5'

/** What a copy has in addition to its bytes. */
export interface AttributeSummary {
  /** The content headers, by name in lower case. */
  headers: Record<string, string>
  /** The number of entries of user metadata. */
  user: number
  /** The number of tags. */
  tags: number
  storageClass?: string
  /** The store's name for it; absent: the bucket's default. */
  encryption?: string
  /** With `mtime`: seconds since the epoch, as the user metadata `mtime` has it. */
  mtime?: string
}

/** Requests to one store, by the kinds that price lists tell apart: `GET`, `HEAD`, `LIST`, `PUT`, `COPY`, `POST`, `DELETE`. */
export type RequestCounts = Record<string, number>

/** What a job used; of a dry run: what it used, and what the copy would use in addition. */
export interface JobUsage {
  /** Requests to stores on a network. */
  requests: { source: RequestCounts; destination: RequestCounts }
  /** Bytes of objects that left a store on a network: read to be copied, or to prove a copy. */
  bytesOut: { source: number; destination: number }
  /** Invocations of a platform's function: 0 on this machine. */
  invocations: number
  /** How long the functions ran, in seconds, by their memory in GiB. */
  gbSeconds?: number
}

/** What a job costs by list prices, in US dollars. */
export interface JobCost {
  /** `count` is in the price's `unit`: `amount` is `count` times `price`. */
  lines: Array<{
    what: string
    count: number
    unit: string
    price: number
    amount: number
    source: string
    date: string
  }>
  /** The sum of the lines. */
  total: number
  currency: 'USD'
  /** What was used and has no known price. */
  unknown: string[]
  /** What is taken for granted, and what else to know, in sentences. */
  notes: string[]
}

/** What a job took. */
export interface TransferCounts {
  /** How long it took, in milliseconds. */
  elapsedMs: number
  /** The rate. */
  bytesPerSecond: number
  /** Invocations of the function. */
  invocations: number
  /** Attempts that were repeated. */
  retried: number
  /** Refusals by the platform or a store that had too much to do. */
  throttled: number
  /** Every summary of a job has it. */
  usage?: JobUsage
  /** Of a dry run, and where a price was asked for. */
  cost?: JobCost
}

/**
 * What keeps more invocations from starting: a store that throttles; the platform, which refuses; its `containers`, for one of
 * which some of those in flight wait; its `quota` of a minute; new environments of the function (`starts`); an option (`bandwidth`, `concurrency`); the most of the engine;
 * `machine`: more at once were not faster; `parts`: nothing waits; `retries`: what waits failed a moment ago.
 */
export interface Bound {
  by:
    | ('source' | 'destination' | 'platform' | 'containers' | 'quota' | 'starts' | 'bandwidth' | 'concurrency')
    | ('engine' | 'machine' | 'parts' | 'retries' | 'outage')
  /** Invocations at once that it allows. */
  limit?: number
  /** Of `parts`: how many parts and small objects are in flight, many of them perhaps in one invocation. */
  carried?: number
  /** Of an outage. */
  peer?: 'source' | 'destination' | 'store' | 'platform'
}

/** What a copy waited for most. */
export interface HeldBack {
  /**
   * A store that refused, `source` or `destination`; the platform's `quota`; an option, `bandwidth` or `concurrency`; this
   * `machine` and its network; the `tail`, the last parts; `parts`, which are too few; `listing`; `assembling`; `retries`; an `outage`.
   */
  by:
    | ('source' | 'destination' | 'quota' | 'bandwidth' | 'concurrency' | 'machine' | 'tail' | 'parts')
    | ('listing' | 'assembling' | 'retries' | 'outage')
  /** One sentence, with the numbers. */
  message: string
  /** The option that changes it, if one does. */
  option?: 'bandwidth' | 'concurrency' | 'chunk' | 'engine'
}

/** The result of `copy`. */
export interface Summary extends Ends, TransferCounts {
  /** The source is deleted; in a dry run, would be. */
  move?: true
  /** The size of the object, in bytes. */
  bytes: number
  parts: number
  /** The size of a part, in bytes. */
  partBytes: number
  /** Absent from a short copy, and where nothing can be said. */
  heldBack?: HeldBack
  /** `put`: one request; `multipart`: an upload in parts. */
  route: 'put' | 'multipart'
  /** What moved the bytes; `server`: the store by itself. */
  engine: EngineName
  /** The copy's ETag. This and the next three are absent from a dry run. */
  etag?: string
  /** The copy's version, if its bucket keeps versions. */
  versionId?: string
  /** Base64 of the four bytes, most significant first; absent if it was not computed. */
  crc32?: string
  /** The checksums that were computed of its bytes, on the way or by the destination, in lower-case hex; absent if there are none. */
  sums?: Partial<Record<SumName, string>>
  /** Nothing was done. */
  dryRun?: true
  /** Of a dry run: the object at the destination that the copy would replace; absent if there is none, or none to be seen. */
  replaces?: { bytes: number; etag: string }
  /** What it was given in addition to its bytes; in a dry run, what it would be given. */
  attributes: AttributeSummary
  /** What the copy was proved with. */
  proof: Proof[]
  /** The source has no ETag that can be compared: that it did not change meanwhile is known by its Last-Modified and its size. */
  pinnedByTime?: true
  /** The source has no checksum that the copy could be compared with. */
  uncompared?: true
  /** It was uploaded in parts: with `--chunk match` the copy may have its ETag, and be compared by it. */
  matchable?: true
  /**
   * How the write's condition was ensured: by the store itself; by a check before the write, because the store may ignore
   * conditions; or only by the condition in the request, because the credentials may not read the destination.
   */
  condition?: 'atomic' | 'checked' | 'asked'
  /** Bytes of parts that an earlier run of the job had copied. */
  resumedBytes: number
  /** Bytes of parts that were hedged: started a second time because they were stragglers. */
  hedgedBytes: number
}

/** Counts of the objects of a prefix. */
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

/** The result of `copyPrefix`. */
export interface PrefixSummary extends Ends, TransferCounts {
  recursive: 'copy' | 'sync'
  /** The sources of the copied objects are deleted; in a dry run, would be. */
  move?: true
  /** `server` if the store copied any object by itself. */
  engine: EngineName
  /** Within one store: how many of the copied objects the store copied by itself. */
  byStore?: number
  objects: ObjectCounts
  /** Absent from a short copy, and where nothing can be said. */
  heldBack?: HeldBack
  /** Bytes copied. */
  bytes: number
  /** Those of them that earlier runs of the job had copied, of objects that they left unfinished. */
  resumedBytes: number
  /** The number of objects by proof. */
  proof: Partial<Record<Proof, number>>
  /** The number of objects whose source has no ETag that can be compared, so that its Last-Modified and its size pinned it; absent if there are none. */
  pinnedByTime?: number
  /** The number of objects whose source has no checksum to compare with; absent if there are none. */
  uncompared?: number
  /** The filters that matched no name; absent if there are none, or if the job was resumed and did not list every name. */
  unmatched?: Array<{ include: string } | { exclude: string }>
  /** Nothing was done. */
  dryRun?: true
}

/** The result of a `download`, in its event `done`: all bytes were handed out. */
export interface Download extends TransferCounts {
  /** Its location. */
  source: string
  /** Those that were handed out. */
  bytes: number
  engine: EngineName
  /** The object's ETag: every range was of this object. Empty if its server sends no ranges: it was read at once. */
  etag: string
  /** The object's version, if its bucket keeps versions. */
  versionId?: string
  /** The checksums that were computed of its bytes, in lower-case hex; absent if there are none. */
  sums?: Partial<Record<SumName, string>>
  /** What proved that the bytes are those of the source; empty if nothing did. */
  proof: Proof[]
  /** The source has no checksum that they could be compared with. */
  uncompared?: true
}

/** What proved two objects equal: checksums or ETags of both stores, or reading. */
export type VerifyMethod = `stored-${SumName}` | 'etag' | 'composite-crc32' | 'read'

/** What proved a pair below two prefixes equal; `empty`: both have no bytes. */
export type PairMethod = VerifyMethod | 'empty'

/** Counts of the names below two prefixes. */
export interface PairCounts {
  /** Names that either side has, and that the filters do not leave out. */
  listed: number
  equal: number
  /** Both sides have an object of this name, and they are not equal. */
  differing: number
  /** Only the source has it. */
  missing: number
  /** Only the destination has it; 0 with `oneWay`. */
  extra: number
  /** It could not be compared. */
  failed: number
  /** Left out by name, size or time. */
  filtered: number
}

/** The result of `verifyPrefix`: everything is equal. */
export interface PrefixVerification extends Ends, TransferCounts {
  recursive: 'verify'
  engine: EngineName
  pairs: PairCounts
  /** The number of equal pairs by what proved them. */
  methods: Partial<Record<PairMethod, number>>
  /** The size of the equal objects of the source, in bytes. */
  bytes: number
  /** Bytes that were read; `bytesPerSecond` is the rate of these. */
  readBytes: number
  /** The filters that matched no name; absent if there are none. */
  unmatched?: Array<{ include: string } | { exclude: string }>
  /** With `sample`: of how many objects of the manifest those were drawn that were compared. */
  sampledOf?: number
}

/** The result of `verify`: the objects are equal. */
export interface Verification extends Ends, TransferCounts {
  /** The size of both objects, in bytes. */
  bytes: number
  method: VerifyMethod
  /** Which checksum `value` is, if the objects were read. */
  sum?: SumName
  /** The checksum (base64; an MD5 in hex), the composite CRC-32 or the ETag of both. */
  value: string
  engine: EngineName
  /** Bytes that were read; `bytesPerSecond` is the rate of these. */
  readBytes: number
  /** Bytes of ranges that were started a second time. */
  hedgedBytes: number
}

/** An invocation that has begun and not ended. */
export interface UnderWay {
  /** Of its first part, or range; 1: of a whole object, perhaps. */
  partNumber: number
  /** How many parts, or objects, it moves; absent: one. */
  tasks?: number
  /** Of all of them. */
  bytes: number
  /** Of one part: moved so far, by engines that tell it. */
  bytesDone?: number
  forMs: number
}

/** Of a job that functions run, for its report. cost: with the option `cost`, of all that, by list prices. */
export interface RunnerReport {
  engine: string
  where: string
  runs: number
  gbSeconds: number
  calls: number
  functionGbSeconds: number
  cost?: JobCost
}
