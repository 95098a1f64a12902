/**
 * The library for ES modules: `import { copy, XferError } from 'xfer'`. It is the CommonJS library, whose functions are
 * loaded when they are first called.
 */

import xfer from './index.js'

/** @type {typeof xfer.createClient} */
export const createClient = (...args) => xfer.createClient(...args)
/** @type {typeof xfer.copy} */
export const copy = (...args) => xfer.copy(...args)
/** @type {typeof xfer.copyPrefix} */
export const copyPrefix = (...args) => xfer.copyPrefix(...args)
/** @type {typeof xfer.upload} */
export const upload = (...args) => xfer.upload(...args)
/** @type {typeof xfer.download} */
export const download = (...args) => xfer.download(...args)
/** @type {typeof xfer.resume} */
export const resume = (...args) => xfer.resume(...args)
/** @type {typeof xfer.verify} */
export const verify = (...args) => xfer.verify(...args)
/** @type {typeof xfer.verifyPrefix} */
export const verifyPrefix = (...args) => xfer.verifyPrefix(...args)
/** @type {typeof xfer.verifyManifest} */
export const verifyManifest = (...args) => xfer.verifyManifest(...args)
/** @type {typeof xfer.list} */
export const list = (...args) => xfer.list(...args)
/** @type {typeof xfer.usage} */
export const usage = (...args) => xfer.usage(...args)
/** @type {typeof xfer.head} */
export const head = (...args) => xfer.head(...args)
/** @type {typeof xfer.presign} */
export const presign = (...args) => xfer.presign(...args)
/** @type {typeof xfer.makeBucket} */
export const makeBucket = (...args) => xfer.makeBucket(...args)
/** @type {typeof xfer.jobs} */
export const jobs = (...args) => xfer.jobs(...args)
/** @type {typeof xfer.abortJob} */
export const abortJob = (...args) => xfer.abortJob(...args)
/** @type {typeof xfer.move} */
export const move = (...args) => xfer.move(...args)
/** @type {typeof xfer.remove} */
export const remove = (...args) => xfer.remove(...args)
/** @type {typeof xfer.clean} */
export const clean = (...args) => xfer.clean(...args)
/** @type {typeof xfer.deploy} */
export const deploy = (...args) => xfer.deploy(...args)
/** @type {typeof xfer.undeploy} */
export const undeploy = (...args) => xfer.undeploy(...args)
/** @type {typeof xfer.compareProbes} */
export const compareProbes = (...args) => xfer.compareProbes(...args)
/** @type {typeof xfer.probe} */
export const probe = (...args) => xfer.probe(...args)
/** @type {typeof xfer.doctor} */
export const doctor = (...args) => xfer.doctor(...args)

export const { XferError, EXIT } = xfer

export default xfer
