import type { Answer, Context as StoreContext, FaultRule, RequestEvent as StoreEvent } from '../common/types'
import type { Running, Segment, Sorted, State as StoreState } from '../common/types'
import type { Catalog } from './index'

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

export interface AzureOptions {
  /** Default 0: any free one. */
  port?: number
  /** Default `xfersandbox`. */
  account?: string
  /** Base64; default a random one. */
  key?: string
  /** Who may get tokens of the endpoint `/TENANT/oauth2/v2.0/token`; default nobody. */
  principals?: Principal[]
  /** Created at the start if they don't exist. */
  containers?: string[]
  /** Default false. True: a hierarchical namespace: directories are blobs with `hdi_isfolder`, and there are no tags. */
  hierarchical?: boolean
  /**
   * Default true: a path is resolved as Azure does it, so `a/../b`, `a\\b` and `a.` name other blobs. False: names are kept as
   * they are.
   */
  resolvesPaths?: boolean
  /** Default false. True: replaced and deleted blobs can be read by version id. */
  versioning?: boolean
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
export type Settings = Required<Omit<AzureOptions, 'tls' | 'containers' | 'faults'>>

export interface Block {
  /** Base64, as sent. */
  id: string
  size: number
  segments: Segment[]
}

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
  size: number
  /** With quotes. */
  etag: string
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
}

export interface Container {
  name: string
  modifiedMs: number
  entries: Sorted<Entry>
}

export interface State extends StoreState {
  options: Settings
  catalog: Catalog
  /** Whether it serves HTTPS. */
  secure: boolean
  /** Tokens that it gave, by their text. */
  tokens: Map<string, { principal: Principal; expiresMs: number }>
}

/** Who sent a request, and what it may do. */
export interface Identity {
  kind: 'sharedKey' | 'sas' | 'token'
  /** Letters of a SAS. Absent: everything. */
  permissions?: string
  principal?: Principal
  /** What the SAS allows to be touched; absent: everything. */
  scope?: { container?: string; name?: string }
}

/** One parsed request. */
export interface Context extends StoreContext {
  state: State
  requestId: string
  /** `x-ms-version`; empty if there is none. */
  version: string
  /** The account named by the path. */
  account: string
  identity?: Identity
  /** Throws ContainerNotFound. */
  container(): Container
}

export type Handler = (ctx: Context) => Answer | Promise<Answer>

/** The event of `on('begin')` and `on('request')`. */
export interface RequestEvent extends StoreEvent {
  blockId?: string
  /** How the request was authorised; in `begin` absent. */
  identity?: Identity['kind']
}

export interface KeptBlob extends Description {
  key: string
  etag: string
  bytes: Buffer
  blocks: string[]
}

export interface RunningAzureStore extends Running<RequestEvent> {
  /** `http://127.0.0.1:PORT/ACCOUNT` */
  endpoint: string
  account: string
  /** Base64. */
  key: string
  /** Of the token endpoint: `http://127.0.0.1:PORT`. */
  authority: string
  /**
   * What a container really holds: not asked by a request, so that no quirk and no fault has a part in the answer. Uploads are
   * names with uncommitted blocks.
   */
  look(container: string): Promise<{ objects: KeptBlob[]; uploads: { key: string; blocks: string[] }[] }>
}
