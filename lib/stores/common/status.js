'use strict'

/**
 * What a refusal means by its status, if the store's code says nothing more.
 *
 * @param {{ status: number, storeCode?: string }} answer
 * @returns {import('../../types').XferErrorCode}
 */
function classifyStatus({ status, storeCode }) {
  if (status === 401 || status === 403) return 'ACCESS_DENIED'
  if (status === 404) return 'NO_SUCH_KEY'
  if (status === 409 && storeCode === undefined) return 'UPLOAD_CONFLICT'
  if (status === 412) return 'DESTINATION_EXISTS'
  if (status === 429) return 'STORE_THROTTLED'
  if (status === 408 || status >= 500) return status === 501 ? 'STORE_REFUSED' : 'STORE_ERROR'
  return 'STORE_REFUSED'
}

module.exports = { classifyStatus }
