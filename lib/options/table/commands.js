'use strict'

/** Which command has what: rows name sets of commands, not each of them. */

/** @typedef {import('../contract').Command} Command */

/** @type {readonly Command[]} begin a copy */
const COPIES = ['copy', 'sync']
/** @type {readonly Command[]} write objects */
const WRITES = [...COPIES, 'resume']
/** @type {readonly Command[]} move bytes */
const MOVES = [...WRITES, 'verify']
/** @type {readonly Command[]} */
const ALL = [...MOVES, 'jobs', 'abort', 'clean', 'deploy', 'doctor']

/** Which commands speak to which side. @type {Record<import('../contract').SideName, readonly Command[]>} */
const OF_SIDE = {
  source: [...MOVES, 'doctor'],
  destination: [...MOVES, 'doctor', 'abort', 'clean'],
}

module.exports = { ALL, COPIES, MOVES, OF_SIDE, WRITES }
