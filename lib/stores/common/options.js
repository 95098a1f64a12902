'use strict'

/** Options of a side that several stores take. The help loads this file: it requires nothing. */

/** @typedef {import('../../options/contract').OptionSpec} OptionSpec */

const BOTH = /** @type {const} */ (['source', 'destination'])

/** @type {OptionSpec} */
const ENDPOINT_URL = {
  name: 'endpointUrl',
  value: 'url',
  help: 'endpoint of the {side}',
  group: 'places',
  sides: BOTH,
  kept: true,
}

/** @type {OptionSpec} */
const NO_SIGN_REQUEST = {
  name: 'noSignRequest',
  help: 'read without credentials',
  group: 'places',
  sides: ['source'],
  kept: true,
  replacedBy: ['credentials'],
}

/** @type {OptionSpec} */
const VERSION_ID = {
  name: 'versionId',
  flag: '--version-id',
  value: 'id',
  help: 'read this version of the source, not the newest',
  group: 'places',
  sides: ['source'],
  commands: ['copy', 'verify', 'head', 'presign'],
  kept: true,
}

module.exports = { BOTH, ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID }
