'use strict'

/** Versions and snapshots of a blob, which both are named by a time. Pure. */

const SNAPSHOT = 'snapshot:'

/** @param {string} time of a snapshot @returns {string} the id of a version, as the settings have it */
function snapshotId(time) {
  return SNAPSHOT + time
}

/** @param {string | undefined} versionId of the settings @returns {{ versionid?: string, snapshot?: string }} parameters of a request */
function versionQuery(versionId) {
  if (versionId === undefined) return {}
  return versionId.startsWith(SNAPSHOT) ? { snapshot: versionId.slice(SNAPSHOT.length) } : { versionid: versionId }
}

module.exports = { snapshotId, versionQuery }
