'use strict'

/** Asks the store to complete a multipart upload, until it answers or refuses. */

const { checkFound, isConditional, leavesOpen, refreshEtags } = require('../../destination')
const { asXferError } = require('../../errors')
const { notice } = require('../../notices')
const { refusedWith } = require('../attributes')

/** @typedef {import('../../types').WriteWork} WriteWork */
/** @typedef {import('../../types').Upload} Upload */
/** @typedef {import('../../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../../types').CompletedObject} CompletedObject */
/** @typedef {import('../../types').XferError} Failure */
/** @typedef {import('../../destination/look').Found} Found */
/** @typedef {import('./complete').Completed} Completed */

/**
 * Requests the completion until it is answered or refused.
 *
 * @param {Pick<WriteWork, 'job' | 'object' | 'attributes'>} work
 * @param {{ upload: Upload, outcomes: TaskSuccess[], sums: import('../../types').Sums, before: Found, condition: import('../../types').WriteCondition }} what
 * @returns {Promise<Pick<Completed, 'unconditional'> & { answer?: CompletedObject, error?: Failure,
 *   open: boolean, parts: TaskSuccess[] }>} open: an earlier request may have succeeded, whatever the last one answered
 */
async function askCompletion({ job, object, attributes }, { upload, outcomes, sums, before, condition }) {
  const { destination } = job
  const { abort: signal } = job.run
  const { store, key } = destination
  let parts = outcomes
  let open = false
  const onRetry = (/** @type {Failure} */ error) => {
    open ||= leavesOpen(error)
  }
  // As late as possible, because some stores ignore conditions.
  checkFound(before, condition, store.facts)
  for (;;) {
    const input = {
      ...{ attributes, key, uploadId: upload.id, bytes: object.bytes, condition },
      parts: parts.map(({ partNumber, etag, bytes, sums }) => ({ partNumber, etag, bytes, sums })),
      ...(upload.checksums && { sums }),
    }
    try {
      const answer = await store.upload.complete(input, { signal, onRetry })
      const unconditional = isConditional(condition) && store.can.ignoresConditions
      if (unconditional) job.run.emit(notice('CONDITIONS_NOT_SUPPORTED'))
      return { answer, open, parts, ...(unconditional && { unconditional }) }
    } catch (cause) {
      const error = refusedWith(attributes, asXferError(cause))
      const place = { store, key, uploadId: upload.id, signal }
      const refreshed =
        error.facts.partsDiffer && parts === outcomes
          ? await refreshEtags(place, outcomes).catch(() => undefined)
          : undefined
      if (refreshed) parts = refreshed
      else return { error, open: open || leavesOpen(error), parts }
    }
  }
}

module.exports = { askCompletion }
