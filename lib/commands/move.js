'use strict'

/** `xfer mv`: a copy of one object or of a prefix (lib/object, lib/prefix) that deletes each source once its copy is proved. */

const { usage } = require('../errors')
const { copyObject } = require('../object')
const { checkScope } = require('../options')
const { runCopyJob } = require('./copy-job')

/** @typedef {import('../types').MoveOptions} MoveOptions */

/**
 * @param {string} source `s3://bucket/key`; with `recursive` a prefix
 * @param {string} destination as of `copy`, or of `copyPrefix`
 * @param {MoveOptions} [options]
 * @returns {Promise<import('../types').Summary | import('../types').PrefixSummary>} once the sources are gone
 * @throws {XferError} as `copy` and `copyPrefix`; SOURCE_KEPT: the copy is proved, and the source was not deleted
 */
async function move(source, destination, options = {}) {
  // Loaded lazily, because most jobs are of one object.
  const prefix = options?.recursive ? require('../prefix') : undefined
  return await runCopyJob('move', { source, destination }, options, {
    prefixes: prefix !== undefined,
    async prepare({ recursive, ...given }) {
      checkProof(given)
      if (!recursive) checkScope('mv', given)
      for (const end of [source, destination]) checkEnd(end)
      const wish = { ...given, move: true }
      return prefix ? await prefix.prepareOptions(wish) : wish
    },
    work: async (job, wish) => (prefix ? await prefix.copyObjects(job, wish) : await copyObject(job)),
  })
}

/** @param {MoveOptions} options @throws {XferError} USAGE */
function checkProof({ verify = 'auto' }) {
  if (verify === 'auto' || verify === 'full') return
  throw usage(
    `--verify ${verify} proves no copy, and xfer mv deletes a source only after its proof.`,
    'Leave it out, or copy with xfer copy and delete with xfer rm.',
  )
}

/** @param {string} end @throws {XferError} USAGE */
function checkEnd(end) {
  if (end !== '-' && !/^https?:\/\//i.test(end)) return
  const what = end === '-' ? 'Standard input or output' : 'An address of the web'
  throw usage(`${what} cannot be moved: nothing could be deleted there, or proved.`, 'Use xfer copy.')
}

module.exports = { move }
