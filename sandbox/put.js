#!/usr/bin/env node
'use strict'

/** `npm run put`: writes an object of random bytes, of any size that one request can have, to a store of the sandbox. */

const { Command } = require('commander')
const { formatBytes } = require('../cli/format')
const { XferError } = require('../lib')
const { parseSize } = require('../lib/options')
const { openStore, parsePlace, resolveSettings } = require('../lib/stores')
const { putRandomInto } = require('./objects')

/** @param {string} location @param {string} size */
async function put(location, size) {
  const bytes = parseSize(size, 'SIZE')
  const place = parsePlace(location, 'destination')
  if (!place.key || place.key.endsWith('/')) {
    throw new XferError('USAGE', { text: `${location} names no object.`, advice: 'Write its key: s3://BUCKET/KEY.' })
  }
  const store = openStore(place, await resolveSettings(place, 'destination', {}, process.env))
  try {
    await putRandomInto(store, { key: place.key, bytes })
  } finally {
    store.close()
  }
  process.stdout.write(`Wrote ${formatBytes(bytes)} of random bytes to ${location}.\n`)
}

new Command('put')
  .description('Writes an object of random bytes.')
  .argument('<location>', 's3://PROFILE@BUCKET/KEY or az://ACCOUNT/CONTAINER/KEY')
  .argument('<size>', 'in MiB, or with a unit: 64KiB, 1GiB')
  .addHelpText('after', '\nExample:\n  npm run -s put -- s3://old@photos/big.bin 1GiB')
  .exitOverride(error => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(put)
  .parseAsync()
  .catch(error => {
    process.stderr.write(`put: ${error.message}\n${error.hint ? `     ${error.hint}\n` : ''}`)
    process.exitCode = error.exitCode ?? 1
  })
