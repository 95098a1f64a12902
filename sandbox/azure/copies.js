'use strict'

const { blockIdOf, checkBlock, keepBlock, maxBlockBytes } = require('./blocks')
const { refuseConditions } = require('./conditions')
const { badHeader } = require('./errors')
const { sumHeaders } = require('./payload')
const { storeSource } = require('./source')

/**
 * Blocks whose bytes come from a URL. https://learn.microsoft.com/rest/api/storageservices/put-block-from-url
 *
 * @param {import('./types').Context} ctx
 * @returns {Promise<import('./types').Answer>}
 */
async function putBlockFromUrl(ctx) {
  const id = blockIdOf(ctx)
  refuseConditions(ctx)
  if (Number(ctx.header('content-length') ?? 0) > 0) throw badHeader('Content-Length', ctx.header('content-length'))
  checkBlock(ctx, id)
  const source = await storeSource(ctx, maxBlockBytes(ctx))
  try {
    const sums = sumHeaders(ctx, source, 'x-ms-source-content-md5')
    return { status: 201, headers: { ...keepBlock(ctx, id, source), ...sums } }
  } finally {
    source.release()
  }
}

module.exports = { putBlockFromUrl }
