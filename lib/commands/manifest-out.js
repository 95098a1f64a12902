'use strict'

/** `--manifest-out`: the job has a manifest, which ends as its journal does. */

const { copyFileSync, createReadStream, existsSync, mkdtempSync, renameSync, rmSync } = require('node:fs')
const { rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { basename, join, resolve } = require('node:path')
const { look } = require('../destination')
const { VERSION } = require('../journal')
const { XferError, asXferError, usage } = require('../errors')
const { openOne, perform } = require('../job')
const { createMirror, isLocation, openManifestOut, readKey } = require('../manifest')
const { factoryOfText } = require('../stores')
const { uploadStream } = require('../stream')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').JobJournal} JobJournal */
/** @typedef {Parameters<NonNullable<NonNullable<Parameters<typeof import('../job').openJob>[4]>['journal']>>[0]} BeingOpened */

/**
 * @param {JobJournal} journal
 * @param {BeingOpened} job
 * @param {import('../types').JobWish} options
 * @returns {Promise<Pick<Job['run'], 'journal' | 'manifestOut'>>} the journal ends the manifest too
 * @throws {import('../types').XferError} USAGE, MANIFEST_UNWRITABLE
 */
async function openManifestBeside(journal, job, options) {
  const { source, destination } = job
  const given = String(options.manifestOut)
  const key = options.sign === undefined ? undefined : readKey('--sign', options.sign)
  const { id, path: journalPath, prefix, within, sealed, options: begun } = journal.state
  const send = isLocation(given) ? await openRemote(given, journal, job, options) : undefined
  const mirror = send && journal.bucket && createMirror(journal.bucket, id)
  // Of each run its own: what counts is beside the job.
  const folder = mirror && mkdtempSync(join(tmpdir(), 'xfer-manifest-'))
  const pathOf = (/** @type {string} */ name) =>
    !isLocation(name) ? resolve(name) : folder ? join(folder, 'manifest') : `${journalPath}.manifest`
  const path = pathOf(given)
  const began = new Date(journal.kept ? journal.state.createdMs : Date.now()).toISOString()
  const ranges = sealed && !within && { ranges: sealed }
  const earlier = journal.kept ? begun.manifestOut : undefined
  const goesOn = journal.goesOn === true && earlier !== undefined && prefix?.ranges !== undefined
  const continues = goesOn && earlier !== given && { continues: earlier }
  const ends = { source: source.plain, destination: destination.plain }
  const head = { ...(journal.kept && { job: id }), ...ends, began, ...continues, ...ranges }
  if (continues && !mirror) takeLines(pathOf(earlier), path)
  const manifestOut = await openManifestOut({ path, csv: /\.csv$/i.test(given), head, goesOn, key, mirror })
  if (journal.kept && earlier !== given) {
    const { id: job, source: from, destination: to } = journal.state
    const options = { ...begun, manifestOut: given }
    await journal.write({ type: 'job', version: VERSION, id: job, source: from, destination: to, options })
  }
  // An object alone has one line, which is written anew.
  if (options.recursive === undefined) await manifestOut.begin(() => true)

  /** @param {string} [result] as of `ManifestWriter.end` */
  async function end(result) {
    const seal = await manifestOut.end(result)
    if (!seal || !send) return
    // What another process goes on with is not this one's to publish.
    const taken = await journal.takenOver?.()
    if (taken) throw taken
    await send(path)
    await rm(path, { force: true })
    const { lines, root } = seal
    if (within) await journal.write({ type: 'sealed', files: [{ file: basename(given), lines, root }] })
  }

  const tidy = () => void (folder && rmSync(folder, { recursive: true, force: true }))
  /** Another machine needs it no more. */
  async function forget() {
    tidy()
    await mirror?.remove().catch(() => {})
  }

  const ending = {
    ...journal,
    /** @type {typeof journal.over} */
    async over(done, result = 'done') {
      await end(result)
      await journal.over(done)
      await forget()
    },
    /** @type {typeof journal.end} */
    async end(error, how, usage) {
      const ended = await journal.end(error, how, usage)
      // What can be resumed is not finished.
      const goesOn = ended.facts.job !== undefined
      try {
        await end(goesOn ? undefined : error.code)
        if (!goesOn) await forget()
        return ended
      } catch (cause) {
        return asXferError(cause)
      } finally {
        tidy()
      }
    },
    // Its line is beside the job before an object is deleted.
    async fence() {
      if (mirror && !(await manifestOut.sync()))
        throw new XferError('MANIFEST_UNWRITABLE', { path: given, reason: 'EIO' })
      await journal.fence?.()
    },
    async close() {
      await manifestOut.end()
      tidy()
      await journal.close()
    },
  }
  return { journal: ending, manifestOut }
}

/** What the earlier runs have written under another name. @param {string} from @param {string} path */
function takeLines(from, path) {
  if (from === path || existsSync(path) || !existsSync(from)) return
  for (const end of ['.held', '']) {
    if (!existsSync(from + end)) continue
    copyFileSync(from + end, `${path}${end}.next`)
    renameSync(`${path}${end}.next`, path + end)
  }
}

/** What says of an uploaded manifest which job it is of. */
const JOB = 'xfer-job'

/**
 * A manifest that becomes an object: it is written to a file beside the journal, and uploaded at the end.
 *
 * @param {string} location
 * @param {JobJournal} journal
 * @param {BeingOpened} job
 * @param {import('../types').JobWish} options
 * @returns uploads the file
 * @throws {import('../types').XferError} USAGE if there is one that is not of this job
 */
async function openRemote(location, journal, { destination, cancel }, { env, caBundle, destination: side }) {
  // The options of the destination are for its store, unless the location has a profile of its own.
  const isItsStore = factoryOfText(location)?.schemes.includes(destination.store.scheme)
  const own = isItsStore && !/^[^/]*:\/\/[^/]*@/.test(location) ? side : undefined
  const common = { env, caBundle, signal: cancel, destination: own }
  if (!journal.kept) throw usage(`${location} needs a journal, which cannot be written.`, 'Give --manifest-out a file.')
  const one = await openOne(location, 'destination', common, () => {})
  const { object } = await look(one.end, cancel).finally(one.close)
  const isOurs = object?.metadata.user[JOB] === journal.state.id
  if (object && !isOurs) {
    throw usage(`${location} exists, and is no manifest of this job.`, 'Give --manifest-out another name.')
  }
  const given = { ...common, clobber: isOurs, metadataSet: { [JOB]: journal.state.id } }
  return async (/** @type {string} */ path) =>
    await perform({}, how => uploadStream(createReadStream(path), location, given, how))
}

module.exports = { openManifestBeside }
