'use strict'

/**
 * An empty object whose key is the prefix itself: consoles create `photos/` to show a folder. Below the root of a bucket
 * its copy would have no key, so it is skipped there. An object of that key that has bytes fails: they would be lost.
 */

const { notice } = require('../../notices')

/**
 * @param {import('../flow').Judge} judge
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @returns {import('../flow').Judge}
 */
function skipFolderMarker(judge, { source, destination, run }) {
  if (destination.key !== '') return judge
  return pair => {
    const verdict = judge(pair)
    if (pair.name !== '' || pair.source?.bytes !== 0 || verdict.filtered || verdict.counted) return verdict
    run.emit(notice('FOLDER_MARKER_SKIPPED', { location: source.text }))
    return { action: 'skip', why: 'folder' }
  }
}

module.exports = { skipFolderMarker }
