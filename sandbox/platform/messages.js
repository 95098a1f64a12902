'use strict'

/**
 * The texts by which clients distinguish errors. Upstream: common/scala http/ErrorResponse.scala, object Messages; the two
 * of 401 are pekko-http's own.
 */
const messages = {
  authenticationMissing: 'The resource requires authentication, which was not supplied with the request',
  authenticationInvalid: 'The supplied authentication is invalid',
  /** @param {string} resource */
  notAuthorized: resource => `The supplied authentication is not authorized to access '${resource}'.`,

  /** @param {number} count @param {number} allowed */
  tooManyRequests: (count, allowed) => `Too many requests in the last minute (count: ${count}, allowed: ${allowed}).`,
  /** @param {number} count @param {number} allowed */
  tooManyConcurrent: (count, allowed) =>
    `Too many concurrent requests in flight (count: ${count}, allowed: ${allowed}).`,
  overloaded: 'System is overloaded, try again later.',
  /** pekko-http's own, as plain text. */
  notTimely:
    'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',

  noSuchResource: 'The requested resource does not exist.',
  noSuchPath: 'The requested resource could not be found.',
  /** @param {string[]} methods */
  wrongMethod: methods => `HTTP method not allowed, supported methods: ${methods.join(', ')}`,
  exists: 'resource already exists',
  concurrentModification: 'Concurrent modification to resource detected.',
  otherCollection: 'Resource by this name exists but is not in this collection.',
  illegalName: 'The name of the entity contains illegal characters.',
  /** @param {number} length */
  nameTooLong: length => `Entity name longer than allowed: ${length} > 256.`,
  /** @param {string} name */
  reservedPackage: name => `Package name '${name}' is reserved.`,
  /** @param {number} count */
  packageNotEmpty: count =>
    `Package not empty (contains ${count} ${count === 1 ? 'entity' : 'entities'}). Set force param or delete package contents.`,
  notOnBinding: 'Operation not permitted on package binding.',
  bindingWithoutPackage: 'Binding references a package that does not exist.',
  bindingOfBinding: 'Cannot bind to another package binding.',

  /** @param {string} why */
  malformed: why => `The request content was malformed:\n${why}`,
  /** @param {string} name @param {string} why */
  malformedParameter: (name, why) => `The query parameter '${name}' was malformed:\n${why}`,
  wrongContentType: "The request's Content-Type is not supported. Expected:\napplication/json",
  execUndefined: 'exec undefined',
  /** @param {string} kind @param {string[]} kinds */
  unknownRuntime: (kind, kinds) =>
    `The specified runtime '${kind}' is not supported by this platform. Valid values are: ${kinds.map(k => `'${k}'`).join(', ')}.`,
  /** @param {string} field @param {number} is @param {number} allowed */
  tooLarge: (field, is, allowed) => `${field} larger than allowed: ${is} > ${allowed} bytes.`,
  reservedParameters: 'Request defines parameters that are not allowed (e.g., reserved properties).',
  /** @param {number} max */
  invalidTimeout: max => `Timeout must be number of milliseconds up to ${max}.`,

  /** @param {string} collection @param {number} value @param {number} max */
  limitOutOfRange: (collection, value, max) =>
    `The value '${value}' is not in the range of 0 to ${max} for ${collection}.`,
  /** @param {string} collection @param {number} value */
  skipOutOfRange: (collection, value) => `The value '${value}' is not greater than or equal to 0 for ${collection}.`,
  /** @param {string} collection @param {string} value */
  notAnInteger: (collection, value) => `The value '${value}' is not an integer for ${collection}.`,
  docsWithCount: "The parameter 'docs' is not permitted with 'count'.",
  activationIdIllegal: 'The activation id is not valid.',
  /** @param {number} length */
  activationIdLength: length => `Activation id length is ${length} but must be 32.`,

  notReady: 'System not ready, status is starting.',
  initialisedTwice: 'Cannot initialize the action more than once.',
  runAbnormal: 'The action did not produce a valid response and exited unexpectedly.',
  outOfMemory: 'The action exhausted its memory and was aborted.',
  notProvisioned: 'Failed to provision resources to run the action.',
  /** @param {string} text */
  initInvalid: text => `The action failed during initialization${text ? `: ${text}` : '.'}`,
  /** @param {string} text */
  runInvalid: text => `The action did not produce a valid JSON or JSON Array response${text ? `: ${text}` : '.'}`,
  /** @param {number} ms @param {boolean} init */
  timedOut: (ms, init) =>
    `The action exceeded its time limits of ${ms} milliseconds${init ? ' during initialization' : ''}.`,
  /** @param {string} head @param {number} bytes @param {number} max */
  responseTooLarge: (head, bytes, max) =>
    `The action produced a response that exceeded the allowed length: ${bytes} > ${max} bytes. The truncated response was: ${head}`,
  /** @param {number} max */
  logsTruncated: max => `Logs were truncated because the total bytes size exceeds the limit of ${max} bytes.`,
  logsMissing: 'The action did not initialize or run as expected. Log data might be missing.',
  internal: 'There was an internal server error.',
}

module.exports = { messages }
