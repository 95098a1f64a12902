/** Data plane: what the CLI hands to a function, and what it gets back. Planning and scheduling. */

import type { CompletedObject, ObjectCopy, PartCopy, Sum, Sums } from '../stores/contract'

/** One signed HTTP request. The URL's path is sent as it stands: it is what was signed. */
export interface DataRequest {
  method: 'GET' | 'PUT'
  url: string
  /** Every header to send, signed ones and `authorization` included; names in lower case. */
  headers: Record<string, string>
  /** Only a redirect leads to it: it is not sent to an address of the machine that sends it. */
  elsewhere?: true
  /**
   * For a write: how the body carries its checksum. type: one of actions/copy-range/dialects.js; trailer: the name of the
   * checksum's header; sum: which checksum it is. Absent: the bytes go as they are.
   */
  framing?: { type: string; trailer: string; sum: Sum }
  /**
   * For a URL `memory:ID`: the memory that is read or filled. It is shared with the thread, not copied. Headers `x-start`: the
   * offset in the object of its first byte, default 0; `x-total`: the size of the object, default where the memory ends.
   */
  held?: SharedArrayBuffer
  /** For a URL `file:///…` (for `redis:` all is in the headers): the folder that the request must not leave, an absolute path. Links below it are not followed. */
  root?: string
  /** How to read the answer. */
  accepts: AnswerRule
}

/**
 * What a store's answer to one kind of request means, as data: the action itself knows no store. Names of headers are in
 * lower case. What a rule leaves out does not exist for that store. `lib/stores/s3/answers.js` has an example.
 */
export interface AnswerRule {
  /** The statuses of success, from 200 to 299. Any other status in this range is a bad answer. */
  statuses: number[]
  /** For a read: statuses that say that the object is another one. */
  changed?: number[]
  /** The header that identifies the version of the object; `required`: an answer without it is a bad answer. */
  etag?: { header: string; required: boolean }
  /**
   * For a read: the headers with checksums of the whole object. `base64le`: its bytes in reverse order. `member`: the header is
   * a list (`crc32c=…,md5=…`), and this one is meant. `only`: a header with the checksum's kind, and the value for the kind of
   * the whole object; an answer without that header is of this kind too.
   */
  checksums?: Array<{
    sum: Sum
    header: string
    encoding: 'base64' | 'base64le' | 'hex'
    member?: string
    only?: { header: string; value: string }
  }>
  /**
   * For a read: the headers that describe the object, by name or prefix. `defaults`: values that mean the same as no header.
   * `framings`: names in Content-Encoding that are no encoding of the object.
   */
  describes?: { names: string[]; prefixes?: string[]; defaults?: Record<string, string>; framings?: string[] }
  /** Headers to return in addition to those, if the task asks for headers with `tell`. */
  tells?: string[]
  /** Where a refusal has the store's error code: an XML element below the root, or a header. */
  errorCode?: { xml: [root: string, child: string] } | { header: string }
  /** Where a refusal says why, in the store's words: the first of these elements that is there. An older action does not look. */
  errorMessage?: { xml: [root: string, ...children: string[]] }
}

/** A request as it goes to the action. */
export type ActionRequest = Omit<DataRequest, 'accepts'> & {
  /** The name of one of the rules in `accepts` of the parameters. */
  accepts: string
}

/** A task as it goes to the action. */
export type ActionTask = Omit<Task, 'read' | 'write' | 'tag'> & { read: ActionRequest; write?: ActionRequest }

/**
 * Makes the write of a task once all of its bytes are read. headers: those of the answer to the read; kept: the checksums that
 * the store keeps of the object; digest: computes those of the bytes.
 */
export type Late = (read: {
  headers: Record<string, string>
  kept: Sums
  digest: (sums: Sum[]) => Sums | Promise<Sums>
}) => Promise<LateWrite>

/** sums: that were computed; expect: what they have to be. */
export interface LateWrite {
  write: DataRequest
  sums: Sums
  expect?: Sums
}

/** One part's work. */
export interface Task {
  partNumber: number
  /** Bytes to move, 0 only for an empty object. */
  bytes: number
  read: DataRequest
  /** Absent: the bytes are read and counted, but not written; or the write is made `late`, and is here from then on. */
  write?: DataRequest
  /** In place of `write`, for engines with `signsLate`: makes it once the headers that describe the object are read. */
  late?: Late
  /** As in `Transfer`: the ETag of what is written. It is not sent to the action. */
  tag?: string
  /** The checksums to compute, besides those that it expects and sends. */
  sums: Sum[]
  /** What the answer to the read must have. */
  expect: {
    etag: string
    totalBytes: number
    /** Checksums of the bytes, as far as they are known: bytes with another one are not written. */
    sums?: Sums
    /**
     * The headers that must describe the object, as `describingHeaders` of lib/stores/s3/answers.js returns them. If the answer has
     * other ones, nothing is written, and the failure is HEADERS_DIFFER.
     */
    headers?: Record<string, string>
  }
  /** Whether to return the answers' headers about the object. */
  tell?: true
  /** For the engine `server`, whose tasks have nothing else: the store's copy request. */
  copy?: { object: ObjectCopy } | { part: PartCopy }
}

/** Headers with names in lower case. Either is absent if it is longer than objects may have: ask by HEAD then. */
export interface TaskHeaders {
  /** Those that `describes` and `tells` of the read's rule name. */
  read?: Record<string, string>
  /** Those that `tells` of the write's rule names. */
  write?: Record<string, string>
}

export interface TaskSuccess {
  partNumber: number
  bytes: number
  /** The destination's ETag for what was written, with its quotes; for a task without a write, that of the source. */
  etag: string
  /** Of the bytes: those that the task asked for. Empty for a part that the store copied itself, if it did not tell any. */
  sums: Sums
  /** If the task asked for them with `tell`. */
  headers?: TaskHeaders
  /** For a whole object that the store copied by itself. */
  object?: CompletedObject
  /** For a part, read from its headers: the checksums that the store computed. */
  answered?: Sums
  /**
   * startedAtMs: by the function's clock; from then on, firstByteMs: until the source's response head was there; totalMs: until
   * the destination's answer was complete.
   */
  timing: { startedAtMs: number; firstByteMs: number; totalMs: number }
}

/** The codes of `actions/copy-range/failure.js`. */
export type TaskErrorCode = keyof typeof import('../../actions/copy-range/failure').FAILURES

/** A failure as data: no URL, no secret in it, and no header but those that describe an object. */
export interface TaskError {
  code: TaskErrorCode
  /** Which of the two requests failed. */
  side?: 'read' | 'write'
  /** One sentence. */
  message: string
  /** The HTTP status of an answer that was not a success. */
  status?: number
  /** The store's error code, if it gave one. */
  storeCode?: string
  /** What the store said, without secrets. An older action does not tell. */
  storeMessage?: string
  /** `Retry-After`, in milliseconds. */
  retryAfterMs?: number
  /** `Date` of that answer, in milliseconds since the epoch: the store's clock. */
  dateMs?: number
  /** For `UNREACHABLE`: Node's error code if the machine ran out of files, ports or memory for a connection. */
  shortage?: string
  /** The reason, as half a sentence, if the code alone does not say it. */
  reason?: string
  /** For `SUM_MISMATCH`. */
  sum?: Sum
  expected?: string | number
  found?: string | number
  /** For HEADERS_DIFFER: the describing headers that were found; absent if they are longer than objects may have. */
  headers?: Record<string, string>
  /** The error of the table, if this process found it: the store's (engine `server`), or that of a renewal of credentials. */
  known?: import('.').XferError
  /** Set by lib/schedule/task.js: refused because of expired credentials or a changed clock; a new signature may pass. */
  signedAnew?: boolean
  /** Set by lib/copy/through-engine.js: the object's headers differed from the expected ones, and are known now. */
  describedAnew?: boolean
}

export interface TaskFailure {
  partNumber: number
  error: TaskError
  /** An older action does not tell. */
  sent?: Sent
}

/** What the last attempt of a task has sent; bytes: those that were received. */
export interface Sent {
  reads: number
  writes: number
  bytes: number
}

export type Outcome = TaskSuccess | TaskFailure

/** The hosts that a function may connect to. Bound to the action at deployment; a caller cannot change it. */
export interface Access {
  /** Names, `*.` and the end of a name, addresses and ranges of addresses; `*` or absent: any. */
  hosts?: string[]
  /** Whether link-local addresses and the clouds' metadata addresses are allowed; false if absent. */
  metadata?: boolean
}

/** The action's parameters. */
export interface ActionParameters {
  version: number
  tasks: ActionTask[]
  /** The rules for answers, by the names that the tasks' requests give. Sent once, because a rule is longer than a request. */
  accepts: Record<string, AnswerRule>
  /** How many tasks run at once; 1 if absent. */
  parallel?: number
  /** How long either connection may be silent before the task fails as `STALLED`, in milliseconds; 30 000 if absent. */
  stallMs?: number
  /** The maximum rate of the invocation, whole and positive; no limit if absent. */
  bytesPerSecond?: number
  access?: Access
}

/** The action's result. */
export interface ActionResult {
  version: number
  outcomes: Outcome[]
  container: { id: string; invocation: number; startedAtMs: number }
}

/** A byte range of the source, and the number of its part. */
export interface Part {
  partNumber: number
  start: number
  bytes: number
}

export interface Plan {
  /** `put`: the whole object in one request; `multipart`: an upload in parts. */
  route: 'put' | 'multipart'
  bytes: number
  partBytes: number
  parts: Part[]
  /** It is the plan of a stream: `bytes` and `parts` are what has come so far, and grow until it is over. */
  readonly growing?: { readonly over: boolean; readonly sizeBytes?: number }
  /** Why `--chunk auto` chose this part size; one sentence. */
  chunkWhy?: string
  /** How the plan differs from what was asked for. */
  notices: import('.').Notice[]
}

/** The clock as an argument, so that a simulation can have its own. */
export interface Clock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}
