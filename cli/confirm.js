'use strict'

/** Asks before many objects are deleted. */

const { createInterface } = require('node:readline')
const lib = require('../lib')
const { formatBytes, plural, printable } = require('./format')

/** @typedef {import('../lib/types').FoundObjects} FoundObjects */

/**
 * @param {Pick<import("./run").Process, "err">} own
 * @param {{ yes?: boolean, quiet?: boolean, json?: boolean, maxDelete?: string }} flags
 * @param {string[]} locations
 * @param {import('node:tty').ReadStream | (NodeJS.ReadableStream & { isTTY?: boolean })} [input] where the answer comes from
 * @returns {(found: FoundObjects) => Promise<boolean>}
 * @throws {import('../lib/types').XferError} USAGE if there is no terminal to ask at
 */
function confirmer({ err }, { yes = false, quiet = false, json = false, maxDelete }, locations, input = process.stdin) {
  const asks = !yes && input.isTTY === true && /** @type {import('node:tty').WriteStream} */ (err).isTTY === true
  if (!asks && !yes) {
    throw new lib.XferError('USAGE', {
      text: `To delete everything below ${locations.join(' and ')}, xfer has to ask, and there is no terminal.`,
      advice: 'Look at what --dry-run prints, then add --yes.',
    })
  }
  /** @param {string} text */
  const say = text => void err.write(`${printable(text)}\n`)
  return async found => {
    const what = `${plural(found.objects, 'object')} with ${formatBytes(found.bytes)} below ${found.location}`
    if (!asks) {
      if (found.whole && maxDelete === undefined) throw wholeBucket(found)
      if (!quiet && !json) say(`Deleting ${what}.`)
      return true
    }
    say(`This deletes ${what}.`)
    if (!found.whole) return /^y(es)?$/i.test(await answerTo('Delete them? [y/N] ', { input, err }))
    const answer = await answerTo('That is all there is. Type the number of objects to delete them: ', { input, err })
    return answer.replace(/[,\s]/g, '') === String(found.objects)
  }
}

/**
 * Asks before a probe writes.
 *
 * @param {Pick<import("./run").Process, "err">} own
 * @param {{ yes?: boolean, quiet?: boolean, json?: boolean }} flags
 * @returns {(plan: { locations: string[], mostBytes: number }) => Promise<boolean>}
 * @throws {import('../lib/types').XferError} USAGE if nobody can be asked
 */
function prober({ err }, { yes = false, quiet = false, json = false }) {
  const input = process.stdin
  const asks = !yes && input.isTTY === true && /** @type {import('node:tty').WriteStream} */ (err).isTTY === true
  if (!asks && !yes) {
    const text = 'A probe writes objects of its own; xfer has to ask first, and there is no terminal.'
    throw new lib.XferError('USAGE', { text, advice: 'Add --yes, and perhaps --max-bytes.' })
  }
  return async ({ locations, mostBytes }) => {
    const what = `up to ${formatBytes(mostBytes)} below ${locations.join(' and below ')}`
    if (!quiet && !json) err.write(`${printable(`Writing ${what}, and deleting it again.`)}\n`)
    return !asks || /^y(es)?$/i.test(await answerTo('Go on? [y/N] ', { input, err }))
  }
}

/** @param {FoundObjects} found */
function wholeBucket({ location, objects }) {
  return new lib.XferError('USAGE', {
    text: `${location} is a whole bucket or container with ${plural(objects, 'object')}, and --yes alone does not empty one.`,
    advice: `If all of it is to go, add --max-delete ${objects}.`,
  })
}

/**
 * @param {string} question
 * @param {{ input: NodeJS.ReadableStream, err: NodeJS.WritableStream }} terminal
 * @returns {Promise<string>} empty at the end of the input
 */
async function answerTo(question, { input, err }) {
  const lines = createInterface({ input, output: err })
  try {
    return await new Promise(resolve => {
      lines.once('close', () => resolve(''))
      lines.question(question, answer => resolve(answer.trim()))
    })
  } finally {
    lines.close()
  }
}

module.exports = { confirmer, prober }
