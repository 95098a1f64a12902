'use strict'

/** The options of Redis. The help loads this file: it requires nothing. */

/** @type {import('../../options/contract').OptionSpec[]} */
const options = [
  {
    ...{ name: 'ttl', value: 'time', type: 'duration', group: 'attributes', commands: ['copy'], kept: true },
    help: 'the copy ends by itself after this time, such as 90s or 7d (redis://)',
    libraryHelp: "the copy ends by itself after this time, such as '90s' or '7d' (redis://)",
  },
]

/** How a place is written. */
const FORMS = 'redis://host:port/database/key or redis://user@host:port/database/key'

/** What has the password. @param {'source' | 'destination'} side */
function variableOf(side) {
  return side === 'source' ? 'XFER_SOURCE_REDIS_PASSWORD' : 'XFER_DEST_REDIS_PASSWORD'
}

module.exports = { FORMS, options, variableOf }
