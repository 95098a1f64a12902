'use strict'

const { XferError } = require('../../errors')

/** @param {string} text @returns {string} in lower case @throws {XferError} USAGE */
function readSha256(text) {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new XferError('USAGE', {
    text: '--expect-sha256 is not a SHA-256 in hex.',
    advice: 'Give its 64 digits, as sha256sum prints them.',
  })
}

module.exports = { readSha256 }
