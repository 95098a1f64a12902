'use strict'

/** `xfer copy` and `xfer sync`: which copy is meant, and of standard input and output what can be copied. */

const { createReadStream, fstatSync, statSync, writeSync } = require('node:fs')
const { devNull } = require('node:os')
const { isatty } = require('node:tty')
const lib = require('../lib')
const table = require('../lib/options')
const { asOptions, givenOf, optionsOf, refuse } = require('./options')
const { runJob } = require('./run')
const { writeOut } = require('./write-out')

/**
 * Copies an object, or everything below a prefix.
 *
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string} what.source
 * @param {string} what.destination
 * @param {any} what.flags as commander read them
 * @param {'copy' | 'sync'} [what.recursive]
 */
async function copyEither(process, { source, destination, flags, recursive }) {
  if (source === '-') return await fromStandardInput(process, { destination, flags, recursive })
  if (destination === '-') {
    return await writeOut(process, { locations: [source], flags, options: () => optionsToWriteOut(flags, recursive) })
  }
  const options = optionsOf(recursive ?? 'copy', flags)
  await runJob(process, flags, async run => {
    if (recursive) return await lib.copyPrefix(source, destination, { filters: [], ...options, recursive, ...run })
    table.checkScope('copy', options)
    return await lib.copy(source, destination, { ...options, ...run })
  })
}

/** @param {any} flags @param {string} [recursive] @returns {Record<string, any>} of the library's `download` */
function optionsToWriteOut(flags, recursive) {
  if (recursive) {
    const text = 'Everything below a prefix cannot be written to standard output as one stream.'
    throw new lib.XferError('USAGE', { text, advice: 'Name the objects, in their order: xfer cat LOCATION...' })
  }
  const known = table.flagsOfCommand('cat').map(({ flag }) => flag)
  // The engine is the only way.
  const given = givenOf('copy', flags).filter(({ spec, value }) => spec.name !== 'route' || value === 'server')
  const other = given.find(({ flag }) => !known.includes(flag))
  refuse(other, 'a copy to standard output')
  return asOptions(given)
}

/** An object from standard input. */

/** The descriptor. */
const INPUT = 0

/**
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string} what.destination
 * @param {any} what.flags as commander read them
 * @param {'copy' | 'sync'} [what.recursive]
 */
async function fromStandardInput(process, { destination, flags, recursive }) {
  await runJob(process, flags, async run => {
    refuseWhatDoesNotApply(flags, recursive)
    refuseNothing()
    const input = openInput(process.input)
    const options = optionsOf('copy', flags)
    return await lib.upload(input, destination, { ...options, size: options.size ?? sizeOfInput(), ...run })
  })
}

/** @throws {lib.XferError} USAGE if nobody gives an object */
function refuseNothing() {
  const text = isatty(INPUT)
    ? 'Standard input is a terminal, and xfer copy - reads an object from it.'
    : isClosed() && 'Standard input is closed, and xfer copy - reads an object from it.'
  if (!text) return
  const advice =
    'Give it the output of a program, or a file: tar c folder | xfer copy - DEST, or xfer copy - DEST < file.'
  throw new lib.XferError('USAGE', { text, advice })
}

/** If it is closed, Node.js opens /dev/null in its place: for writing too, as `< /dev/null` does not. */
function isClosed() {
  const { rdev } = fstatSync(INPUT)
  if (rdev === 0 || rdev !== statSync(devNull, { throwIfNoEntry: false })?.rdev) return false
  try {
    writeSync(INPUT, '')
    return true
  } catch {
    return false
  }
}

/**
 * For Node.js block devices and folders are empty inputs, so only what can keep its reader waiting is left to it.
 *
 * @param {import('./run').Process['input']} input standard input as Node.js reads it
 * @returns {import('node:stream').Readable}
 */
function openInput(input) {
  const stats = fstatSync(INPUT)
  if (stats.isFIFO() || stats.isSocket()) return input()
  return createReadStream('', { fd: INPUT, autoClose: false })
}

/** How much comes, if standard input is a file: `< file`. @returns {string | undefined} undefined: nobody knows */
function sizeOfInput() {
  const stats = fstatSync(INPUT)
  return stats.isFile() && stats.size > 0 ? `${stats.size}B` : undefined
}

/** @param {any} flags @param {string} [recursive] */
function refuseWhatDoesNotApply(flags, recursive) {
  if (recursive) {
    const text = 'Standard input is one object, and this command copies all that is below a prefix.'
    throw new lib.XferError('USAGE', { text, advice: 'Leave -r out, or copy a prefix or a folder.' })
  }
  const known = table.optionsOf('upload').map(({ name }) => name)
  const other = givenOf('copy', flags).find(
    ({ spec, side }) => spec.only !== 'cli' && (side === 'source' || (!side && !known.includes(spec.name))),
  )
  refuse(other, 'a copy from standard input')
}

module.exports = { copyEither }
