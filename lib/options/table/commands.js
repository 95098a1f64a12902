'use strict'

/** Sets of commands, which the rows of the table name. */

/** @typedef {import('../contract').Command} Command */

/** @type {readonly Command[]} begin a copy */
const COPIES = ['copy', 'sync']
/** @type {readonly Command[]} choose among the objects below a prefix */
const SELECTS = [...COPIES, 'verify', 'rm']
/** @type {readonly Command[]} write objects */
const WRITES = [...COPIES, 'resume']
/** @type {readonly Command[]} move bytes */
const MOVES = [...WRITES, 'verify']
/** @type {readonly Command[]} the same, and those that hand bytes out */
const TRANSFERS = [...MOVES, 'cat']
/** @type {readonly Command[]} ask about one location */
const ASKS = ['ls', 'du', 'head', 'presign']
/** @type {readonly Command[]} are about one location, and move no bytes */
const EVERYDAY = [...ASKS, 'rm', 'mb']
/** @type {readonly Command[]} */
const ALL = [...TRANSFERS, 'mv', ...EVERYDAY, 'jobs', 'abort', 'clean', 'deploy', 'doctor']

/** The commands that use each side. @type {Record<import('../contract').SideName, readonly Command[]>} */
const OF_SIDE = {
  source: [...TRANSFERS, 'mv', ...ASKS, 'doctor'],
  destination: [...MOVES, 'mv', 'doctor', 'abort', 'clean', 'rm', 'mb'],
}

module.exports = { ALL, ASKS, COPIES, EVERYDAY, MOVES, OF_SIDE, SELECTS, TRANSFERS, WRITES }
