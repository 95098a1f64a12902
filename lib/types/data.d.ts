/** Data plane: what the CLI hands to a function, and what it gets back. */

import type { CompletedObject, ObjectCopy, PartCopy } from '../stores/contract'

/** One signed HTTP request. The URL's path is sent as it stands: it is what was signed. */
export interface DataRequest {
  method: 'GET' | 'PUT'
  url: string
  /** Every header to send, signed ones and `authorization` included; names in lower case. */
  headers: Record<string, string>
  /** Of a write: the name of the checksum header sent as the trailer of one aws-chunked frame. */
  trailer?: string
  /**
   * Of a write, in place of `trailer`: how its body carries the checksum. `type`: of those in actions/copy-range/stores/index.js.
   * Functions without `accepts` among what they know do not know it.
   */
  framing?: { type: string; trailer: string; sum?: 'crc32' }
  /** What its answer means. Absent: as the action assumes. */
  accepts?: AnswerRule
}

/**
 * What a store's answer to one kind of request means, as data: the action itself knows no store. Names of headers are in
 * lower case. What a rule does not say, there is not. `actions/copy-range/stores/s3/rules.js` has an example.
 */
export interface AnswerRule {
  /** Of success, from 200 to 299. Another one of these is an answer that cannot be used. */
  statuses: number[]
  /** Of a read: statuses that say that the object is not the one that was asked for. */
  changed?: number[]
  /** The header that identifies what was read or written; `required`: an answer without it cannot be used. */
  etag?: { header: string; required: boolean }
  /**
   * Of a read: the checksum of the whole object, which its bytes must have. `only`: a header that says which kind it is, and
   * the value that says that it is of the whole object; without the header it is.
   */
  checksum?: {
    sum: 'crc32' | 'md5'
    header: string
    encoding: 'base64' | 'hex'
    only?: { header: string; value: string }
  }
  /**
   * Of a read: the headers that describe the object, by name or by the beginning of the name. `defaults`: values that say the
   * same as no header. `framings`: names in Content-Encoding that are no encoding of the object.
   */
  describes?: { names: string[]; prefixes?: string[]; defaults?: Record<string, string>; framings?: string[] }
  /** Headers that are told beside those, where the task asks for it by `tell`. */
  tells?: string[]
  /** Where a refusal has the store's own code: an element of XML below the root, a path in JSON, or a header. */
  errorCode?: { xml: [root: string, child: string] } | { json: string[] } | { header: string }
}

/** A request as it goes to the action. */
export type ActionRequest = Omit<DataRequest, 'accepts'> & {
  /** The name of one of the rules in `accepts` of the parameters. */
  accepts?: string
}

/** A task as it goes to the action. */
export type ActionTask = Omit<Task, 'read' | 'write'> & { read: ActionRequest; write?: ActionRequest }

/** One part's work. */
export interface Task {
  partNumber: number
  /** Bytes to move, 0 only for an empty object. */
  bytes: number
  read: DataRequest
  /** Absent: the bytes are read and counted, and go nowhere. */
  write?: DataRequest
  /** What the read must answer, whatever else it says. */
  expect: {
    etag: string
    totalBytes: number
    /** Of the bytes read, where it is known beforehand: what has another one is not written. */
    crc32?: number
    /** Likewise, lower-case hex. */
    md5?: string
    /**
     * What the read must say of the object: its describing headers, as `headersOf` of lib/stores/s3/attributes.js gives
     * them. Where it says otherwise nothing is written, and the failure is HEADERS_DIFFER.
     */
    headers?: Record<string, string>
  }
  /** Tell what the answers said of the object. */
  tell?: true
  /** Of the engine `server`, whose tasks have nothing else: what its store is asked for. */
  copy?: { object: ObjectCopy } | { part: PartCopy }
  /** Compute the MD5 too; what the ETag is worth beside it is for the caller to judge. */
  md5?: boolean
  /**
   * Do not compute the CRC-32: for a task whose write has no trailer and that expects none. Functions deployed before there
   * was such a thing compute it all the same.
   */
  crc32?: false
}

export interface TaskTiming {
  /** When the task started, by the function's clock. */
  startedAtMs: number
  /** From the start until the source's response head was there. */
  firstByteMs: number
  /** From the start until the destination's answer was complete. */
  totalMs: number
}

/** By names in lower case; either is absent where it is longer than what objects may have: HEAD tells it then. */
export interface TaskHeaders {
  /** Those that the rule of the read `describes` and `tells`. */
  read?: Record<string, string>
  /** Those that the rule of the write `tells`. */
  write?: Record<string, string>
}

export interface TaskSuccess {
  partNumber: number
  bytes: number
  /** The destination's ETag for what was written, with its quotes; of a task without a write, that of what was read. */
  etag: string
  /** CRC-32 (ISO-HDLC) of the bytes, an unsigned 32-bit integer; absent where the task asked for none. */
  crc32?: number
  /** Lower-case hex, where the task asked for it. */
  md5?: string
  /** Where the task asked for them, by `tell`. */
  headers?: TaskHeaders
  /** Of a whole object that its store copied by itself. */
  object?: CompletedObject
  timing: TaskTiming
}

/** The codes of `actions/copy-range/failure/index.js`. */
export type TaskErrorCode =
  | 'BAD_TASK'
  | 'HTTP_STATUS'
  | 'REDIRECTED'
  | 'UNREACHABLE'
  | 'CONNECTION_CUT'
  | 'STALLED'
  | 'WRONG_RANGE'
  | 'SOURCE_CHANGED'
  | 'HEADERS_DIFFER'
  | 'BODY_LENGTH'
  | 'CRC_MISMATCH'
  | 'MD5_MISMATCH'
  | 'BAD_ANSWER'
  | 'NOT_STARTED'
  | 'CANCELLED'
  | 'ADDRESS_REFUSED'
  | 'CERTIFICATE_REFUSED'
  | 'INTERNAL'

/** A failure as data: no URL, no secret in it, and no header but those that describe an object. */
export interface TaskError {
  code: TaskErrorCode
  /** Which of the two requests failed. */
  side?: 'read' | 'write'
  /** One sentence. */
  message: string
  /** The HTTP status of an answer that was not a success. */
  status?: number
  /** The store's own error code, where it gave one. */
  storeCode?: string
  /** `Retry-After`, in milliseconds. */
  retryAfterMs?: number
  /** `Date` of that answer, in milliseconds since the epoch: the store's clock. Absent of functions that are older. */
  dateMs?: number
  /** Of `UNREACHABLE`: a code of Node's, where the machine had nothing left to open a connection with. */
  shortage?: string
  /** Why, as half a sentence, where the code alone does not say it. */
  reason?: string
  expected?: string | number
  found?: string | number
  /** Of HEADERS_DIFFER: the describing headers that were found; absent where they are longer than objects may have. */
  headers?: Record<string, string>
  /** Of the engine `server`: what its store said. */
  known?: import('../errors').XferError
  /** Of lib/transfer/renew.js: it was refused for credentials that have expired, or a clock that was set, and signed again it may pass. */
  signedAnew?: boolean
  /** Of lib/object/put/through-engine.js: the object's headers were not those that were expected, and now they are known. */
  describedAnew?: boolean
}

export interface TaskFailure {
  partNumber: number
  error: TaskError
}

export type Outcome = TaskSuccess | TaskFailure

/** What a function may speak to; bound to the action when it is deployed, and not the caller's to choose. */
export interface Access {
  /** Names, `*.` and the end of a name, addresses and ranges of addresses; `*`, and when absent: any. */
  hosts?: string[]
  /** Link-local addresses, and those at which clouds keep a machine's own secrets; false when absent. */
  metadata?: boolean
}

/** The action's parameters. */
export interface ActionParameters {
  version: number
  tasks: ActionTask[]
  /** What answers mean, by names that the tasks' requests give: said once, for a rule is longer than a request. */
  accepts?: Record<string, AnswerRule>
  /** How many tasks at once; 1 when absent. */
  parallel?: number
  /** How long either connection may be silent before the task fails as `STALLED`; 30 000 when absent. */
  stallMs?: number
  /** Of the invocation, at most; as fast as it can be when absent. Whole and positive. */
  bytesPerSecond?: number
  /** How requests travel: over sockets of its own (the usual), or over Node's own HTTP. */
  transport?: 'socket' | 'http'
  access?: Access
}

/** The action's result. */
export interface ActionResult {
  version: number
  /** Features that are newer than that version: `headers`, `accepts`. Absent of actions that are older. */
  knows?: string[]
  outcomes: Outcome[]
  container: { id: string; invocation: number; startedAtMs: number }
  /** What was asked for, and held: actions that are older do not know it. */
  bytesPerSecond?: number
}
