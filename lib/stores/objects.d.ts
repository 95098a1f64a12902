/** What stores are asked for, and what they tell: shapes of the contract. */

export interface PartLimits {
  minBytes: number
  maxBytes: number
  maxParts: number
  /** Every part but the last must have the same size. */
  equalParts: boolean
}

/** Content headers and user metadata that travel with an object; names in lower case. */
export interface ObjectMetadata {
  /** Of content-type, cache-control, content-encoding, content-language, content-disposition, expires. */
  headers: Record<string, string>
  /** User metadata, by the names that the user gave. */
  user: Record<string, string>
}

/** What is written with an object's bytes: all that a copy keeps of its source, or gets by option. */
export interface ObjectAttributes {
  metadata: ObjectMetadata
  /** In the source's order; absent or empty: none. */
  tags?: Array<[key: string, value: string]>
  /** As the store names it; the destination's usual one when absent. */
  storageClass?: string
  /** What the bucket does by itself when absent. A customer's own key (SSE-C) is a setting of the side, not of the object. */
  encryption?: { kind: string; keyId?: string }
}

export interface ObjectHead {
  bytes: number
  /** With its quotes, as the store sent it. */
  etag: string
  versionId?: string
  lastModifiedMs?: number
  metadata: ObjectMetadata
  /** Checksums the store keeps: base64 CRC-32 and whether it is of the whole object or of its parts' checksums. */
  checksum?: { crc32: string; type: 'FULL_OBJECT' | 'COMPOSITE' }
  /** Its ETag says nothing of its bytes, for it is encrypted with a key that the store does not keep itself (SSE-KMS, SSE-C). */
  encrypted?: boolean
  /** How it is encrypted, as far as the store says. */
  encryption?: ObjectAttributes['encryption']
  /** Absent where it is the usual one. */
  storageClass?: string
  /** How many tags it has, where the store says so: some say it to those alone who may read them, some to nobody. */
  tags?: number
  /** Where a website sends who asks for it; no copy is given one. */
  redirect?: string
  /** What else it has that a copy is not given: for people, such as `its object lock`. */
  unkept?: string[]
  /** Its Content-Encoding as its store tells it, where that names the framing of an upload (`aws-chunked`); `metadata` has it without. */
  framed?: string
}

/** What describes an object: the part of ObjectHead that its answer's describing headers tell. */
export type ObjectDescription = Pick<
  ObjectHead,
  'metadata' | 'encryption' | 'storageClass' | 'tags' | 'redirect' | 'unkept' | 'framed'
>

export interface Upload {
  id: string
  /** Whether the store echoed the checksum that was asked for. */
  checksums: boolean
  /** None was asked for, by `--verify none` or `size`. */
  plain?: true
  /** Its store is known to check the checksums of its parts. */
  checked?: boolean
  /** An earlier run of the job may have asked for its completion: what came of that is not known. */
  asked?: boolean
  /** As of ObjectHead. */
  encrypted?: boolean
  /** What of the attributes the store refused. */
  without?: import('../types/writing').Concession[]
  /** Why without its tags, half a sentence; absent of one that an earlier run began. */
  refusal?: string
}

export interface UploadedPart {
  partNumber: number
  etag: string
  bytes: number
  crc32?: number
}

export interface StoredPart {
  partNumber: number
  etag: string
  bytes: number
  /** Of the bytes, an unsigned 32-bit integer, where the store keeps it. */
  crc32?: number
}

export interface StoredUpload {
  key: string
  id: string
  initiatedMs?: number
  /** By whom it was begun, as the store names them; absent where it does not tell. */
  initiator?: string
}

export interface ListedObject {
  key: string
  bytes: number
  etag: string
  lastModifiedMs?: number
  /** Absent where it is the usual one. */
  storageClass?: string
  /** The store may have another key than it could write. */
  doubtful?: boolean
}

/** What the destination must hold when it is written; nothing asked when empty. */
export interface WriteCondition {
  /** No object at all. */
  ifNoneMatch?: boolean
  /** The object with this ETag. */
  ifMatch?: string
}

export interface CompletedObject {
  etag: string
  versionId?: string
  checksum?: { crc32: string; type: string }
}

/** An object in a store that is to copy it by itself, and only while it has this ETag: made by its store, for its store. */
export interface CopySource {
  bucket: string
  key: string
  etag: string
  versionId?: string
  requestPayer?: boolean
  customerKey?: () => Record<string, string>
}

export interface ObjectCopy {
  from: CopySource
  key: string
  attributes: ObjectAttributes
  /** What is taken from the source as it is there, whatever the attributes say. */
  keep: { metadata: boolean; tags: boolean }
  condition?: WriteCondition
  /** Whether the store is to compute the copy's CRC-32. */
  checksum: boolean
}

export interface PartCopy {
  from: CopySource
  /** The whole object when absent. */
  range?: { start: number; end: number }
  key: string
  uploadId: string
  partNumber: number
}
