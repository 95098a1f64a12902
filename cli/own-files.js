'use strict'

/** The files that the program itself writes: none that it was given for something else, and some are replaced as a whole. */

const { renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const { basename, join, resolve, sep } = require('node:path')
const lib = require('../lib')
const { realPath } = require('../lib/files')
const { givenOf } = require('./options')

/** Those that add to a file: both may take the same one. */
const APPENDED = ['logFile', 'summary']

/** @param {string} text @returns {string | undefined} the path, if it is one of this machine; a folder's ends in a slash */
function pathOf(text) {
  const path = resolve(text.replace(/^file:\/\//i, ''))
  if (text === '-' || (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^file:/i.test(text))) return undefined
  const stat = statSync(path, { throwIfNoEntry: false })
  // Devices and pipes keep nothing that could be lost.
  if (stat && !stat.isFile() && !stat.isDirectory()) return undefined
  return realPath(path) + (stat?.isDirectory() || /\/$/.test(text) ? sep : '')
}

/** @param {string} [name] the job's id, or the first characters of it; absent: the only one @param {{ state?: string, caBundle?: string }} [where] it lies */
async function placesOfJob(name = '', { state, caBundle } = {}) {
  // Only who resumes a job needs them; lib.jobs would start a runner that has stopped.
  const [{ openState }, { openJournals }] = [require('../lib/job'), require('../lib/journal')]
  const { place, close } = await openState({ state, caBundle })
  const all = await openJournals({ env: process.env, place }).list().finally(close)
  const found = all.flatMap(job => (job.problem === undefined && !job.over && job.id.startsWith(name) ? [job] : []))
  if (found.length !== 1) return { places: [], prefixes: false }
  const [{ source, destination, options }] = found
  return {
    places: [source, destination].map(({ text, typed = text }) => typed),
    prefixes: options.recursive !== undefined,
  }
}

/**
 * Refuses a command that would write over the bytes to copy, or over another option's file.
 *
 * @param {string} name of the command
 * @param {Record<string, any>} flags as commander read them
 * @param {string[]} args its arguments
 * @param {string[]} outputs options whose files are written
 * @throws {lib.XferError} USAGE
 */
async function checkFiles(name, flags, args, outputs) {
  const given = givenOf(/** @type {any} */ (name), flags).filter(
    ({ spec }) => spec.takes.kind === 'file' || spec.takes.as === '<path>',
  )
  const written = given.filter(({ spec }) => outputs.includes(spec.name))
  const { places, prefixes } =
    name === 'resume'
      ? await placesOfJob(args[0], flags)
      : { places: args, prefixes: flags.recursive || name === 'sync' }
  for (const { spec, flag, value } of written) {
    const path = pathOf(value)
    if (path === undefined) continue
    /** @param {string} what @param {string} [advice] @returns {never} */
    const refuse = (what, advice = 'Give it a name of its own.') => {
      throw new lib.XferError('USAGE', { text: `The file of ${flag}, ${value}, ${what}.`, advice })
    }
    for (const other of given) {
      const appended = [spec, other.spec].every(({ name }) => APPENDED.includes(name))
      if (other.flag !== flag && !appended && pathOf(other.value) === path) refuse(`is that of ${other.flag}, too`)
    }
    places.forEach((place, i) => {
      const at = pathOf(place)
      if (at === undefined) return
      const inFolder = !prefixes && i === 1 && at.endsWith(sep) ? join(at, basename(places[0])) : at
      if (path === inFolder) refuse(`is also what this command ${i === 0 ? 'reads' : 'writes'}`)
      // What the command reads would change meanwhile, and what it deletes would be the file.
      if (prefixes && (i === 0 || flags.delete) && at.endsWith(sep) && path.startsWith(at))
        refuse(
          `lies below ${place}, which this command ${i === 0 ? 'reads' : 'deletes from'}`,
          'Name a file elsewhere.',
        )
    })
  }
}

/**
 * Replaces a file as a whole: who reads it meanwhile finds the old one or the new one. Nothing else is left if it fails.
 *
 * @param {string} path
 * @param {string} text
 * @param {{ mode?: number }} [how] mode: of the new file
 * @throws {NodeJS.ErrnoException}
 */
function replaceFile(path, text, { mode } = {}) {
  const next = `${path}.${process.pid}`
  try {
    writeFileSync(next, text, { mode })
    renameSync(next, path)
  } catch (cause) {
    rmSync(next, { force: true })
    throw cause
  }
}

module.exports = { checkFiles, replaceFile }
