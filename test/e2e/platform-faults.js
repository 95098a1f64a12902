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
 * @property {import('../../sandbox/platform/types').PlatformOptions & { deployment?: object }} [platform] its options
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
const ROWS = ['openwhisk', 'lambda', 'workers'].flatMap(name => require(`./platform-faults/${name}`))

/** @param {string} text ports, ids and the part that failed first are other ones each time */
function steady(text) {
  return text
    .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:PORT')
    .replace(/\b[0-9a-f]{32}\b/g, 'ID')
    .replace(/\bPart \d+\b/, 'Part N')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}

/** @param {import('./platform-faults/run').Result} result @param {string} sum @param {number} parts */
function outcomeOf({ run: { status }, last, written, sum: found }, sum, parts) {
  if (status !== 0) return `stopped with exit ${status}, ${last.code}: ${steady(last.message)}`
  if (found !== sum) return 'COPIED WRONG'
  const twice = written - parts
  return twice === 0
    ? 'copied right, every part once'
    : `copied right, ${twice} ${twice === 1 ? 'part' : 'parts'} twice`
}

/** @param {Row[]} rows */
async function print(rows) {
  const { PARTS, runRows } = require('./platform-faults/run')
  const { sum, results, close } = await runRows(rows)
  try {
    process.stdout.write('| the platform | met on the way | outcome |\n| --- | --- | --- |\n')
    for (const [i, row] of rows.entries()) {
      const cells = await results[i].then(
        result => [result.met.join(', ') || '-', outcomeOf(result, sum, PARTS)],
        error => ['-', `FAILED: ${error.message.slice(0, 300).replaceAll('\n', ' ')}`],
      )
      process.stdout.write(`| ${[row.it, ...cells].join(' | ')} |\n`)
    }
  } finally {
    await close()
  }
}

module.exports = { ROWS }

if (require.main === module) print(ROWS)
