'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')

/**
 * What people type who know other tools, and what they are answered: the AWS CLI, rclone, s5cmd, mc, gsutil, azcopy. Loaded only
 * after a command line failed.
 *
 * In table.txt words stand at the beginning of a line: commands; options; `--option=`, an option whose value is no value of xfer's;
 * `jobs.word`, a word behind `xfer jobs`. Below them stand the answers, of which the first counts that fits the command: one of those
 * named before the colon, else any that has the options of the answer. `= command` is xfer's command that takes the same words.
 * test/cli/hints.test.js holds that each answer is right.
 */
const TABLE = readFileSync(join(__dirname, 'table.txt'), 'utf8')

/** @typedef {{ of: string[], text: string }} Answer of: the commands for which it is; none: those that have its options */

/** By word. @type {Map<string, Answer[]>} */
const ANSWERS = new Map()
/** @type {string[]} */
let words = []
for (const line of TABLE.split('\n').filter(Boolean)) {
  if (line.startsWith(' ')) {
    const [, of = '', text] = /** @type {RegExpExecArray} */ (/^ {2}(?:([a-z ]+): )?(.*)$/.exec(line))
    for (const word of words)
      ANSWERS.set(word, [...(ANSWERS.get(word) ?? []), { of: of.split(' ').filter(Boolean), text }])
  } else words = line.split(' ')
}

module.exports = { ANSWERS }
