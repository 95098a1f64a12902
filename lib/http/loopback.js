'use strict'

/** Names that always mean this machine. @param {string} host without a port, IPv6 with or without brackets */
function isLoopback(host) {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
}

module.exports = { isLoopback }
