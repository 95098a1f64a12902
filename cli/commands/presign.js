'use strict'

const lib = require('../../lib')
const { formatDuration, jsonLine } = require('../format')
const { FORMS_OF_STORES, suchAs } = require('../help-texts')

/** A shorter life than was asked for, beyond what rounding and clocks make. */
const WORTH_A_NOTE_MS = 60_000

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'sign a URL with which anybody may read an object',
  description: 'Signs a URL with which anybody may read an object for some time.',
  places: [['<LOCATION>', suchAs('/key', { paths: false })]],
  help: `
Examples:
  xfer presign s3://photos/2026/raid.tar
  xfer presign s3://photos/2026/raid.tar --expires 15m
  curl -o raid.tar "$(xfer presign s3://photos/2026/raid.tar)"

LOCATION is ${FORMS_OF_STORES}. {configured}.

The URL is a secret: whoever has it may read this object, and nothing else,
until it expires. It ends sooner if credentials that have signed it do; a note
says so. Most stores allow 7 days. It is good for GET.

Exit status: 0 signed, 1 failed, 2 usage, or such a URL cannot be signed, 3 not
found, 4 access, 130 interrupted.`,
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
