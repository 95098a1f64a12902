'use strict'

/** The texts of `xfer cat`, and of a copy to standard output, that differ from those of a copy. */

const { formatBytes, plural } = require('../format')
const { PROOFS, atOnce, paceOf } = require('./copy-words')

/** @typedef {import('../../lib/types').DownloadEvent} DownloadEvent */
/** @typedef {Extract<DownloadEvent, { type: 'plan' }>} DownloadPlanEvent */
/** @typedef {Extract<DownloadEvent, { type: 'done' }>} DownloadDoneEvent */

const UNCOMPARED = 'Nothing was compared with what the source keeps'

/** @param {DownloadPlanEvent} plan @param {Pick<import('../format').Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const { bytes, ranges, rangeBytes, ahead } = plan
  const how =
    ranges === 1
      ? 'in one piece'
      : `in ${plural(ranges, 'range')} of ${formatBytes(rangeBytes)}, ${ahead} in memory at most`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} ${signs.to} standard output`,
    bytes === undefined ? 'Of unknown size, in one piece' : `${formatBytes(bytes)} ${how}, ${atOnce(plan)}`,
  ]
}

/** @param {DownloadDoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines(done) {
  const { source, bytes, proof, uncompared } = done
  const outcome = proof.length > 0 ? 'proved' : 'not proved'
  return [
    proof.length > 0
      ? `Proof: ${proof.map(each => PROOFS[each]).join('; ')}.`
      : `${UNCOMPARED}${uncompared ? ', because it keeps no checksum that fits; --verify full reads it a second time' : ''}.`,
    `Wrote ${formatBytes(bytes)} from ${source} to standard output ${paceOf(done)}: ${outcome}.`,
  ]
}

module.exports = { planLines, doneLines }
