'use strict'

/** `xfer copy - DEST`: an object from standard input. */

const { fstatSync } = require('node:fs')
const lib = require('../lib')
const { optionsOf: namesOf } = require('../lib/options')
const { givenOf, optionsOf } = require('./options')
const { refuse } = require('./refuse')
const { runCopy } = require('./run-copy')

/**
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string} what.destination
 * @param {any} what.flags as commander read them
 * @param {(name: string) => boolean} what.isTyped whether a flag of this name was typed; the others have their defaults
 * @param {'copy' | 'sync'} [what.recursive]
 */
async function fromStandardInput(process, { destination, flags, isTyped, recursive }) {
  const typed = Object.fromEntries(Object.entries(flags).filter(([name]) => isTyped(name)))
  await runCopy(process, flags, async run => {
    refuseWhatDoesNotApply(run, typed, recursive)
    const input = process.input()
    if (input.isTTY) {
      refuse(run, 'USAGE', {
        text: 'Standard input is a terminal, and xfer copy - reads an object from it.',
        advice:
          'Give it the output of a program, or a file: tar c folder | xfer copy - DEST, or xfer copy - DEST < file.',
      })
    }
    const options = optionsOf('copy', typed)
    return await lib.upload(input, destination, { ...options, size: options.size ?? sizeOf(input), ...run })
  })
}

/**
 * How much comes, if standard input is a file: `< file`.
 *
 * @param {NodeJS.ReadStream & { fd?: number }} input
 * @returns {string | undefined} undefined: nobody knows
 */
function sizeOf({ fd }) {
  if (fd === undefined) return undefined
  const stats = fstatSync(fd)
  return stats.isFile() && stats.size > 0 ? `${stats.size}B` : undefined
}

/** @param {{ onEvent: (event: any) => void }} run @param {any} typed @param {string} [recursive] */
function refuseWhatDoesNotApply(run, typed, recursive) {
  if (recursive) {
    const text = 'Standard input is one object, and this command copies all that is below a prefix.'
    refuse(run, 'USAGE', { text, advice: 'Leave -r out, or copy a prefix or a folder.' })
  }
  const known = namesOf('upload').map(({ name }) => name)
  const other = givenOf('copy', typed).find(
    ({ spec, side }) => !spec.cliOnly && (side === 'source' || (!side && !known.includes(spec.name))),
  )
  if (!other) return
  refuse(run, 'USAGE', {
    text: `${other.flag} does not apply to a copy from standard input.`,
    advice: `Leave ${other.flag} out.`,
  })
}

module.exports = { fromStandardInput }
