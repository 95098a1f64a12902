'use strict'

/** `--detach`: leaves a job in a state, for whoever runs `xfer work` there. */

const { usage } = require('../errors')
const { headObject } = require('../job')
const { flagsOf } = require('../options')

/** Options that name files of the machine that gave the command. */
const FILES = ['filesFrom', 'filesFrom0', 'manifest', 'failures', 'manifestOut', 'sign', 'caBundle']

/**
 * Leaves a job that was checked and begun to others.
 *
 * @param {import('../job/open').Job} job
 * @param {any} options
 * @returns {Promise<{ detached: { job: string, source: string, destination: string } }>}
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
  const file = FILES.find(name => options[name] !== undefined)
  if (file !== undefined) {
    throw refused(`which does not have the file of ${flagsOf({ [file]: options[file] })}`, 'Leave one of them out.')
  }
  if (options.recursive === undefined) await headObject(source, run.cancel)
  await journal.write({ type: 'waiting' })
  return { detached: { job: journal.state.id, source: source.text, destination: destination.text } }
}

module.exports = { detach }
