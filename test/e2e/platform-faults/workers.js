'use strict'

/** The same through workers, and what stands before them. Faults are of the first worker; a second one is there where a row says so. */

const { SUM_BYTES } = require('../../../actions/copy-range/sums')

const COPIED = { exit: 0, again: 0 }

/** Answers for the next part. @param {string} text */
function answerOther(text) {
  const said = JSON.parse(text)
  const outcomes = said.outcomes.map(outcome => ({ ...outcome, partNumber: outcome.partNumber + 1 }))
  return JSON.stringify({ ...said, outcomes })
}

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
    it: 'the only one is killed at work, twice, and comes back',
    faults: [{ nth: [1, 4], signal: 'SIGKILL', restart: true }],
    exit: 0,
  },
  {
    it: 'one of two is stopped at work (SIGSTOP)',
    workers: { count: 2 },
    faults: [{ nth: 1, signal: 'SIGSTOP' }],
    exit: 0,
  },
  {
    it: 'one of two is told to end (SIGTERM), and finishes what it does',
    workers: { count: 2 },
    faults: [{ nth: 1, signal: 'SIGTERM' }],
    ...COPIED,
  },
  {
    it: 'the answer is lost: the connection ends when the work is done',
    faults: [{ nth: 2, lose: true }],
    ...COPIED,
    met: ['WORKER_LOST'],
    retries: 1,
  },
  {
    it: 'blanks, and then nothing',
    faults: [{ nth: 2, silent: true }],
    ...COPIED,
    met: ['WORKER_LOST'],
    retries: 1,
  },
  {
    it: 'it says that it copied, and did nothing',
    faults: [{ nth: 2, instead: { status: 200, body: forged } }],
    exit: 0,
    again: 4,
  },
  {
    it: 'it always says that it copied, and does nothing',
    faults: [{ instead: { status: 200, body: forged } }],
    exit: 8,
    code: 'INTEGRITY',
    says: /the destination refused to complete the upload/,
  },
  {
    it: 'it answers for another part',
    faults: [{ nth: 2, answer: answerOther }],
    exit: 5,
    code: 'ACTION_VERSION',
    says: /its outcomes do not answer the tasks\.$/,
  },
  {
    it: 'it does not allow the stores',
    workers: { args: ['--allow-hosts', 'example.com'] },
    exit: 4,
    code: 'ADDRESS_REFUSED',
  },
]

module.exports = ROWS.map(row => ({ workers: {}, ...row, it: `Worker: ${row.it}` }))
