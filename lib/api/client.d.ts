/** A client, as `createClient` makes it. */

import type * as xfer from '../index.js'
import type { CopyOptions, DownloadOptions } from './options'

/** The options that a client has for its calls. */
export type ClientOptions = CopyOptions & DownloadOptions

/** The functions of the library, with the options of a client. */
export interface Client {
  copy: typeof xfer.copy
  copyPrefix: typeof xfer.copyPrefix
  move: typeof xfer.move
  upload: typeof xfer.upload
  download: typeof xfer.download
  resume: typeof xfer.resume
  verify: typeof xfer.verify
  verifyPrefix: typeof xfer.verifyPrefix
  verifyManifest: typeof xfer.verifyManifest
  list: typeof xfer.list
  usage: typeof xfer.usage
  head: typeof xfer.head
  presign: typeof xfer.presign
  remove: typeof xfer.remove
  /** Connections and threads that no call uses end now, those in use when their calls have ended. */
  close(): Promise<void>
}

/** Access keys of a store. */
export interface StoreCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  /** Absent: they do not expire. */
  expiration?: Date
}

/**
 * Returns access keys, or a promise of them. It is called when the first request is signed, and again shortly before
 * its answer expires or when the store says that it has expired; never twice at a time.
 */
export type StoreCredentialsProvider = (how?: {
  /** Always true: a provider that keeps its answers asks anew. */
  forceRefresh?: boolean
}) => StoreCredentials | Promise<StoreCredentials>
