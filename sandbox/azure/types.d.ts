import type { EventEmitter } from 'node:events'
import type { Blobs } from '../common/blobs'
import type { Effects as CommonEffects, Faults } from '../common/faults'
import type { Answer, FaultRule as CommonRule, Received, Segment } from '../common/types'
import type { Catalog } from './catalog'

export type { Answer, Segment } from '../common/types'

/** An application or a user in the directory. What it may do is written in the letters of a SAS. */
export interface Principal {
  tenantId: string
  clientId: string
  clientSecret: string
  objectId: string
  /** Of the letters r, a, c, w, d, x, l, t, i, m, e, o, p: what it may do to blobs and containers; default all. */
  permissions?: string
  /** Whether it may get keys for user delegation SAS; default true. */
  delegates?: boolean
}

export interface ContainerOptions {
  /** What anyone may read without a signature: blobs by name, or lists too. */
  access?: 'blob' | 'container'
  /** Count and check what is written to it, and discard the bytes. */
  discard?: boolean
}

export interface AzureOptions {
  /** The address to listen on; default `127.0.0.1`. */
  host?: string
  /** Default 0: any free one. */
  port?: number
  /** The folder for all data, from which a later start loads it; default: a new temporary folder that `close` removes. */
  dir?: string
  /** Default `xfersandbox`. */
  account?: string
  /** Base64; default a random one. */
  key?: string
  /** Who may get tokens of the endpoint `/TENANT/oauth2/v2.0/token`; default nobody. */
  principals?: Principal[]
  /** Created at the start if they don't exist. */
  containers?: (string | ({ name: string } & ContainerOptions))[]
  /** Default false. True: a hierarchical namespace: directories are blobs with `hdi_isfolder`, and there are no tags. */
  hierarchical?: boolean
  /**
   * Default true: a path is resolved as Azure does it, so `a/../b`, `a\\b` and `a.` name other blobs. False: names are kept as
   * they are.
   */
  resolvesPaths?: boolean
  /** Default false. True: replaced and deleted blobs can be read by version id. */
  versioning?: boolean
  /** The tier of blobs that are written without one; default `Hot`. */
  tier?: string
  /** Entries per page of any listing, by default and at most; default 5,000. */
  pageSize?: number
  /** How far the store's clock is ahead; default 0. */
  clockSkewMs?: number
  /** Serve HTTPS: PEM texts. */
  tls?: { key: string; cert: string }
  /** Fault rules from the start. */
  faults?: FaultRule[]
  /** The seed of the random numbers for fault rules without a seed of their own; default 1. */
  seed?: number
  /** The value of its `Server` header. Empty: it sends none. */
  serverName?: string
}

/** The options with every default filled in. */
export interface Settings extends Required<Omit<AzureOptions, 'dir' | 'tls' | 'containers' | 'faults'>> {
  dir: string
}

/** A fault rule of an Azure store. Plain data, for JSON. */
export interface FaultRule extends CommonRule {
  blockId?: string
  /** Answer a write with a CRC-64 that is wrong, or with none. */
  crc?: 'wrong' | 'none'
  /** Do the work twice, as when a request is repeated on its way, and answer what came of it the second time. Not for bodies of bytes. */
  twice?: boolean
}

export interface Effects extends CommonEffects {
  crc?: 'wrong' | 'none'
  twice?: boolean
}

export interface Block {
  /** Base64, as sent. */
  id: string
  size: number
  segments: Segment[]
}

export type BlobType = 'BlockBlob' | 'AppendBlob'

/** What a write says of a blob. */
export interface Description {
  /** Of the names in description.js, such as `Content-Type`. */
  content: Record<string, string>
  /** Names as they were sent. */
  metadata: [name: string, value: string][]
  tags: [key: string, value: string][]
  /** Absent where the account's default is meant. */
  tier?: string
}

export interface StoredBlob extends Description {
  type: BlobType
  size: number
  /** With quotes. */
  etag: string
  createdMs: number
  modifiedMs: number
  segments: Segment[]
  /** Committed blocks, in order; none of a blob that Put Blob wrote. */
  blocks: Block[]
  /** Where versions are kept. */
  versionId?: string
}

/** All that a name stands for in a container. */
export interface Entry {
  name: string
  /** Absent: only uncommitted blocks, or older versions. */
  current?: StoredBlob
  /** Oldest first; without the current one. */
  versions: StoredBlob[]
  uncommitted: Map<string, Block>
  /** When the last block was written. */
  lastBlockMs: number
}

export interface Container {
  name: string
  access?: 'blob' | 'container'
  discard: boolean
  etag: string
  modifiedMs: number
  metadata: [name: string, value: string][]
  entries: Map<string, Entry>
}

export interface State {
  options: Settings
  catalog: Catalog
  blobs: Blobs
  faults: Faults
  events: EventEmitter
  /** Milliseconds, by the store's own clock. */
  now(): number
  /** Whether it serves HTTPS. */
  secure: boolean
  /** Tokens that it gave, by their text. */
  tokens: Map<string, { principal: Principal; expiresMs: number }>
}

/** Who sent a request, and what it may do. */
export interface Identity {
  kind: 'sharedKey' | 'sas' | 'token' | 'anonymous'
  /** Letters of a SAS. Absent: everything. */
  permissions?: string
  principal?: Principal
  /** What the SAS allows to be touched; absent: everything. */
  scope?: { container?: string; name?: string; levels?: string }
}

/** One parsed request. */
export interface Context extends Received {
  state: State
  effects: Effects
  requestId: string
  /** `x-ms-version`; empty if there is none. */
  version: string
  /** The account named by the path or the host. */
  account: string
  /** Names in lower case. */
  query: Map<string, string>
  /** Under the name that faults use: the container. */
  bucketName?: string
  /** The name of the blob. */
  key?: string
  identity?: Identity
  /** Throws ContainerNotFound. */
  container(): Container
  /** The body of a request that was read as text; read once. */
  document?: Promise<{ text: string; bytes: number; crc64: string; md5?: string }>
}

export type Handler = (ctx: Context) => Answer | Promise<Answer>

/** The event of `on('begin')` and `on('request')`; names as in the S3 store. */
export interface RequestEvent {
  operation: string
  method: string
  /** The container. */
  bucket?: string
  key?: string
  blockId?: string
  range?: string
  /** How the request was authorised; in `begin` absent. */
  identity?: Identity['kind']
  /** In `request`: absent if the connection was cut before an answer. */
  status?: number
  code?: string
  bytesReceived: number
  bytesSent: number
}

export interface KeptBlob extends Description {
  key: string
  type: BlobType
  etag: string
  bytes: Buffer
  blocks: string[]
}

export interface RunningAzureStore {
  /** `http://127.0.0.1:PORT/ACCOUNT` */
  endpoint: string
  port: number
  account: string
  /** Base64. */
  key: string
  /** Of the token endpoint: `http://127.0.0.1:PORT`. */
  authority: string
  dir: string
  faults: Pick<Faults, 'add' | 'clear'>
  /** Requests so far, by operation; a request is counted before it is answered. */
  requests: Record<string, number>
  /**
   * `begin` when a request's head has been read, `request` when the request is finished, which may be a moment after its
   * client has the complete answer.
   */
  on(event: 'begin' | 'request', listener: (event: RequestEvent) => void): void
  off(event: 'begin' | 'request', listener: (event: RequestEvent) => void): void
  createContainer(name: string, options?: ContainerOptions): void
  /** Sets its clock forward, or back where negative. */
  stepClock(ms: number): void
  /**
   * What a container really holds: not asked by a request, so that no quirk and no fault has a part in the answer. Uploads are
   * names with uncommitted blocks.
   */
  look(container: string): Promise<{ objects: KeptBlob[]; uploads: { key: string; blocks: string[] }[] }>
  /** Ends every connection, and removes the folder where it is a temporary one. */
  close(): Promise<void>
}
