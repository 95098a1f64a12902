import type { FaultRule } from '../common/types'

/** What a store can be told when it starts, and its fault rules. */

export interface Account {
  accessKeyId: string
  secretAccessKey: string
  /** A temporary key: requests must carry it. */
  sessionToken?: string
  /** When it expires (ExpiredToken), by the store's clock, milliseconds since the epoch. */
  expiresMs?: number
  /** The only buckets that this account may use; default all. */
  buckets?: string[]
  /** Its IAM actions, such as `s3:GetObject`; default all. */
  actions?: string[]
}

export interface BucketOptions {
  /** Default: the store's. */
  region?: string
  /** Anyone may list it and read its objects without a signature. */
  publicRead?: boolean
  /** Count and check what is written to it, and discard the bytes. */
  discard?: boolean
  /** Keep all versions of a key: replaced and deleted objects can be read by version id. */
  versions?: boolean
}

export interface StoreOptions {
  /** Default 0: any free one. */
  port?: number
  /** The folder for all data, from which a later start loads it; default: a new temporary folder that `close` removes. */
  dir?: string
  /** Default: one random pair. */
  accounts?: Account[]
  /** Default `us-east-1`. */
  region?: string
  /** Created at the start if they don't exist. */
  buckets?: (string | ({ name: string } & BucketOptions))[]
  /** Default true. False: ignores checksum headers and refuses trailers, as stores did before 2022. */
  checksums?: boolean
  /** What a store without checksums answers to a body with trailers: 501 (NotImplemented, default) or 411. */
  trailerStatus?: 501 | 411
  /** Default true. False: If-Match and If-None-Match are ignored on writes. */
  conditions?: boolean
  /** Default true. False: ETags do not depend on the bytes, as with SSE-KMS. */
  md5Etags?: boolean
  /** ETags that are no MD5s still look like MD5s, without a dash; default false. */
  plainEtags?: boolean
  /** The `x-amz-server-side-encryption` that it reports for every object, such as `aws:kms`; it does not encrypt. */
  encryption?: string
  /** Smallest part, except the last; default 5 MiB. */
  minPartBytes?: number
  /** Entries per page of any listing, by default and at most; default 1,000. */
  pageSize?: number
  /** How far the store's clock is ahead; default 0. */
  clockSkewMs?: number
  /** Refuse parts without a checksum in every upload that was created with one, as MinIO does; default false. */
  requirePartChecksums?: boolean
  /** Default true: a repeated completion is answered again. False: NoSuchUpload, as with MinIO. */
  rememberCompletions?: boolean
  /** Serve HTTPS: PEM texts. */
  tls?: { key: string; cert: string }
  /** Objects whose bytes are generated while they are read: `bucket/key` → bytes. Their buckets are created. */
  synthetic?: Record<string, number>
  /** Fault rules from the start. */
  faults?: FaultRule[]
  /** The seed of the random numbers for fault rules without a seed of their own; default 1. */
  seed?: number

  // --- quirks: differences of other stores from S3 (quirks.js); modes.js has combinations of them
  /** The value of its `Server` header; default `xfer-sandbox`. Empty: it sends none. */
  serverName?: string
  /** Default `removed`. Otherwise the aws-chunked framing of bodies is stored as if it were data. */
  framing?: 'removed' | 'kept'
  /**
   * Default true. False: checksums in headers and trailers, and Content-MD5, are accepted and never compared with the bytes. `completion`: the
   * checksum of a part is compared when its upload is completed; the completion is then refused with 400.
   */
  checksumCheck?: boolean | 'completion'
  /**
   * What a store that compares no checksums does with those that it is sent: stores and echoes them all (`sent`, default);
   * those of uploads and completions, not of bodies (`uploads`); none (`none`).
   */
  checksumEcho?: 'sent' | 'uploads' | 'none'
  /** The checksum that it computes of objects that are written without one, as AWS has done since 2024 (`CRC64NVME`); default none. */
  defaultChecksum?: '' | 'CRC32' | 'CRC32C' | 'CRC64NVME'
  /**
   * Default `amazon`. `google`: it answers like the XML API of Google Cloud Storage, and refuses what that refuses (google.js). It then
   * keeps the CRC-32C and, of objects written in one request, the MD5 of everything.
   */
  mode?: 'amazon' | 'google'
  /** Of the mode `google`: whether the answer to a completion has the checksum; default true. */
  completionHash?: boolean
  /** Default `answered`. Otherwise a GET or HEAD with `partNumber` is answered as if it had none, or with 501. */
  partNumberHead?: 'answered' | 'ignored' | 501
  /** Default true. False: a PUT is answered with the ETag of its bytes, and nothing is kept. */
  keepsPuts?: boolean
  /** Default `right`. Otherwise the first HEAD after a write tells a size that is one too small. */
  headAfterPut?: 'right' | 'wrong-size'
  /** Default `none`. Each of these characters of a key becomes another: a backslash a slash (SeaweedFS), or a colon `_`. */
  foldNames?: 'none' | 'backslash' | 'colon'
  /**
   * Default `of-parts`. `of-bytes`: an object made of parts has the MD5 of its bytes as its ETag, while its completion is answered with
   * that of its parts.
   */
  uploadEtag?: 'of-parts' | 'of-bytes'
  /**
   * Default `kept`. `ignored`: tags are dropped, and `?tagging` is ignored: a PUT overwrites the object with its body. `empty`: the
   * tags of an object without any are an empty body (S3Mock).
   */
  tagging?: 'kept' | 'ignored' | 'empty'
  /** Default `BadDigest`: the code of the refusal of a body that does not match its checksum. SeaweedFS has another. */
  digestCode?: 'BadDigest' | 'InvalidDigest'
  /** Default `value`. `quotes`: a write compares `If-Match`, quotes and all, with the ETag, which has none (radosgw). */
  ifMatch?: 'value' | 'quotes'
  /** Default `cleaned`. Otherwise `aws-chunked` stays in the Content-Encoding if there is another coding as well. */
  contentEncoding?: 'cleaned' | 'kept-aws-chunked'
  /** Content headers that are not stored, in lower case; default none. */
  droppedHeaders?: string[]
  /**
   * Default `right`. What is wrong with lists of keys. Some entries are missing: `overcounted` (the key count is that of all). All are
   * missing, and the list is for another bucket: `foreign-name`. Only an element is missing: `no-count`, `no-start` (`start-after` is also
   * ignored), `no-truncated` (also on pages that are not the last).
   */
  lists?: 'right' | 'overcounted' | 'foreign-name' | 'no-count' | 'no-start' | 'no-truncated'
  /** Default false. True: lists omit `a/b` if there is an object `a` (MinIO). */
  hidesBelow?: boolean
  /** Default `answered`. Otherwise DeleteObjects does nothing and answers with a web page; or reports failures only, or
   * (`not-implemented`, in the mode `google`) refuses it with 400, as Google did until 2026. */
  deletions?: 'answered' | 'page' | 'quiet' | 'not-implemented'
  /** Default `nothing`. Where errors repeat the session token of the request: in the message, or instead of the code. */
  repeats?: 'nothing' | 'message' | 'code'
  /** Default true. False: the entries of lists have no ETag. */
  listEtags?: boolean
  /** Default true. False: nor do answers to GET and HEAD (versitygw, of files that already lie in its folder). */
  etags?: boolean
  /** Default true. False: answers to GET and HEAD have no Last-Modified. */
  times?: boolean
  /**
   * How lists write keys; default `asked`. `replaced`: `encoding-type` is ignored, and characters that XML cannot contain are
   * written as U+FFFD (versitygw).
   */
  listKeys?: 'asked' | 'replaced'
  /** The storage class of objects written without one, such as GLACIER, which cannot be read; default STANDARD. */
  storageClass?: string
  /** Default false. True: the abort of an upload also deletes the object of its key (S3Mock). */
  abortDeletes?: boolean
}

/** The options with every default filled in. */
export type Settings = Required<Omit<StoreOptions, 'dir' | 'tls' | 'buckets' | 'faults' | 'synthetic'>>
