/**
 * The contract of stores: what the program asks of a store, and nothing else. A new store is a folder beside s3/ and an entry in
 * index.js; test/contract/store.js is the suite that it must pass.
 *
 * What an implementation must keep: it never repeats a call for a failure (`withRetry` does, from outside); the `…Request`
 * functions make one signed request for one attempt, and ask nothing of the network beyond credentials; every refusal is an
 * XferError of the table of errors, with the store's `facts` among its own.
 */

import type { OptionSpec } from '../options/contract'
import type { AnswerRule, DataRequest } from '../types/data'
import type { SideOptions } from '../types/options'
import type {
  CompletedObject,
  CopySource,
  ListedObject,
  ObjectAttributes,
  ObjectCopy,
  ObjectDescription,
  ObjectHead,
  PartCopy,
  PartLimits,
  StoredPart,
  StoredUpload,
  Upload,
  UploadedPart,
  WriteCondition,
} from './objects'

export * from './objects'

type XferError = import('../errors').XferError

/** A kind of store, as the registry has it: what can be done before anything is asked. */
export interface StoreFactory<Settings extends StoreSettings = StoreSettings> {
  /** In lower case: what stands before `://`. */
  schemes: string[]
  /** A place, for people. */
  example: string
  /** The ways to write one, as the end of a sentence. */
  forms: string
  /** Of each side, and of what is written. */
  options: OptionSpec[]
  /**
   * What the user typed, its scheme included. That a source has no key, and whether the key can be one, is found out by others.
   *
   * @throws XferError BAD_LOCATION
   */
  parse(text: string, side: 'source' | 'destination'): Place
  /** Why this cannot be a key, half a sentence behind "the key"; undefined where it can. */
  keyFault(key: string): string | undefined
  /**
   * From options, environment and files; asks no network.
   *
   * @throws XferError of exit status 2 or 4
   */
  settings(
    place: Place,
    side: 'source' | 'destination',
    options: SideOptions,
    env: NodeJS.ProcessEnv,
  ): Promise<Settings>
  /** Throws USAGE where attributes do not go with the settings of a destination. */
  checkAttributes?(settings: Settings, attributes: { encryption?: unknown }): void
  /** What answers "is that the same store?" */
  identify(place: Place, settings: Settings): Identity
  /** now: this machine's clock, epoch milliseconds. */
  open(place: Place, settings: Settings, now?: () => number): Store
}

export interface Place {
  scheme: string
  /** The bucket, or whatever holds objects. */
  container: string
  /** '' where none was given. */
  key: string
  /** Options of the side that the place itself names. */
  options?: SideOptions
}

/** Texts to compare, and nothing else. */
export interface Identity {
  /** Equal, with equal containers and keys, for two places that are one object. A journal keeps it; undefined is one, too. */
  host: string | undefined
  /** Equal for two places that one server answers for: they fail together, and their requests are limited together. */
  server: string
  /** Equal for two places between which the store can copy by itself. */
  copies: string
  /** Of the store, for people. */
  name: string
}

/** What a store is opened with. Its factory adds what is its own. */
export interface StoreSettings {
  side: 'source' | 'destination'
  /** Certificates to trust beside the usual ones, PEM. */
  ca?: string
  /** How long the store may be silent; 30 000 when absent. */
  silenceMs?: number
  /** The version of the object that is meant. */
  versionId?: string
  /** As options of the side, what a journal keeps to find the same store again: no secret. */
  keep: SideOptions
}

/** An answer that is no success, to a data request. */
export interface Answer {
  of: 'read' | 'write'
  status: number | undefined
  /** The store's own code of the error, as the function has read it. */
  storeCode?: string
  /** The beginning of the answer's body, where nobody has read a code in it. */
  body?: string
  /** The write carried a checksum, and the store has taken none yet: it may be refused for that. */
  checksum?: boolean
  /** What else is known of it, for the error's facts. */
  [fact: string]: unknown
}

/** What a store says of an error beside its code: nobody else looks at the store's own codes. */
export interface RefusalFacts {
  /** There is no object of this key: said of conditional writes and of uploads too. */
  noSuchKey?: true
  /** The store does not know what it was asked for, or something in it. */
  notImplemented?: true
  /** Of a completion: the parts are not those that the store has. */
  partsDiffer?: true
  /** It may be refused because no checksum came with it. */
  mayWantChecksum?: true
  /** The request is wrong as such: it has nothing to do with the bytes of the parts. */
  ofTheRequest?: true
  /** It has to do with who asks, and when, and not with what was sent. */
  ofTheCaller?: true
  /** It is the completion of an upload that failed. */
  completes?: true
  /** The permission that the call needs, as the store names it. */
  permission?: string
  /** What to ask for, as the end of a sentence. */
  needs?: string
  /** Likewise, for writing tags. */
  needsForTags?: string
  /** Likewise, for finding and aborting uploads. */
  needsToClear?: string
}

/** Of an object of which the store keeps several versions, one; the newest when absent. */
export interface VersionOptions extends CallOptions {
  versionId?: string
}

export interface CallOptions {
  signal?: AbortSignal
  /** Told of each failure after which the call is repeated. */
  onRetry?: (error: XferError) => void
}

/** Checksums that a store may know. */
export type Sum = 'crc32' | 'crc32c' | 'crc64nvme' | 'md5'

/** What a store can do. Some of it is learnt while it answers: ask each time, and keep no answer. */
export interface Abilities {
  /** `local` when only this machine can reach it (loopback), so that a cloud function can't. */
  readonly reach: 'network' | 'local'
  /** Its requests carry a secret that no function may have. */
  readonly keyed: boolean
  /** It lists uploads by the beginning of their keys, and not by whole keys alone. */
  readonly listsUploadsByPrefix: boolean
  readonly sums: {
    /** What it keeps of an object. */
    readonly stored: readonly Sum[]
    /** With which of them it is known to refuse bytes that are not the ones that were sent. */
    readonly checked: readonly Sum[]
  }
  /** Where a write carries the checksum of its bytes. */
  readonly sumAt: 'trailer' | 'header' | 'none'
  /** What the ETag of a part is, of an object that is not encrypted: its MD5, or a text that says nothing. */
  readonly partTag: 'md5' | 'opaque'
  /** Absent where it makes no copies by itself. */
  readonly serverCopy?: {
    /** It is known to keep the condition of `copyObject` at the moment of the write. */
    readonly conditional: boolean
    /** A copy that keeps what describes the source keeps its `expires`, too. */
    readonly keepsExpires: boolean
  }
  /** It is known to keep content headers and user metadata as they are sent. */
  readonly keepsMetadata: boolean
  /** Its lists leave out `a/b` where there is an object `a`. */
  readonly hidesBelow: boolean
}

export interface Store {
  scheme: string
  /** What its errors say of it: side, bucket, endpoint. */
  facts: Record<string, any>
  /** For people: where the store is, without credentials. */
  endpoint: string
  /** Where requests will go, as far as that is known before anything is asked. */
  origin: string
  /** Finds the credentials; false where requests are not signed. */
  authenticate(): Promise<boolean>
  /** Certificates to trust beside the usual ones, PEM. */
  ca?: string
  can: Abilities
  limits: PartLimits
  /** What success looks like in the answers to its data requests, and what they tell: it goes to the action with the task. Absent: as the action assumes. */
  accepts?: { read: AnswerRule; put: AnswerRule; part: AnswerRule }
  /** What the answer to a read tells of the object; of its headers those that the task had it tell, names in lower case. */
  readDescription(headers: Record<string, string>): ObjectDescription & Pick<ObjectHead, 'checksum' | 'encrypted'>
  /** Likewise, the answer to the write of a whole object. */
  readWritten(headers: Record<string, string>): Pick<ObjectHead, 'checksum' | 'encrypted' | 'versionId'>
  /** The headers by which a read of an object so described describes it: what a task is told to expect. */
  describingHeaders(description: ObjectDescription): Record<string, string>
  /** What an answer to a data request means: the one place that knows the store's error codes, and the permissions to ask for. */
  explain(answer: Answer): XferError
  /** The store's clock, as its answers have shown it, in milliseconds since the epoch. */
  now(): number
  /** The store said that the credentials have expired with which this request was signed: whether there are others now. */
  renew(request: DataRequest): Promise<boolean>
  /**
   * The store refused this request, and said what time it is by its clock: whether it was signed by another one, or long ago,
   * so that it may take one that is signed now. No time: an action from before it was told.
   */
  signsAnew(request: DataRequest, dateMs: number | undefined): boolean
  /** A small request of the bucket: whether the store answers at all. What it answers is of no interest. */
  ping(options?: CallOptions): Promise<void>
  head(key: string, options?: VersionOptions): Promise<ObjectHead>
  /** In the store's order. */
  tags(key: string, options?: VersionOptions): Promise<Array<[key: string, value: string]>>
  /** In place of those that the object has. Resolves once the store has said that it took them. */
  putTags(
    put: { key: string; tags: Array<[key: string, value: string]>; versionId?: string },
    options?: CallOptions,
  ): Promise<void>
  /**
   * The size of a part, the first when no number is given, and how many parts it was uploaded in; undefined where the
   * store does not tell.
   */
  partSize(
    key: string,
    options?: VersionOptions & { partNumber?: number },
  ): Promise<{ bytes: number; parts: number } | undefined>
  readRequest(read: {
    key: string
    etag: string
    range?: { start: number; end: number }
    versionId?: string
    /** Ask for the stored checksum, too. */
    checksum?: boolean
  }): Promise<DataRequest>
  putRequest(put: {
    key: string
    bytes: number
    attributes: ObjectAttributes
    checksum: boolean
    condition?: WriteCondition
  }): Promise<DataRequest>
  createUpload(
    create: { key: string; attributes: ObjectAttributes; checksum: boolean },
    options?: CallOptions,
  ): Promise<Upload>
  partRequest(part: {
    key: string
    uploadId: string
    partNumber: number
    bytes: number
    checksum: boolean
  }): Promise<DataRequest>
  /** One page of at most `most` parts above the number `marker`; `next` is the marker of the following one. */
  listParts(
    upload: { key: string; uploadId: string; marker?: string; most?: number },
    options?: CallOptions,
  ): Promise<{ parts: StoredPart[]; next?: string }>
  completeUpload(
    complete: {
      key: string
      uploadId: string
      parts: UploadedPart[]
      bytes: number
      crc32?: number
      condition?: WriteCondition
    },
    options?: CallOptions,
  ): Promise<CompletedObject>
  /** An object of this store, as the source of a copy that a store makes by itself. */
  copySource(object: { key: string; etag: string; versionId?: string }): CopySource
  /** By the store itself; never repeated by `withRetry`, for its outcome has to be looked at first. */
  copyObject(copy: ObjectCopy, options?: CallOptions): Promise<CompletedObject>
  /** Likewise. crc32: where the store tells it. */
  copyPart(part: PartCopy, options?: CallOptions): Promise<{ etag: string; crc32?: number }>
  /** Whether what is written with this storage class cannot be read before it is restored. */
  archives(storageClass: string | undefined): boolean
  /** Whether the store itself refuses a write of the key, which exists, where its condition does not hold. */
  heeds(write: { key: string; condition: WriteCondition }, options?: CallOptions): Promise<boolean>
  abortUpload(upload: { key: string; uploadId: string }, options?: CallOptions): Promise<void>
  /** Only the object with this ETag, where the store heeds that; or one version, which no other one is taken for. */
  remove(object: { key: string; etag?: string; versionId?: string }, options?: CallOptions): Promise<void>
  /** At most 1,000 keys; resolves to those that were not deleted. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
  removeAll(keys: string[], options?: CallOptions): Promise<Array<{ key: string; code: string; message: string }>>
  /** One page, likewise; a marker without an id is behind all uploads of its key. */
  listUploads(
    list: { prefix: string; marker?: { key: string; id?: string } },
    options?: CallOptions,
  ): Promise<{ uploads: StoredUpload[]; next?: { key: string; id?: string } }>
  /**
   * One page of at most `most` objects in key order (UTF-8 bytes), the first one of the keys above `after`; `next` is the
   * marker of the following one, for which `after` is left out. lacks: what the answer leaves out that would show, beside its
   * entries, that it is all of the page; absent where that is nothing.
   */
  list(
    list: { prefix: string; marker?: string; after?: string; most?: number },
    options?: CallOptions,
  ): Promise<{ objects: ListedObject[]; next?: string; lacks?: string[] }>
  close(): void
}
