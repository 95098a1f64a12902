'use strict'

/** The names of the library's options: one that is misspelt would be an option that was not given. */

const { XferError } = require('../errors')

/** @typedef {import('../types').SideOptions} SideOptions */
/** @typedef {import('../types').CopyOptions} CopyOptions */
/** @typedef {import('../types').PrefixOptions} PrefixOptions */

/** @type {Record<keyof SideOptions, true>} */
const OF_SIDE = {
  profile: true,
  endpointUrl: true,
  region: true,
  addressing: true,
  caBundle: true,
  noSignRequest: true,
  requestPayer: true,
  versionId: true,
  sseCKeyFile: true,
  sseC: true,
}

/** @type {Record<Exclude<keyof import('../types').VerifyOptions, 'read'>, true>} */
const OF_BOTH = {
  chunk: true,
  concurrency: true,
  bandwidth: true,
  retries: true,
  ioTimeout: true,
  outageTimeout: true,
  engine: true,
  apihost: true,
  packageName: true,
  partsPerInvocation: true,
  engineLimits: true,
  caBundle: true,
  exactKey: true,
  source: true,
  destination: true,
  signal: true,
  env: true,
  onEvent: true,
}

/** @type {Record<keyof CopyOptions, true>} */
const OF_COPY = {
  ...OF_BOTH,
  metadata: true,
  contentType: true,
  cacheControl: true,
  contentEncoding: true,
  contentLanguage: true,
  contentDisposition: true,
  expires: true,
  metadataSet: true,
  tags: true,
  storageClass: true,
  sse: true,
  sseKmsKeyId: true,
  mtime: true,
  route: true,
  clobber: true,
  ifMatch: true,
  verify: true,
  onFailure: true,
  timeout: true,
  restart: true,
  dryRun: true,
}

/** @type {Record<keyof PrefixOptions, true>} */
const OF_PREFIX = {
  ...OF_COPY,
  recursive: true,
  filters: true,
  newerThan: true,
  olderThan: true,
  minSize: true,
  maxSize: true,
  filesFrom: true,
  ignoreExisting: true,
  sizeOnly: true,
  checksum: true,
  delete: true,
  allowEmptySource: true,
  maxDelete: true,
  maxErrors: true,
  failures: true,
}

/** @type {Record<keyof import('../types').ResumeOptions, true>} */
const OF_RESUME = {
  ...OF_COPY,
  filesFrom: true,
  failures: true,
  delete: true,
  maxDelete: true,
  allowEmptySource: true,
}

/** @type {Record<keyof import('../types').JobsOptions, true>} */
const OF_JOBS = { env: true }

/** @type {Record<keyof import('../types').AbortOptions, true>} */
const OF_ABORT = { ...OF_JOBS, destination: true, signal: true }

/** @type {Record<keyof import('../types').CleanOptions, true>} */
const OF_CLEAN = { ...OF_ABORT, olderThan: true, yes: true, onUpload: true }

/** @type {Record<keyof import('../commands/doctor').DoctorOptions, true>} */
const OF_DOCTOR = {
  apihost: true,
  packageName: true,
  caBundle: true,
  source: true,
  destination: true,
  env: true,
  signal: true,
  onCheck: true,
}

/** @type {Record<keyof import('../engines/openwhisk/deploy').DeployOptions, true>} */
const OF_DEPLOY = {
  manifest: true,
  apihost: true,
  packageName: true,
  memory: true,
  timeout: true,
  runtime: true,
  allowHosts: true,
  allowMetadata: true,
  caBundle: true,
  reset: true,
  env: true,
  signal: true,
}

const FUNCTIONS = {
  copy: OF_COPY,
  copyPrefix: OF_PREFIX,
  resume: OF_RESUME,
  verify: { ...OF_BOTH, read: /** @type {const} */ (true) },
  jobs: OF_JOBS,
  abortJob: OF_ABORT,
  clean: OF_CLEAN,
  deploy: OF_DEPLOY,
  undeploy: OF_DEPLOY,
  doctor: OF_DOCTOR,
}

/**
 * @param {keyof typeof FUNCTIONS} name of the function
 * @param {object} options
 * @throws {XferError} USAGE
 */
function checkOptionNames(name, options) {
  check(name, options, FUNCTIONS[name])
  const { source, destination } = /** @type {{ source?: SideOptions, destination?: SideOptions }} */ (options)
  if (source) check(`${name}: source`, source, OF_SIDE)
  if (destination) check(`${name}: destination`, destination, OF_SIDE)
}

/** @param {string} of @param {object} given @param {Record<string, true>} known */
function check(of, given, known) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(known, name)) continue
    const like = Object.keys(known).find(other => other.toLowerCase() === name.toLowerCase())
    throw new XferError('USAGE', {
      text: `${of} has no option "${name}".`,
      advice: like ? `Perhaps you mean "${like}".` : `It has ${Object.keys(known).join(', ')}.`,
    })
  }
}

module.exports = { checkOptionNames }
