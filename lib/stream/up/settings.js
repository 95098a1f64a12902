'use strict'

/** The options of an upload that only streams have. */

const { XferError } = require('../../errors')
const { readerOf } = require('../../options')
const { readSha256 } = require('../sha256')

/** @typedef {ReturnType<typeof readStreamSettings>} StreamSettings */

/**
 * @param {import('../../types').UploadOptions & Pick<import('../../types').CopyOptions, 'route' | 'onFailure'>} options the
 *   command line may give the last two
 * @throws {XferError} USAGE
 */
function readStreamSettings(options) {
  const read = readerOf('copy', options)
  const chunk = options.chunk === undefined ? undefined : read('chunk')
  if (chunk === 'match') {
    throw new XferError('USAGE', {
      text: '--chunk match is about the parts of the source, and a stream has none.',
      advice: 'Leave it out, or give a size.',
    })
  }
  const unfit = [
    ...(options.route === 'server' ? ['--route server'] : []),
    // 'keep' is the default: it cannot be asked for.
    ...(options.onFailure === 'keep' ? ['--on-failure keep'] : []),
  ]
  if (unfit.length > 0) {
    throw new XferError('USAGE', {
      text: `${unfit[0]} does not apply to a stream, which only this process has, and only once.`,
      advice: 'Leave it out.',
    })
  }
  const sha256 = options.expectSha256
  if (sha256 !== undefined) readSha256(sha256)
  return {
    /** Of the first part; undefined: as usual. */
    chunkBytes: chunk === 'auto' ? undefined : chunk,
    /** How much probably comes. */
    sizeBytes: read('size'),
    sha256,
  }
}

module.exports = { readStreamSettings }
