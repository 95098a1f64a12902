'use strict'

/** Of the store contract: what a store cannot do it declares, and refuses as such. */

const NO_METADATA = { headers: {}, user: {} }

/** Whether it keeps the CRC-32 that an object is written with. @param {import('../../lib/types').Store} store */
const hasSums = ({ can }) => can.sums.stored.includes('crc32')

/** A call that needs an ability that the store does not declare. @param {Promise<unknown>} call */
async function expectLacking(call) {
  await expect(call).rejects.toMatchObject({ code: 'STORE_REFUSED', facts: { notImplemented: true }, retryable: false })
}

module.exports = { NO_METADATA, expectLacking, hasSums }
