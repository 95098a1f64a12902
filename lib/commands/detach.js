'use strict'

/** `--detach`: leaves a job in a state, for the runner or for whoever runs `xfer work` there. */

const { callAll, findRunner } = require('../engines')
const { asXferError, usage } = require('../errors')
const { headObject } = require('../job')
const { flagsOf, readerOf } = require('../options')
const { factoryOfText, parsePlace } = require('../stores')

/** Options that name files of the machine that gave the command. */
const FILES = ['filesFrom', 'filesFrom0', 'manifest', 'failures', 'manifestOut', 'sign', 'caBundle']

/** @param {string} why @param {string} advice */
const refused = (why, advice) => usage(`--detach leaves the job to another machine, ${why}.`, advice)
const NO_STATE = /** @type {const} */ (['and needs a place where that finds it', 'Give --state LOCATION.'])

/**
 * Before the job is touched: it may wait already, or run.
 *
 * @param {string[]} ends locations
 * @param {any} options all that the job is to have
 * @param {import('../types').JournalPlace} [state]
 * @throws {import('../types').XferError} USAGE: another machine could not run it
 */
function checkLeft(ends, options, state) {
  if (!state) throw refused(...NO_STATE)
  const here = ends.find(text => factoryOfText(text)?.paths)
  if (here) throw refused(`which does not have ${here}`, 'Leave --detach out.')
  const sides = [options.source, options.destination]
  if (sides.some(side => side?.credentials !== undefined)) {
    throw refused('and credentials are written down nowhere', 'Name a profile that the worker has, in the location.')
  }
  const { isLocation } = require('../manifest')
  const isAnywhere = (/** @type {string} */ name) => name === 'manifestOut' && isLocation(options[name])
  const file = FILES.find(name => options[name] !== undefined && !isAnywhere(name))
  if (file !== undefined) {
    throw refused(`which does not have the file of ${flagsOf({ [file]: options[file] })}`, 'Leave one of them out.')
  }
  if (options.split === undefined) return
  if (!state.fences) throw refused('and --split needs a state in a store, which remembers what is done', 'Name one.')
  if (options.recursive === undefined)
    throw usage('--split divides what is below a prefix.', 'Add -r, or leave it out.')
}

/**
 * Leaves a job that was checked and begun to others.
 *
 * @param {import('../job/open').Job} job
 * @param {any} options
 * @returns {Promise<{ detached: Omit<import('../types').DetachedEvent, 'type' | 'time'> }>}
 * @throws {import('../types').XferError} USAGE; NO_SUCH_KEY and the like if the source is not there
 */
async function detach(job, options) {
  const { source, destination, run } = job
  const { journal } = run
  if (!journal.kept) throw refused(...NO_STATE)
  const ends = { source: source.text, destination: destination.text }
  const { id } = journal.state
  const split = readerOf('copy', options)('split')
  /** 0: it is not split. It may have been left before. */
  let { length: count = 0 } = journal.state.split ?? []
  if (count === 0 && split !== undefined) {
    const { judgeNothing, readSelection, splitNames } = require('../many')
    const selection = readSelection(options)
    const { names, ranges } = await splitNames({ source, run }, selection, split)
    if (names === 0) await judgeNothing({ source, run }, selection)
    if (ranges.length > 1) {
      await journal.split?.(ranges)
      count = ranges.length
    }
  } else if (count === 0 && options.recursive === undefined) await headObject(source, run.cancel)
  const left = await leave(job, options, count || 1)
  return { detached: { job: id, ...ends, ...(count > 0 && { ranges: count }), ...left } }
}

/**
 * Leaves the job, and calls the runner, where there is one that has the keys.
 *
 * @param {import('../job/open').Job} job its journal is closed here: a runner takes no job that another process has
 * @param {any} options
 * @param {number} count of ranges
 * @returns {Promise<Pick<import('../types').DetachedEvent, 'runner'>>}
 */
async function leave({ source, destination, run: { journal } }, options, count) {
  const { engine: wanted = 'auto', env = process.env, apihost, state = env.XFER_STATE } = options
  /** @type {string | undefined} */
  let error
  const failed = (/** @type {unknown} */ cause) => {
    error = asXferError(cause).message
  }
  // A folder is not where a runner is. Without the right to look for one a worker may still come.
  const found = journal.bucket && (await findRunner(wanted, { env, apihost }).catch(failed))
  const ends = [state, source.text, destination.text]
  const asked = [undefined, options.source?.profile, options.destination?.profile]
  const keyless = ends.find((text, i) => !hasKeys(text, asked[i], found?.profiles))
  if (found && keyless) {
    error = `${found.action} on ${found.where} has no keys for ${keyless}: bind a profile to it (xfer deploy --runner --runner-profile NAME), and name that in the location.`
  }
  const runner = keyless === undefined ? found : undefined
  if (runner) {
    const { engine, where } = runner
    /** @type {import('../types').RunnerUse} */
    const before = journal.state.runner ?? { engine, where, provider: runner.provider, runs: 0, gbSeconds: 0 }
    const { progress: _, idle: __, ...used } = before
    // What two platforms have used has no one price.
    const provider = before.where === where ? before.provider : undefined
    await journal.write({ type: 'runner', ...used, engine, where, provider })
  }
  await journal.write({ type: 'waiting' })
  await journal.close()
  if (!runner) return error === undefined ? {} : { runner: { error } }
  await callAll(runner, { state, job: journal.state.id }, count).catch(failed)
  const { engine, where, action } = runner
  return { runner: { engine, where, action, ...(error !== undefined && { error }) } }
}

/**
 * @param {string} text of a location
 * @param {string | undefined} named the profile that an option names for it
 * @param {string[] | undefined} profiles whose keys a runner has; undefined: it has a role
 */
function hasKeys(text, named, profiles) {
  // What is read from the web needs none.
  if (profiles === undefined || /^https?:/i.test(text)) return true
  return profiles.includes(parsePlace(text, 'destination').options?.profile ?? named ?? '')
}

module.exports = { checkLeft, detach, leave }
