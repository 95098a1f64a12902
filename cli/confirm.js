'use strict'

/** Asks before many objects are deleted. */

const { createInterface } = require('node:readline')
const lib = require('../lib')
const { formatBytes, plural, printable } = require('./format')

/** @typedef {import('../lib/types').FoundObjects} FoundObjects */

const YES = /^y(es)?$/i

/** @typedef {import('node:tty').ReadStream | (NodeJS.ReadableStream & { isTTY?: boolean })} ConfirmInput where the answer comes from */

/**
 * @param {Pick<import("./run").Process, "err">} own
 * @param {{ yes?: boolean, quiet?: boolean, json?: boolean, maxDelete?: string }} flags
 * @param {string[]} locations
 * @param {ConfirmInput} [input]
 * @returns {(found: FoundObjects) => Promise<boolean>}
 * @throws {import('../lib/types').XferError} USAGE if there is no terminal to ask at
 */
function confirmer({ err }, { yes, quiet, json, maxDelete }, locations, input = process.stdin) {
  /** @param {string} text */
  const say = text => void err.write(`${printable(text)}\n`)
  const nobody = {
    text: `To delete everything below ${locations.join(' and ')}, xfer has to ask, and there is no terminal.`,
    advice:
      'Look at what --dry-run prints; if all of it is to go, add --yes, and for a whole bucket --max-delete N with the number of its objects.',
  }
  const ask = askerAt({ input, err }, yes, nobody)
  return async ({ location, objects, bytes, whole }) => {
    const what = `${plural(objects, 'object')} with ${formatBytes(bytes)} below ${location}`
    if (ask) {
      say(`This deletes ${what}.`)
      if (!whole) return YES.test(await ask('Delete them? [y/N] '))
      const answer = await ask('That is all there is. Type the number of objects to delete them: ')
      return answer.replace(/[,\s]/g, '') === String(objects)
    }
    if (whole && maxDelete === undefined) {
      const text = `${location} is a whole bucket or container with ${plural(objects, 'object')}, and --yes alone does not empty one.`
      throw new lib.XferError('USAGE', { text, advice: `If all of it is to go, add --max-delete ${objects}.` })
    }
    if (!quiet && !json) say(`Deleting ${what}.`)
    return true
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
function prober({ err }, { yes, quiet, json }) {
  const ask = askerAt({ input: process.stdin, err }, yes, {
    text: 'A probe writes objects of its own; xfer has to ask first, and there is no terminal.',
    advice: 'Add --yes, and perhaps --max-bytes.',
  })
  return async ({ locations, mostBytes }) => {
    const what = `up to ${formatBytes(mostBytes)} below ${locations.join(' and below ')}`
    if (!quiet && !json) err.write(`${printable(`Writing ${what}, and deleting it again.`)}\n`)
    return !ask || YES.test(await ask('Go on? [y/N] '))
  }
}

/**
 * Asks before keys are given to a function.
 *
 * @param {Pick<import("./run").Process, "err">} own
 * @param {{ yes?: boolean }} flags
 * @returns {(profiles: string[]) => Promise<boolean>}
 * @throws {import('../lib/types').XferError} USAGE if nobody can be asked
 */
function binder({ err }, { yes }) {
  const ask = askerAt({ input: process.stdin, err }, yes, {
    text: 'The runner would get the keys of profiles; xfer has to ask first, and there is no terminal.',
    advice: 'Add --yes.',
  })
  return async profiles => {
    if (!ask) return true
    err.write(
      `The runner gets the keys of ${printable(profiles.join(', '))}, and whoever holds the namespace's key can read them.\n`,
    )
    return YES.test(await ask('Go on? [y/N] '))
  }
}

/**
 * @param {{ input: ConfirmInput, err: NodeJS.WritableStream & { isTTY?: boolean } }} terminal
 * @param {boolean | undefined} yes whether the answer was given
 * @param {{ text: string, advice: string }} fault if there is no terminal
 * @returns {((question: string) => Promise<string>) | undefined} resolves to '' at the end of the input; undefined: need not ask
 */
function askerAt({ input, err }, yes, fault) {
  if (yes) return undefined
  if (!input.isTTY || !err.isTTY) throw new lib.XferError('USAGE', fault)
  return question =>
    new Promise(resolve => {
      const lines = createInterface({ input, output: err })
      lines.once('close', () => resolve(''))
      lines.question(question, answer => {
        resolve(answer.trim())
        lines.close()
      })
    })
}

module.exports = { binder, confirmer, prober }
