'use strict'

/** The checks of `xfer doctor` of a file or a folder: whether it can be read or written, and what its file system bears. */

const { placeOf } = require('./place-of')
const { tryNames } = require('./names')
const { judgeOpenFiles, openFilesLimit } = require('./open-files')
const { describeSpace } = require('./space')
const { tryReading } = require('./reading')
const { tryWriting } = require('./writing')

const CHECK_MS = 30_000

/**
 * The error of a call, about a path.
 *
 * @typedef {(cause: unknown, path: string) => import('../../../types').XferError} Explain
 */

/**
 * @param {import('../../contract').Place} place
 * @param {{ side: 'source' | 'destination', concurrency: number }} how concurrency: requests at once, at most
 * @param {{ explain: Explain, probe: string }} own probe: a name of a partial file
 * @returns {import('../../../engines/contract').Check[]} they leave nothing behind
 */
function checksOf({ key }, { side, concurrency }, { explain, probe }) {
  const path = `/${key}`
  const limitMs = CHECK_MS
  const openFiles = {
    name: `${side} open files`,
    limitMs,
    run: async () => judgeOpenFiles(openFilesLimit(), concurrency),
  }
  if (side === 'source') {
    return [{ name: 'source reading', limitMs, run: async () => await tryReading(path, explain) }, openFiles]
  }
  const writing = 'destination writing'
  const folder = async () => (await placeOf(path, explain)).folder
  return [
    {
      ...{ name: writing, limitMs, cleans: true },
      run: async () => await tryWriting(await placeOf(path, explain), { explain, probe }),
    },
    {
      ...{ name: 'destination space', needs: [writing], limitMs },
      run: async () => await describeSpace(await folder(), explain),
    },
    {
      ...{ name: 'destination names', needs: [writing], limitMs, cleans: true },
      run: async () => await tryNames(await folder(), explain),
    },
    openFiles,
  ]
}

module.exports = { checksOf }
