'use strict'

/** `--detach`: leaves a job in a state, for whoever runs `xfer work` there. */

const { usage } = require('../errors')
const { headObject } = require('../job')
const { flagsOf, readerOf } = require('../options')

/** Options that name files of the machine that gave the command. */
const FILES = ['filesFrom', 'filesFrom0', 'manifest', 'failures', 'manifestOut', 'sign', 'caBundle']

/**
 * Leaves a job that was checked and begun to others.
 *
 * @param {import('../job/open').Job} job
 * @param {any} options
 * @returns {Promise<{ detached: Omit<import('../types').DetachedEvent, 'type' | 'time'> }>}
 * @throws {import('../types').XferError} USAGE; NO_SUCH_KEY and the like if the source is not there
 */
async function detach({ source, destination, run }, options) {
  const { journal } = run
  /** @param {string} why @param {string} advice */
  const refused = (why, advice) => usage(`--detach leaves the job to another machine, ${why}.`, advice)
  if (!journal.kept || journal.stateAt === undefined) {
    throw refused('and needs a place where that finds it', 'Give --state LOCATION.')
  }
  const here = [source, destination].find(({ store }) => store.scheme === 'file')
  if (here) throw refused(`which does not have ${here.text}`, 'Leave --detach out.')
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
  const ends = { source: source.text, destination: destination.text }
  const { id } = journal.state
  const split = readerOf('copy', options)('split')
  if (split !== undefined) {
    const { judgeNothing, readSelection, splitNames } = require('../many')
    if (!journal.split) throw refused('and --split needs a state in a store, which remembers what is done', 'Name one.')
    if (options.recursive === undefined)
      throw usage('--split divides what is below a prefix.', 'Add -r, or leave it out.')
    const selection = readSelection(options)
    const { names, ranges } = await splitNames({ source, run }, selection, split)
    if (names === 0) await judgeNothing({ source, run }, selection)
    if (ranges.length > 1) {
      await journal.split(ranges)
      return { detached: { job: id, ...ends, ranges: ranges.length } }
    }
  } else if (options.recursive === undefined) await headObject(source, run.cancel)
  await journal.write({ type: 'waiting' })
  return { detached: { job: id, ...ends } }
}

module.exports = { detach }
