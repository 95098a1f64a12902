'use strict'

/** Sets of commands, which the rows of the table name. */

/** @typedef {import('../contract').Command} Command */

/** @type {readonly Command[]} begin a copy */
const COPIES = ['copy', 'sync']
/** @type {readonly Command[]} write objects */
const WRITES = [...COPIES, 'resume']
/** @type {readonly Command[]} move bytes */
const MOVES = [...WRITES, 'verify']
/** @type {readonly Command[]} */
const ALL = [...MOVES, 'jobs', 'abort', 'clean', 'deploy', 'doctor']

/** The commands that use each side. @type {Record<import('../contract').SideName, readonly Command[]>} */
const OF_SIDE = {
  source: [...MOVES, 'doctor'],
  destination: [...MOVES, 'doctor', 'abort', 'clean'],
}

module.exports = { ALL, COPIES, MOVES, OF_SIDE, WRITES }
