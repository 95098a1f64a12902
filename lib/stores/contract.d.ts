/**
 * The contract of stores: all that the program needs of a store. To add a store, make a folder beside s3/ that exports a
 * `StoreFactory` (factory.d.ts), and name it in registry.js; docs/design/adding.md does it. Its suite is test/contract/store.js.
 *
 * Rules for an implementation: it never retries a failed call (`withRetry` does, from outside). `read`, `put` and `upload.part`
 * make one signed request for one attempt, and use the network only to get credentials. The request brings the rules for its
 * answer (`accepts`). Every error is an XferError of the table, and its facts include the store's `facts`.
 */

import type { DataRequest, ListObjects, Notice, XferError, XferErrorCode } from '../types'
import type {
  Answer,
  Billed,
  Leftovers,
  ListedContainer,
  MultipartUpload,
  ObjectAttributes,
  ObjectDescription,
  ObjectHead,
  PartLimits,
  Pull,
  ServerCopy,
  StoreFacts,
  StreamedObject,
  Sum,
  Sums,
  WriteCondition,
} from './objects'

export * from './factory'
export * from './objects'

/** Selects a version of an object; default: the newest. */
export interface VersionOptions extends CallOptions {
  versionId?: string
}

export interface CallOptions {
  signal?: AbortSignal
  /** Called with each failure before a retry. */
  onRetry?: (error: XferError) => void
  /** Awaited before each attempt; its failure is that of the call. `withRetry` does it, and no store. */
  before?: () => Promise<void>
}

/** What a store can do. Some abilities are learned from its answers, so read them each time, and do not keep them. */
export interface Abilities {
  /**
   * Who can reach the store: any function; only this machine (`local`: loopback); or only this process (`process`: files and
   * memory, which no request over a network leads to).
   */
  readonly reach: 'network' | 'local' | 'process'
  /**
   * Its requests carry a secret of the user that no function may have, such as an encryption key. Absent if they carry none.
   * name: follows `a` in messages. advice: what to do in place of giving it to functions, a sentence.
   */
  readonly secret?: { name: string; advice: string }
  /** It lists uploads by any prefix, not only by a complete key. Absent: it does not. */
  readonly listsUploadsByPrefix?: boolean
  /**
   * The answer to a write says that this machine's kernel has every byte whose checksum was computed, and that of a whole object,
   * or of a completion, that they are on the disk. Absent: it does not.
   */
  readonly written?: true
  /** Its objects have the modification time of their source: the user metadata `mtime`, or when the source was last modified. */
  readonly keepsTimes?: true
  /** Several lists at once are no faster than one: each reads the whole folder. */
  readonly listsAlone?: true
  /** Its lists of containers tell when each was created, and not when it was last changed. */
  readonly datesContainers?: true
  /** Its lists tell what describes each object (`ListedObject.metadata`), and its reads do not. */
  readonly listsMetadata?: true
  readonly sums: {
    /** Checksums that it keeps of an object. */
    readonly stored: readonly Sum[]
    /** Checksums by which it is known to refuse wrong bytes. */
    readonly checked: readonly Sum[]
    /**
     * Checksums that it computes itself from the bytes it receives, and tells in the answer to each write (`readWritten`). A
     * store that may only repeat what it was sent declares none. It must complete an upload only with the parts that it
     * answered for: if a part was written again with other bytes, it refuses the completion.
     */
    readonly answered: readonly Sum[]
    /**
     * Checksums that it computes itself over the whole object, whatever it was sent, and tells in the answer to the completion
     * or in HEAD. One that equals ours proves the object. None if absent.
     */
    readonly computed?: readonly Sum[]
    /**
     * Checksums of the whole object that its lists and HEAD tell, and that may be only what the object's writer said. They count
     * where two objects are compared, and never prove a copy. None if absent.
     */
    readonly byWriter?: readonly Sum[]
  }
  /** Where a write carries the checksum of its bytes. `answer`: the write carries none, and its answer tells the store's. */
  readonly sumAt: 'trailer' | 'header' | 'answer' | 'none'
  /**
   * The ETag of a part, and of an object written in one request, if it is not encrypted: its MD5, a text without meaning, or an
   * empty text.
   */
  readonly partTag: 'md5' | 'opaque' | 'none'
  /**
   * Whose names of storage classes it uses: a copy keeps its class between stores with the same ones. Absent: its own, or none.
   */
  readonly classes?: string
  /** It is known to keep content headers and user metadata unchanged. */
  readonly keepsMetadata: boolean
  /** but an `Expires` only if it is a date */
  readonly datesExpires?: boolean
  /** It is known to refuse wrong bytes, and to show at once what it has taken. Absent: it is not. */
  readonly consistent?: boolean
  /** Its lists omit `a/b` if there is an object `a`. Absent: they do not. */
  readonly hidesBelow?: boolean
  /** Metadata mark an empty object as the folder of its name (`ListedObject.marksFolder`). */
  readonly marksFolders?: boolean
  /** It may ignore the condition of a write, or refuse one that holds: it is sent none. Absent: it is sent them. */
  readonly ignoresConditions?: boolean
  /** Its bytes come once: what the destination has is not there to be read again. */
  readonly readsOnce?: true
}

/**
 * One attempt at reading or writing bytes, to be carried out by an engine.
 *
 * totalBytes: of a read, the size that its answer tells, if it is not that of the object: a stream has no size before its end.
 *
 * tag: of a part, if the store's answer has no ETag: the name of what this attempt writes. It is then the part's `etag`, in
 * `parts` and in `complete`. Each attempt has another one, so that a late duplicate does not replace the part that was proved.
 */
export type Transfer = { request: DataRequest; tag?: string; totalBytes?: number }

/**
 * How programs note in user metadata when the file was last modified that an object was made of. Stores with equal conventions
 * have the same one of lib/stores/common/objects.js, or of their folder. Seconds: since the epoch, a decimal number as text.
 */
export interface MtimeConvention {
  /** The names that it writes. */
  names: readonly string[]
  /** Undefined if the user metadata tell none. */
  read(user: Record<string, string>): string | undefined
  write(seconds: string): Record<string, string>
  /** The header of a read's answer that tells nothing but these seconds. Absent: there is none, or another one counts too. */
  header?: string
}

export interface Tags {
  /** In the store's order. */
  read(key: string, options?: VersionOptions): Promise<Array<[key: string, value: string]>>
  /** Replaces the object's tags. Resolves once the store has confirmed them. */
  write(
    write: { key: string; tags: Array<[key: string, value: string]>; versionId?: string },
    options?: CallOptions,
  ): Promise<void>
}

/** Something that the credentials may do, or not. what: to follow `may`; without: what comes of it, a clause. */
export interface Right {
  what: string
  allowed: boolean
  without: string
}

/**
 * A rule that the name of a container breaks. says: to follow `the name`; follows: a clause, what comes of it; refused: whether the
 * store creates no such container.
 */
export interface NameFault {
  says: string
  follows?: string
  refused: boolean
}

export interface Store extends Billed {
  // What every store has: a factory may leave out those that defaults.js has.
  scheme: string
  facts: StoreFacts
  /** For messages: where the store is. Contains no credentials. */
  endpoint: string
  /** The origin of requests, as far as it is known before the first answer. */
  origin: string
  can: Abilities
  limits: PartLimits
  /** How far its server is, milliseconds; 0 before its first answer. Absent: it is near. */
  roundTripMs?(): number
  /** The time by the store's clock, as learned from its answers; epoch milliseconds. */
  now(): number
  /** Gets the credentials. Resolves to false if requests are not signed. */
  authenticate(): Promise<boolean>
  /** A small request for the bucket, to find out whether the store answers. The answer itself does not matter. */
  ping(options?: CallOptions): Promise<void>
  head(key: string, options?: VersionOptions): Promise<ObjectHead>
  /**
   * The object as its reads are to name it: if its ETag cannot be compared, its Last-Modified stands for it. refused: a read that named
   * this ETag was refused, although the object has it still. Unchanged: nothing else pins it.
   */
  pin<T extends Pick<ObjectHead, 'etag' | 'lastModifiedMs'>>(object: T, refused?: boolean): T
  /** A range of the object, or all of it, if it still has this ETag. */
  read(read: {
    key: string
    etag: string
    range?: { start: number; end: number }
    versionId?: string
    /** Whether to ask for the stored checksums too. */
    checksum?: boolean
  }): Promise<Transfer>
  /** A whole object in one write. */
  put(put: {
    key: string
    bytes: number
    attributes: ObjectAttributes
    /** Whether to send the CRC-32. */
    checksum: boolean
    /** Checksums of the bytes, where they are known before they are sent: then it goes in a header. */
    sums?: Sums
    condition?: WriteCondition
    /** `header` of the source's convention: a store with `setTime` takes the time from the answer to the read, if it has one. */
    mtimeFrom?: string
  }): Promise<Transfer>
  /** Absent in the factory's store: each object is written in one request, by engines that can cancel it (`limits.maxParts` is 1). */
  upload: MultipartUpload
  /** Deletes the object, or one version of it. etag: only the object with this ETag, on stores that check it. */
  remove(object: { key: string; etag?: string; versionId?: string }, options?: CallOptions): Promise<void>
  /** Deletes at most 1,000 objects; resolves to those that were not deleted. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
  removeAll(
    keys: string[],
    options?: CallOptions,
  ): Promise<Array<{ key: string; code: XferErrorCode; message: string }>>
  /** The object's description, from the headers of a read's answer that the task asked for; names in lower case. */
  readDescription(
    headers: Record<string, string>,
  ): ObjectDescription & Pick<ObjectHead, 'sums' | 'composite' | 'encrypted' | 'versionId'>
  /**
   * The same for the answer to the write of a whole object or a part. answered: the checksums of `sums.answered`; mtime: the time
   * that a store with `setTime` has given it.
   */
  readWritten(
    headers: Record<string, string>,
  ): Pick<ObjectHead, 'sums' | 'encrypted' | 'versionId'> & { answered?: Sums; mtime?: string }
  /** The headers with which a read answers for an object with this description. A task compares them. */
  describingHeaders(description: ObjectDescription): Record<string, string>
  /**
   * Translates a failed answer. The only place that knows the store's error codes, and the permissions to ask for. A read whose
   * ETag or range does not fit the object is SOURCE_CHANGED; a write whose condition does not hold is DESTINATION_EXISTS.
   */
  explain(answer: Answer): XferError
  close(): void

  // Extras, which a store may have and a caller asks for by name. What opens its connections, and what follows from its credentials and its clock.
  /** Certificates to trust in addition to the usual ones, PEM. `openStore` sets it. */
  ca?: string
  /** As in the settings. `openStore` sets it, and notes it for data requests. */
  proxy?: (url: string | URL) => string
  /**
   * What the credentials are, to follow `Credentials were found for HOST: `, and when they end by themselves, epoch
   * milliseconds. Absent: nothing more is known of them. It is read after `authenticate`.
   */
  credentials?(): { words: string; expiresMs?: number }
  /**
   * Renews the credentials of this request, which the store reported as expired. Resolves to whether there are new ones;
   * rejects with an XferError if asking for them failed. Absent if its credentials do not expire.
   */
  renew?(request: DataRequest): Promise<boolean>
  /**
   * Whether the store may accept this refused request if it is signed again: because it was signed long ago, or by a clock that
   * differs from the store's. dateMs: the store's time in its refusal; undefined from an older action. Absent: never.
   */
  signsAnew?(request: DataRequest, dateMs: number | undefined): boolean

  // What its server is known to be and to keep.
  /** Whether all is known of its server that its first answer will tell. Absent: it is. */
  named?(): boolean
  /** What its server calls itself, if nothing is known of that server, which has answered; `xfer doctor --deep` may ask it. Absent: all is known. */
  unknown?(): string | undefined
  /** Whether its server has answered this process before, for this bucket. Absent: it is not known. */
  answered?(): boolean
  /** Asks a server that has not answered yet, for one of many calls at once; for the others, which wait, resolves to undefined. */
  introduce?<T>(ask: () => Promise<T>): Promise<T | undefined>
  /** Why it, or its server as far as that is known, has no object with this key: follows `the key`. Absent: it has. */
  keyFault?(key: string): string | undefined
  /** Of the name of the container, as far as the store's server is known. Absent: the place was refused if its name breaks a rule. */
  nameFaults?(): NameFault[]
  /** The requests a second with which a new `of` begins, before the store has seen that it needs more. Absent: it is not known. */
  baseRate?: { writes: number; reads: number; of: string }
  /** Whether the store is known to check the condition of a write together with the write. upload: in parts. Absent: it does not. */
  heeds?(write: { upload: boolean }): boolean
  /** Whether objects of this storage class must be restored before they can be read. Absent: none must. */
  archives?(storageClass: string | undefined): boolean
  /**
   * The default retention of new objects of the container, in words; undefined if there is none, or the store does not say. Absent: it
   * has none.
   */
  retention?(options?: CallOptions): Promise<string | undefined>

  // What its objects have.
  /** Absent: `mtime`, in seconds. */
  mtime?: MtimeConvention
  /** The content headers that objects can have; absent: all of `ObjectMetadata`. */
  contentHeaders?: readonly string[]
  /** Whether `contentHeaders` can have no character outside ASCII. */
  asciiHeaders?: true
  /**
   * Why the store has no user metadata with this name and value: the end of a sentence about its name, such as `is no identifier
   * of C#`. Undefined: it may have them. Absent: it has them all.
   */
  metadataFault?(name: string, value: string): string | undefined
  /** Absent if objects have no tags. It then refuses a write with tags. */
  tags?: Tags
  /**
   * The size of a part (default: the first one), and in how many parts the object was uploaded; undefined if the store
   * does not tell. Absent if it never does.
   */
  partSize?(
    key: string,
    options?: VersionOptions & { partNumber?: number },
  ): Promise<{ bytes: number; parts: number } | undefined>
  /**
   * The whole object from its beginning, once, for an object that `head` refused with NO_RANGES. Absent: its objects have ranges.
   */
  stream?(key: string, options?: CallOptions): Promise<StreamedObject>

  // What it does by itself, or lends.
  /** Absent if the store does not copy by itself. */
  serverCopy?: ServerCopy
  /** Absent if the store reads no URLs. */
  pull?: Pull
  /**
   * Resolves to a URL with which anyone may read this one object for a quarter of an hour: a secret, for the destination's
   * store alone. Absent if the credentials cannot make one that is good for nothing else.
   */
  lend?(object: { key: string; versionId?: string }): Promise<string>
  /**
   * A URL with which anybody may read this one object, which is a secret. endsMs: when it ends, which may be sooner than was asked
   * for. Throws USAGE if the store does not allow so long a life, or the credentials cannot make one that is good for nothing else.
   * Absent: it has no such URLs.
   */
  presign?(object: { key: string; versionId?: string; lifeMs: number }): Promise<{ url: string; endsMs: number }>

  // Lists, and what a killed process has left.
  /** Absent if the store does not list objects. */
  list?: ListObjects
  /**
   * One page of the containers of the account, for a place of `StoreFactory.parseAccount`. Absent: it has none, or cannot list
   * them.
   */
  containers?(
    list: { marker?: string },
    options?: CallOptions,
  ): Promise<{ containers: ListedContainer[]; next?: string }>
  /**
   * Creates the container of the place. region: default: that of the settings; throws USAGE if a container has none of its own.
   * Throws DESTINATION_EXISTS. A call that follows one without an answer does not. Absent: it cannot create one.
   */
  makeContainer?(make: { region?: string }, options?: CallOptions): Promise<void>
  /** What a killed process has left that nothing else finds. Absent: nothing is left. */
  leftovers?: Leftovers

  // What only `xfer doctor` asks.
  /**
   * Tries what the credentials may do, with a key or below a prefix that ends in a slash, and leaves nothing. Throws the
   * refusal of what a copy cannot do without. Absent: there is no way to find out without leaving something.
   */
  rights?(key: string, options?: CallOptions): Promise<Right[]>
  /**
   * For `xfer doctor`: what the store's answer to `head`, which was asked before, says about reads. says: a clause; holds: whether a
   * change of the object while it is read is noticed. Absent: it always is.
   */
  readTrial?(): { says: string; holds: boolean }

  // What only stores of files and folders have.
  /**
   * Gives an object that was just written its modification time, in seconds as text; resolves to its ETag. Of an object, nothing but
   * the time depends on what describes its source. Absent: the store has no times.
   */
  setTime?(object: { key: string; etag: string; seconds: string }): Promise<string>
  /**
   * Makes a folder, for a key that ends in a slash: in other stores an empty object of such a name marks one. Absent: the store has
   * no folders.
   */
  makeFolder?(key: string): Promise<void>
  /** Removes the folder that has the name of an object, if nothing but folders is in it, and tells whether it did. Absent: as of `makeFolder`. */
  removeFolder?(key: string): Promise<boolean>
  /**
   * Whether it has something under a key, or on the way to it, that its lists leave out, such as a link. A copy of it at the
   * destination must not be deleted as missing here. Absent: its lists leave out nothing.
   */
  leavesOut?(key: string): Promise<boolean>
  /**
   * Whether names are one that differ only in case, or only in their form of Unicode: it writes files, and removes them. Undefined:
   * it cannot find out. Absent: its objects tell.
   */
  folds?(): Promise<{ case: boolean; unicode: boolean } | undefined>
  /** What its lists have left out so far, for people. Absent: there is nothing to say. */
  notices?(): Notice[]
}
