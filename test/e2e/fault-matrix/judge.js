'use strict'

/**
 * What is wrong with a copy, if anything is.
 *
 * @param {import('./run').Result} result
 * @returns {string | undefined}
 */
function complaintOf({ cell: { stops, mayCopy, row }, run, last, aborted, hits, right, uploads, left }) {
  if (run.status === null) return `it did not end within ${row.boundMs ?? 60_000} ms: ${run.stdout.slice(-1000)}`
  if (hits === 0) return 'the fault never struck'
  if (right === false) return 'a wrong object is at the destination'
  const told = `exit ${run.status}, ${last?.code}: ${last?.message}`
  const saysLeft = last?.code === 'UPLOAD_LEFT'
  if (aborted && aborted.status !== 0) return `the job that it names cannot be aborted: ${aborted.stderr}`
  const untold = uploads.filter(({ id }) => !`${run.stdout}${aborted?.stdout ?? ''}`.includes(`pload ${id}`))
  if (untold.length > 0 && !saysLeft) return `${untold.length} uploads are left, and it says nothing of them: ${told}`
  if (left.length > 0 && !saysLeft) return `files of jobs are left: ${left.join(', ')}`
  if (run.status === 0) {
    if (right === undefined) return 'it says that it copied, and there is nothing'
    return mayCopy ? undefined : `it should have stopped with ${JSON.stringify(stops)}`
  }
  return stops[last?.code] === run.status ? undefined : `it stopped with ${told}`
}

module.exports = { complaintOf }
