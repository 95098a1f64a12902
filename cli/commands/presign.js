'use strict'

const lib = require('../../lib')
const { formatDuration, jsonLine } = require('../format')

/** A shorter life than was asked for, beyond what rounding and clocks make. */
const WORTH_A_NOTE_MS = 60_000

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'sign a URL with which anybody may read an object',
  description: 'Signs a URL with which anybody may read an object for some time.',
  places: [['<LOCATION>', '{a store/key}']],
  what: 'question',
  async work({ process, flags, options, signal, onEvent }, location) {
    const signed = await lib.presign(location, { ...options, signal, onEvent })
    process.print([flags.json ? jsonLine(signed) : signed.url])
    const { readerOf } = require('../../lib/options')
    const leftMs = signed.endsMs - Date.now()
    if (leftMs < readerOf('presign', flags)('expires') - WORTH_A_NOTE_MS)
      process.err.write(`Note: the URL ends in ${formatDuration(Math.max(0, leftMs))}, as the credentials do.\n`)
  },
}
