'use strict'

/**
 * Every error that xfer answers with: one class, one table.
 *
 * A row says what happened (`message`), what to do (`hint`), which exit status the command ends with, and how the
 * scheduler may act on it: `retryable` (again after a while), `throttled` (again, with less at once, and without
 * counting as an attempt), `uncertain` (the invocation may have run: ask the destination before repeating), `smaller` (an
 * invocation with less to do may succeed, and the one that had more counts as no attempt), `blameless` (nothing that was
 * carried has to do with it: the first few times count as no attempt), `shared` (all that ask the same store or platform may
 * fare alike: a probe tells an outage, which counts as no attempt, from the request's own failure). `final`: nothing that was
 * copied is of use any more, so no
 * job is kept. Where no row fits, the code is `INTERNAL`, which is a defect of xfer.
 *
 * Facts (side, bucket, expected, found, …) are fields of the error; nothing ever reads a message.
 */

const { EXIT } = require('./exit')
const { goOn, why } = require('./words')

/**
 * @typedef {Record<string, any>} Facts
 * @typedef {object} Row
 * @property {number} exit
 * @property {(facts: Facts) => string} message
 * @property {(facts: Facts) => string} hint
 * @property {boolean} [retryable]
 * @property {boolean} [throttled]
 * @property {boolean} [uncertain]
 * @property {boolean} [smaller]
 * @property {boolean} [blameless]
 * @property {boolean} [shared]
 * @property {boolean} [final]
 */

/** @type {Record<string, Row>} */
const TABLE = { ...require('./use'), ...require('./engine'), ...require('./store'), ...require('./rest') }

module.exports = { EXIT, TABLE, goOn, why }
