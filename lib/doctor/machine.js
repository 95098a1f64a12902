'use strict'

/** The oldest supported Node.js; package.json tells npm the same. */
const NODE = '20.19'

/**
 * @param {string} version of `process.versions.node`
 * @returns {import('./run').Finding}
 */
function judgeNode(version) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = NODE.split('.').map(Number)
  const ok = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  const detail = `This is Node.js ${version}, and ${NODE} or later is needed.`
  return ok ? { ok, detail } : { ok, detail, hint: 'Install a newer Node.js.' }
}

module.exports = { judgeNode, NODE }
