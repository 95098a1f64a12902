'use strict'

/** The same through workers. Faults are of the first worker; a second one is there where a row says so. */

const { SUM_BYTES } = require('../../../actions/copy-range/sums')

/** Says that all was copied, and nothing was. @param {any} params */
const forged = ({ version, tasks }) =>
  JSON.stringify({
    version,
    outcomes: tasks.map(({ partNumber, bytes, sums }) => ({
      ...{ partNumber, bytes, etag: `"${'0'.repeat(32)}"` },
      sums: Object.fromEntries(
        sums.map((/** @type {keyof typeof SUM_BYTES} */ sum) => [sum, '0'.repeat(2 * SUM_BYTES[sum])]),
      ),
    })),
  })

/** @type {import('./run').Row[]} */
const ROWS = [
  { it: 'one of two is killed at work', workers: { count: 2 }, faults: [{ nth: 1, signal: 'SIGKILL' }], exit: 0 },
  {
    it: 'the answer is lost: the connection ends when the work is done',
    faults: [{ nth: 2, lose: true }],
    exit: 0,
    again: 0,
    met: ['WORKER_LOST'],
    retries: 1,
  },
  {
    it: 'it always says that it copied, and does nothing',
    faults: [{ instead: { status: 200, body: forged } }],
    exit: 8,
    code: 'INTEGRITY',
    says: /the destination refused to complete the upload/,
  },
]

module.exports = ROWS.map(row => ({ workers: {}, ...row, it: `Worker: ${row.it}` }))
