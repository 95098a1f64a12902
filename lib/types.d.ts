/**
 * The shapes that cross a module boundary. Everything that one file alone knows is typed in that file.
 * Sizes are bytes, times are milliseconds, points in time are milliseconds since the epoch.
 */

// --- data plane: what the CLI hands to a function, and what it gets back -------------------------------------------

/** One signed HTTP request. The URL's path is sent as it stands: it is what was signed. */
export interface DataRequest {
  method: 'GET' | 'PUT'
  url: string
  /** Every header to send, signed ones and `authorization` included; names in lower case. */
  headers: Record<string, string>
  /** Of a write: the name of the checksum header sent as the trailer of one aws-chunked frame. */
  trailer?: 'x-amz-checksum-crc32'
}

/** One part's work. */
export interface Task {
  partNumber: number
  /** Bytes to move, 0 only for an empty object. */
  bytes: number
  read: DataRequest
  write: DataRequest
  /** What the read must answer, whatever else it says. */
  expect: {
    etag: string
    totalBytes: number
    /** Of the bytes read, where it is known beforehand: what has another one is not written. */
    crc32?: number
  }
  /** Compute the MD5 too; what the ETag is worth beside it is for the caller to judge. */
  md5?: boolean
}

export interface TaskTiming {
  /** When the task started, by the function's clock. */
  startedAtMs: number
  /** From the start until the source's response head was there. */
  firstByteMs: number
  /** From the start until the destination's answer was complete. */
  totalMs: number
}

export interface TaskSuccess {
  partNumber: number
  bytes: number
  /** The destination's ETag for what was written, with its quotes. */
  etag: string
  /** CRC-32 (ISO-HDLC) of the bytes, an unsigned 32-bit integer. */
  crc32: number
  /** Lower-case hex, where the task asked for it. */
  md5?: string
  timing: TaskTiming
}

/** The codes of `actions/copy-range/failure.js`. */
export type TaskErrorCode =
  | 'BAD_TASK'
  | 'HTTP_STATUS'
  | 'REDIRECTED'
  | 'UNREACHABLE'
  | 'CONNECTION_CUT'
  | 'STALLED'
  | 'WRONG_RANGE'
  | 'SOURCE_CHANGED'
  | 'BODY_LENGTH'
  | 'CRC_MISMATCH'
  | 'BAD_ANSWER'
  | 'NOT_STARTED'
  | 'CANCELLED'
  | 'INTERNAL'

/** A failure as data: no URL, no header, no secret in it. */
export interface TaskError {
  code: TaskErrorCode
  /** Which of the two requests failed. */
  side?: 'read' | 'write'
  /** One sentence. */
  message: string
  /** The HTTP status of an answer that was not a success. */
  status?: number
  /** The store's own error code (`<Code>` of its XML), where it gave one. */
  storeCode?: string
  /** `Retry-After`, in milliseconds. */
  retryAfterMs?: number
  expected?: string | number
  found?: string | number
}

export interface TaskFailure {
  partNumber: number
  error: TaskError
}

export type Outcome = TaskSuccess | TaskFailure

/** The action's parameters. */
export interface ActionParameters {
  version: number
  tasks: Task[]
  /** How many tasks at once; 1 when absent. */
  parallel?: number
  /** How long either connection may be silent before the task fails as `STALLED`; 30 000 when absent. */
  stallMs?: number
}

/** The action's result. */
export interface ActionResult {
  version: number
  outcomes: Outcome[]
  container: { id: string; invocation: number; startedAtMs: number }
}

// --- settings -------------------------------------------------------------------------------------------------------

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  expiration?: Date
}

export type CredentialsProvider = () => Promise<Credentials>

/** What a caller may say of one side; see lib/settings/side.js for what fills the gaps. */
export interface SideOptions {
  profile?: string
  endpointUrl?: string
  region?: string
  addressing?: string
  /** Read without credentials; of the source alone. */
  noSignRequest?: boolean
  /** Send `x-amz-request-payer`; of the source alone. */
  requestPayer?: boolean
}

export interface SideSettings {
  side: 'source' | 'destination'
  /** Without a closing slash; undefined for AWS itself. */
  endpoint: string | undefined
  region: string
  addressing: 'auto' | 'path' | 'virtual'
  /** null: requests are not signed. */
  credentials: CredentialsProvider | null
  requestPayer: boolean
  /** How long the store may be silent; 30 000 when absent. */
  silenceMs?: number
}

export interface PlatformSettings {
  /** With its protocol, without a closing slash. */
  apihost: string
  auth: string
  namespace: string
  /** Where the host was found, for people. */
  from: string
  /** Where the key was found, for people. */
  keyFrom?: string
  insecure: boolean
}

// --- contracts: see lib/stores/index.js and lib/engines/index.js ----------------------------------------------------

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
  /** User metadata, without `x-amz-meta-`. */
  user: Record<string, string>
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
}

export interface ObjectLocation {
  scheme: 's3'
  bucket: string
  key: string
  profile?: string
}

export interface Upload {
  id: string
  /** Whether the store echoed the checksum that was asked for. */
  checksums: boolean
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
}

export interface ListedObject {
  key: string
  bytes: number
  etag: string
  lastModifiedMs?: number
}

export interface CompletedObject {
  etag: string
  versionId?: string
  checksum?: { crc32: string; type: string }
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface Store {
  scheme: string
  /** What its errors say of it: side, bucket, endpoint. */
  facts: Record<string, any>
  /** `local` when only this machine can reach it (loopback), so that a cloud function can't. */
  reach: 'network' | 'local'
  /** For people: where the store is, without credentials. */
  endpoint: string
  limits: PartLimits
  head(key: string, options?: CallOptions): Promise<ObjectHead>
  readRequest(read: { key: string; etag: string; range?: { start: number; end: number } }): Promise<DataRequest>
  putRequest(put: {
    key: string
    bytes: number
    metadata: ObjectMetadata
    checksum: boolean
    ifNoneMatch: boolean
  }): Promise<DataRequest>
  createUpload(
    create: { key: string; metadata: ObjectMetadata; checksum: boolean },
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
      ifNoneMatch: boolean
    },
    options?: CallOptions,
  ): Promise<CompletedObject>
  abortUpload(upload: { key: string; uploadId: string }, options?: CallOptions): Promise<void>
  /** One page, likewise. */
  listUploads(
    list: { prefix: string; marker?: { key: string; id: string } },
    options?: CallOptions,
  ): Promise<{ uploads: StoredUpload[]; next?: { key: string; id: string } }>
  /** One page of objects in key order (UTF-8 bytes). */
  list(
    list: { prefix: string; marker?: string },
    options?: CallOptions,
  ): Promise<{ objects: ListedObject[]; next?: string }>
  close(): void
}

export interface EngineLimits {
  /** Invocations in flight. */
  concurrent: number
  /** Invocations a calendar minute; Infinity where there is no such limit. */
  perMinute: number
  /** How long one invocation may run. */
  timeoutMs: number
  /** After how long a call is answered without a result, which then has to be asked for; Infinity where it never is. */
  answerMs: number
  memoryBytes: number
  /** Parameters, and results, of one invocation. */
  payloadBytes: number
  /** The platform's clock less ours: its calendar minutes are the ones that count. */
  skewMs: number
}

export interface RunOptions extends CallOptions {
  /** Tasks at once; 1 when absent. */
  parallel?: number
  /** Told how many bytes of a part have been moved, now and then, by engines that can see it. */
  onBytes?: (partNumber: number, bytes: number) => void
}

export interface Engine {
  name: 'openwhisk' | 'local'
  reach: 'network' | 'local'
  /** For people: where it runs. */
  where: string
  /** Whether an abort ends what runs; a function on a platform runs on. */
  cancels: boolean
  limits(options?: CallOptions): Promise<EngineLimits>
  run(tasks: Task[], options?: RunOptions): Promise<Outcome[]>
  close(): Promise<void>
}

// --- planning and scheduling ----------------------------------------------------------------------------------------

/** A byte interval of the source and the part it becomes. */
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
  /** Sentences for the user: where the plan is another than what was asked for. */
  notices: string[]
}

/** Time, as an argument: a simulation has its own. */
export interface Clock {
  now(): number
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export type SchedulerEvent =
  | { type: 'part'; partNumber: number; bytes: number; crc32: number; attempt: number; elapsedMs: number }
  | { type: 'retry'; partNumber: number; attempt: number; code: string; message: string; delayMs: number }
  | { type: 'throttle'; code: string; message: string; limit: number; delayMs: number }
  /** A part that is far behind was started a second time. */
  | { type: 'hedge'; partNumber: number; bytes: number; elapsedMs: number }

// --- the public face: see lib/copy.js -------------------------------------------------------------------------------

export interface CopyOptions {
  /** Bytes, or text such as `100` (MiB), `8M`, `1.5GiB`. */
  chunk?: string | number
  concurrency?: string | number
  retries?: string | number
  /** Seconds for which a store, a function or the platform may be silent. */
  ioTimeout?: string | number
  engine?: 'auto' | 'openwhisk' | 'local'
  apihost?: string
  /** Where the action was deployed; `xfer` when absent. */
  packageName?: string
  /** Parts that one invocation carries, or `auto`. */
  partsPerInvocation?: string | number
  /** What the platform does not tell of its limits: `concurrent=30,per-minute=60,…`. */
  engineLimits?: string
  clobber?: boolean
  dryRun?: boolean
  exactKey?: boolean
  source?: SideOptions
  destination?: SideOptions
  signal?: AbortSignal
  onEvent?: (event: XferEvent) => void
  env?: NodeJS.ProcessEnv
}

/** What either route is given: the job, the source as it was found, and the plan. */
export interface WriteWork {
  job: import('./job').Job
  object: ObjectHead
  plan: Plan
  /** Invocations at once. */
  concurrency: number
  limits: EngineLimits
  /** Tells whoever counts that every part is to be copied again. */
  restart: () => void
}

/** What a route leaves behind. */
export interface Written {
  outcomes: TaskSuccess[]
  /** Of the whole object. */
  crc32: number
  etag: string
  versionId?: string
  /** The full-object CRC-32 that the destination gave back, base64. */
  storedCrc32?: string
}

/** What a copy was proved with; see docs/integrity.md. */
export type Proof = 'store-crc32' | 'source-crc32' | 'source-etag' | 'part-md5' | 'size'

export interface Summary {
  source: string
  destination: string
  bytes: number
  parts: number
  partBytes: number
  route: 'put' | 'multipart'
  engine: 'openwhisk' | 'local'
  /** Of the copy; absent, as the next two, of a dry run. */
  etag?: string
  versionId?: string
  /** Base64, as S3 writes it. */
  crc32?: string
  dryRun?: true
  proof: Proof[]
  elapsedMs: number
  bytesPerSecond: number
  invocations: number
  retried: number
  throttled: number
  /** Of parts that were started a second time because the first was far behind. */
  hedgedBytes: number
}

export interface Progress {
  bytesDone: number
  bytesTotal: number
  partsDone: number
  partsTotal: number
  inFlight: number
  retried: number
  throttled: number
  bytesPerSecond: number
  /** Undefined until there is a rate. */
  etaMs?: number
}

export type CopyEvent =
  | SchedulerEvent
  | {
      type: 'plan'
      source: string
      destination: string
      bytes: number
      parts: number
      partBytes: number
      route: 'put' | 'multipart'
      engine: 'openwhisk' | 'local'
      where: string
      why: string
      concurrency: number
      notices: string[]
      dryRun: boolean
    }
  | { type: 'retry'; call: string; side: string; attempt: number; code: string; message: string }
  | ({ type: 'progress' } & Progress)
  | ({ type: 'done' } & Summary)
  | { type: 'error'; code: string; message: string; hint: string; exitCode: number }

/** `time`: ISO 8601, UTC. */
export type XferEvent = CopyEvent & { time: string }

// --- errors: see lib/errors.js --------------------------------------------------------------------------------------

export type XferError = import('./errors').XferError
