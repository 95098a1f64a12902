'use strict'

/** Asks the store to complete a multipart upload: until it answers, without what it refuses of the attributes and conditions. */

const {
  checkFound,
  goWithout,
  isConditional,
  leavesOpen,
  refreshEtags,
  refusesConditions,
} = require('../../destination')
const { asXferError } = require('../../errors')
const { attributesWithout, writeWithFallbacks } = require('../attributes')

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
 * @returns {Promise<Pick<Completed, 'unconditional' | 'without' | 'refusal'> & { answer?: CompletedObject, error?: Failure,
 *   open: boolean, parts: TaskSuccess[] }>} open: an earlier request may have succeeded, whatever the last one answered
 */
async function askCompletion({ job, object, attributes }, { upload, outcomes, sums, before, condition: wanted }) {
  const { destination } = job
  const { abort: signal } = job.run
  const { store, key } = destination
  let condition = wanted
  let parts = outcomes
  let open = false
  const onRetry = (/** @type {Failure} */ error) => {
    open ||= leavesOpen(error)
  }
  // As late as possible, because some stores ignore conditions.
  checkFound(before, condition, store.facts)
  for (;;) {
    const input = {
      ...{ key, uploadId: upload.id, bytes: object.bytes, condition },
      parts: parts.map(({ partNumber, etag, bytes, sums }) => ({ partNumber, etag, bytes, sums })),
      ...(upload.checksums && { sums }),
    }
    try {
      const { result, ...left } = await writeAttributes({ job, attributes, upload }, granted =>
        store.upload.complete({ ...input, attributes: granted }, { signal, onRetry }),
      )
      return { answer: result, open, parts, ...left, ...(condition !== wanted && { unconditional: true }) }
    } catch (cause) {
      const error = asXferError(cause)
      const place = { store, key, uploadId: upload.id, signal }
      const refreshed =
        error.facts.partsDiffer && parts === outcomes
          ? await refreshEtags(place, outcomes).catch(() => undefined)
          : undefined
      if (refreshed) parts = refreshed
      else if (isConditional(condition) && refusesConditions(error)) {
        await goWithout(job)
        condition = {}
      } else return { error, open: open || leavesOpen(error), parts }
    }
  }
}

/**
 * Completes with the attributes that the upload was created with; if the completion is what writes them, without those that the
 * store refuses.
 *
 * @param {Pick<WriteWork, 'job' | 'attributes'> & { upload: Upload }} work
 * @param {(attributes: import('../../types').ObjectAttributes) => Promise<CompletedObject>} call
 * @returns {Promise<{ result: CompletedObject } & Pick<Completed, 'without' | 'refusal'>>}
 */
async function writeAttributes({ job: { destination, settings, run }, attributes, upload }, call) {
  if (destination.store.upload.attributesAt !== 'completion')
    return { result: await call(attributesWithout(attributes, upload.without)) }
  const wish = settings.attributes
  return await writeWithFallbacks({ attributes, wish, text: destination.text, tell: run.emit }, call)
}

module.exports = { askCompletion }
