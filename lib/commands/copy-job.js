'use strict'

/** What every copy has: its options are checked, its job is begun or gone on with, and its events are told. */

const { readFile, stat } = require('node:fs/promises')
const cost = require('../cost')
const { usage } = require('../errors')
const { openJob, openState, openUnfinished, runJob } = require('../job')
const { checkArguments, optionsToKeep } = require('../options')

/** @typedef {import('../job/open').Job} Job */

/**
 * @template {object} S
 * @param {'copy' | 'copyPrefix' | 'move'} name of the library's function
 * @param {{ source: string, destination: string }} ends
 * @param {any} given as the caller gave them
 * @param {object} how
 * @param {boolean} [how.prefixes] whether the ends are prefixes
 * @param {(given: any) => any} [how.prepare] further checks; resolves to the options of the job
 * @param {(job: Job, options: any, how: import('../job/run').PerformOptions) => Promise<S>} how.work
 * @returns {Promise<S>}
 */
async function runCopyJob(name, { source, destination }, given, { prefixes, prepare = wish => wish, work }) {
  return await runJob(given, async (wish, how) => {
    checkArguments(name, { source, destination }, wish)
    const options = await prepare(await withProbe(wish))
    const { maxCost, sign, manifestOut, split, detach } = options
    if (sign !== undefined && manifestOut === undefined)
      throw usage('--sign needs a manifest that it signs.', 'Add --manifest-out FILE.')
    if (split !== undefined && !detach)
      throw usage(
        '--split leaves ranges of names to workers.',
        'Add --detach, and run xfer work on one machine or many.',
      )
    const most = maxCost === undefined ? undefined : cost.readAmount(maxCost)
    const prices = /** @type {import('../cost/prices').Price[]} */ (await pricesFor(options))
    const env = options.env ?? process.env
    /** @param {any} wished @param {import('../job/run').PerformOptions['emit']} emit */
    const open = async (wished, emit) => {
      const job = await openJob(source, destination, wished, emit, {
        prefixes,
        journal: async opened => {
          const state = await openState(wished)
          try {
            const { take, detach: leaves } = wished
            const ends = [opened.source.text, opened.destination.text]
            /** @param {import('../types').JobState} [begun] which goes on with the manifest that it has */
            const check = begun => {
              if (!leaves || wished.dryRun) return
              const { manifestOut = begun?.options.manifestOut } = wished
              require('./detach').checkLeft(ends, { ...wished, manifestOut }, state.place)
            }
            check()
            const { place, given: named } = state
            const unfinished = openUnfinished({ env, place, given: named, take, leaves, check, emit })
            const journal = await unfinished.begin(opened, optionsToKeep(opened, wished))
            return { ...(await withManifestOut({ ...journal, stateAt: state.at }, opened, wished)), close: state.close }
          } catch (error) {
            await state.close()
            throw error
          }
        },
      })
      how.begin(job, prices)
      return job
    }
    if (most !== undefined && !options.dryRun) {
      await checkNames(options)
      // The plan is that of a dry run before the copy, which tells nothing.
      const [wished, silent] = [
        { ...options, dryRun: true },
        { ...how, emit() {} },
      ]
      const planned = await open(wished, silent.emit)
      try {
        await work(planned, wished, silent)
        cost.checkPlan(planned, prices, most)
      } finally {
        planned.run.usage.forgetPlan()
        await planned.run.journal.close()
        await planned.close()
      }
    }
    const job = await open(options, how.emit)
    if (options.detach && !options.dryRun) return /** @type {any} */ (await require('./detach').detach(job, options))
    const done = await work(job, options, how)
    if (most !== undefined && options.dryRun) cost.checkPlan(job, prices, most)
    return done
  })
}

/**
 * The journal of a job, and what writes its manifest, if it has one.
 *
 * @param {import('../types').JobJournal} journal is ended if there is an error
 * @param {import('./manifest-out').BeingOpened} opened
 * @param {import('../types').JobWish} options
 * @returns {Promise<Pick<Job['run'], 'journal' | 'manifestOut'>>}
 */
async function withManifestOut(journal, opened, options) {
  // One that was begun with it goes on with it.
  const { manifestOut = journal.state.options.manifestOut, sign = journal.state.options.sign } = options
  // Who detaches leaves it to the worker.
  if (manifestOut === undefined || opened.settings.dryRun || options.detach) return { journal }
  // Loaded lazily, because most jobs have none.
  const { openManifestBeside } = require('./manifest-out')
  return await openManifestBeside(journal, opened, { ...options, manifestOut, sign }).catch(async error => {
    throw await journal.end(error, opened.settings)
  })
}

/**
 * The plan by which the costs are judged reads the names that files give, and the copy reads them once more.
 *
 * @param {{ filesFrom?: string, filesFrom0?: string }} options
 * @throws {import('../types').XferError} USAGE
 */
async function checkNames({ filesFrom, filesFrom0: file = filesFrom }) {
  if (file === undefined) return
  const isFile =
    file !== '-' &&
    (await stat(file).then(
      found => found.isFile(),
      () => true,
    ))
  if (isFile) return
  throw usage(
    '--max-cost reads the names twice, and these can be read only once.',
    'Write them to a file, and name that.',
  )
}

/**
 * The prices by which a job is to tell what it costs.
 *
 * @param {{ dryRun?: boolean, cost?: boolean, prices?: string, maxCost?: number | string }} options
 * @returns {Promise<import('../cost/prices').Price[] | undefined>} undefined: nobody asks
 * @throws {import('../types').XferError} USAGE
 */
async function pricesFor({ dryRun, cost: told, prices, maxCost }) {
  if (dryRun || told || prices !== undefined || maxCost !== undefined) return await cost.readPrices(prices)
}

/**
 * What a report of `xfer probe` recommends, where nothing else is asked for.
 *
 * @template {{ probe?: string, chunk?: any, concurrency?: any }} O
 * @param {O} options
 * @returns {Promise<O>}
 * @throws {import('../types').XferError} USAGE
 */
async function withProbe({ probe, ...options }) {
  if (probe === undefined) return /** @type {any} */ (options)
  const unfit = (/** @type {string} */ why) =>
    usage(`${probe} is no report of xfer probe: ${why}.`, 'Make one with xfer probe SRC DEST --out FILE.')
  const text = await readFile(probe, 'utf8').catch(({ code }) => {
    throw unfit(`it cannot be read (${code})`)
  })
  /** @type {Partial<import('../types').ProbeReport>} */
  let report
  try {
    report = JSON.parse(text)
  } catch {
    throw unfit('it is no JSON')
  }
  const { chunkBytes, concurrency } = report?.recommended ?? {}
  const { bytesPerSecond = 0, lanes = 1 } = report?.copy ?? {}
  const pace = Number(bytesPerSecond) / Number(lanes)
  if (!Number.isSafeInteger(chunkBytes)) throw unfit('it recommends no size of a part')
  // A copy has whole MiB.
  const chunk = `${Math.max(5, Math.round(Number(chunkBytes) / 1024 ** 2))}MiB`
  const measured = { ...(Number.isSafeInteger(concurrency) && { concurrency }), ...(pace > 0 && { pace }) }
  return /** @type {any} */ ({ chunk, ...measured, ...options })
}

/**
 * What compares the source with the SHA-256 that is expected of it, before anything is written.
 *
 * @param {string} source its location
 * @param {{ expectSha256?: string }} options
 * @param {Job} job
 */
function judgeOf(source, options, job) {
  return options.expectSha256 === undefined ? undefined : require('../stream').sha256Judge(source, options, job)
}

module.exports = { judgeOf, pricesFor, runCopyJob, withManifestOut }
