'use strict'

const { sasQuery } = require('../sandbox/azure/support')

/**
 * A SAS of a container.
 *
 * @param {{ account: string, key: string }} server key: base64
 * @param {string} container
 * @param {{ permissions: string, untilMs: number }} what
 * @returns {string} without a question mark
 */
function containerSas(server, container, { permissions, untilMs }) {
  const se = `${new Date(untilMs).toISOString().slice(0, 19)}Z`
  return new URLSearchParams(sasQuery(server, container, { sp: permissions, se })).toString()
}

module.exports = { containerSas }
