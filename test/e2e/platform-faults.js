'use strict'

/**
 * What a platform's faults come to: a table of copies, each with the fault that it meets and what must become of it: the copy
 * is right, or it stops with this code and this sentence. `node test/e2e/platform-faults.js --print` runs them all and prints
 * what really came of each, as a Markdown table.
 *
 * Every copy is of five parts, one an invocation unless it says otherwise.
 *
 * @typedef {object} Row
 * @property {string} it the fault
 * @property {object[]} [faults] of the platform, once the action is deployed: `Fault` of sandbox/platform, sandbox/lambda or
 *   test/support/faulty-worker.js
 * @property {import('../../sandbox/platform/types').PlatformOptions} [platform] its options
 * @property {import('../../sandbox/lambda/types').LambdaOptions} [service] the platform is AWS Lambda, with these options
 * @property {Record<string, string>} [variables] of a function of Lambda
 * @property {{ count?: number, args?: string[] }} [workers] the platform is so many workers, default 1; args: of `xfer serve`
 * @property {number} [spent] invocations of this minute that somebody else has used up; a few seconds of it are left
 * @property {string} [action] code that stands in the action's place
 * @property {boolean} [undeployed] there is no action
 * @property {Record<string, unknown>} [annotations] over the action's
 * @property {{ timeout?: number, memory?: number }} [limits] of the action, in place of its own
 * @property {string[]} [flags] of the command
 * @property {Record<string, string>} [env] of the command
 * @property {number} exit
 * @property {string} [code] of the error that it stops with
 * @property {RegExp} [says] its sentence
 * @property {string} [advises] in its hint
 * @property {string[]} [met] the codes of all that was retried and throttled on the way
 * @property {number} [again] parts that were written more than once; undefined: as it comes
 * @property {number} [retries] attempts that it cost; undefined: as it comes
 * @property {number} [throttles] refusals at the least
 * @property {number} [boundMs] it may take so long
 */

/** @type {Row[]} */
const ROWS = ['throttles', 'answers', 'ends', 'stops', 'lambda', 'workers'].flatMap(name =>
  require(`./platform-faults/${name}`),
)

module.exports = { ROWS }

if (require.main === module) require('./platform-faults/print').print(ROWS)
