/**
 * The library for ES modules: `import { copy, XferError } from 'xfer'`. It is the CommonJS library, whose functions are
 * loaded when they are first called.
 */

import xfer from './index.js'

/** @type {any} */
const functions = new Proxy(xfer, {
  get:
    (/** @type {any} */ library, name) =>
    (/** @type {any[]} */ ...args) =>
      library[name](...args),
})

export const {
  abortJob,
  attach,
  clean,
  cleanState,
  compareProbes,
  copy,
  copyPrefix,
  createClient,
  deploy,
  doctor,
  download,
  head,
  jobs,
  list,
} = functions
export const { makeBucket, move, presign, probe, profiles, remove, resume, stopJob, undeploy, upload, usage } =
  functions
export const { verify, verifyManifest, verifyPrefix, work } = functions

export const { XferError, EXIT } = xfer

export default xfer
