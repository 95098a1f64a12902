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
  list: typeof xfer.list
  usage: typeof xfer.usage
  head: typeof xfer.head
  presign: typeof xfer.presign
  remove: typeof xfer.remove
  /** Connections and threads that no call uses end now, those in use when their calls have ended. */
  close(): Promise<void>
}
