'use strict'

/** Loopback addresses, and the unspecified ones, which also connect to this machine (RFC 6890, RFC 4291). */
const ADDRESS = /^(?:(?:::ffff:)?(?:127(?:\.\d+){3}|0\.0\.0\.0)|::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]{1,4}|0:0)|::1?)$/

/**
 * Whether who connects to a host always reaches this machine. Listening there may serve others too: 0.0.0.0 and :: are among them.
 *
 * @param {string} host of a URL, without a port; IPv6 with or without brackets
 */
function isLoopback(host) {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || ADDRESS.test(name)
}

module.exports = { isLoopback }
