'use strict'

/** Options of a side that several stores take. The help loads this file: it requires nothing. */

/** @typedef {import('../../options/contract').OptionRow} OptionRow */

const OF_SIDES = /** @type {const} */ ({ group: 'places', sides: ['source', 'destination'] })
const OF_SOURCE = /** @type {const} */ ({ group: 'places', sides: ['source'] })

/** @type {OptionRow} */
const ENDPOINT_URL = { name: 'endpointUrl', takes: '<url>', help: 'endpoint of the {side}', ...OF_SIDES, kept: true }

/** @type {OptionRow} */
const NO_SIGN_REQUEST = {
  ...{ name: 'noSignRequest', help: 'read without credentials', ...OF_SOURCE },
  kept: { replacedBy: ['credentials'] },
}

/** @type {OptionRow} */
const VERSION_ID = {
  ...{ name: 'versionId', flag: '--version-id', takes: '<id>', ...OF_SOURCE, kept: true },
  help: 'read this version of the source, not the newest',
  commands: ['copy', 'verify', 'head', 'presign'],
}

module.exports = { ENDPOINT_URL, NO_SIGN_REQUEST, OF_SIDES, OF_SOURCE, VERSION_ID }
