'use strict'

/** Buckets: listed, and created. */

const { XferError, throwIfAborted } = require('../../errors')
const { containersOf } = require('../common')

/** AWS requires pages of accounts with more than 10,000 buckets. Other stores know none. */
const PAGE = 1_000
/** Its buckets have no location. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
const REGION_WITHOUT_NAME = 'us-east-1'
/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList: yours, and somebody's. */
const TAKEN = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']

/** @typedef {import('../../types').XferError} Refusal */

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {import('../../types').SideSettings} of.settings
 * @param {boolean} of.pages whether the store lists buckets in pages
 * @param {import('./dialect').Dialect} of.dialect
 * @returns {Required<Pick<import('../contract').Store, 'containers' | 'makeContainer' | 'retention'>>}
 */
function createContainers({ control, settings, pages, dialect }) {
  /** Whether a creation was sent, whose answer may have been lost. */
  let sent = false

  /** The creation says so too, but not in us-east-1, where it succeeds. @param {AbortSignal | undefined} signal */
  async function exists(signal) {
    const askedRegion = control.region()
    return await control.call('HeadBucket', {}, signal).then(
      () => true,
      (/** @type {Refusal} */ error) => {
        if (error.facts.status === undefined || error.throttled || error.shared) throw error
        // Only a bucket that exists has a region. The creation would be refused for another reason there.
        const elsewhere = control.region() !== askedRegion
        if (elsewhere && error.code === 'ACCESS_DENIED') throw taken({ storeCode: 'BucketAlreadyExists' })
        return false
      },
    )
  }

  /** @param {{ storeCode?: string }} [refusal] */
  const taken = ({ storeCode } = {}) =>
    new XferError('DESTINATION_EXISTS', { ...control.facts, storeCode, others: storeCode === 'BucketAlreadyExists' })

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
    async containers({ marker }, { signal } = {}) {
      const input = { MaxBuckets: pages ? PAGE : undefined, ContinuationToken: marker }
      const { values } = await control.call('ListBuckets', input, signal)
      const { Bucket } = values.Buckets
      const entries = Bucket.map((/** @type {any} */ { Name, CreationDate }) => [Name, CreationDate])
      return containersOf(entries, { next: values.ContinuationToken, marker }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLockConfiguration.html */
    async retention({ signal } = {}) {
      // Most servers have none, and say so in many ways.
      const answer = await control.call('GetObjectLockConfiguration', {}, signal).catch(() => throwIfAborted(signal))
      const { Mode, Days, Years } = answer?.values.Rule?.DefaultRetention ?? {}
      return Mode ? `${Mode}, ${Days ? `${Days} days` : `${Years} years`}` : undefined
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
    async makeContainer({ region = settings.region }, { signal } = {}) {
      if (!sent && (await exists(signal))) throw taken()
      const named = region !== REGION_WITHOUT_NAME && region !== dialect.region
      const again = sent
      sent = true
      await control
        .call('CreateBucket', named ? { CreateBucketConfiguration: { LocationConstraint: region } } : {}, signal)
        .catch((/** @type {Refusal} */ error) => {
          const { storeCode } = error.facts
          if (!TAKEN.includes(storeCode)) throw error
          // It is ours: the answer to the attempt before was lost.
          if (!again || storeCode === 'BucketAlreadyExists') throw taken(error.facts)
        })
    },
  }
}

module.exports = { createContainers }
