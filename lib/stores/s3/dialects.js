'use strict'

/** Which dialect an endpoint speaks: Amazon's, or one of its own. The translation is in session.js, control.js and signer.js. */

const { profileOf } = require('./profiles')
const { google } = require('./google')
const { permissionsOf } = require('./permissions')
const { READ, WRITE } = require('./rules')

/** Amazon's, and that of all stores without one of their own. @type {import('./dialect').Dialect} */
const amazon = {
  protocol: 'S3',
  signature: {
    algorithm: 'AWS4-HMAC-SHA256',
    secretPrefix: 'AWS4',
    service: 's3',
    terminator: 'aws4_request',
    headerPrefix: 'x-amz-',
  },
  translate: words => words,
  read: headers => headers,
  readHeaders: {},
  rules: { read: READ, write: WRITE },
  async conditions({ ifNoneMatch, ifMatch }) {
    return { ...(ifNoneMatch && { 'if-none-match': '*' }), ...(ifMatch !== undefined && { 'if-match': ifMatch }) }
  },
  pinsVersions: false,
  lacks: new Set(),
  permissions: permissionsOf,
}

/** @param {string} host of the endpoint @returns {import('./dialect').Dialect} */
function dialectOf(host) {
  return profileOf({ host }).dialect === 'google' ? google : amazon
}

module.exports = { amazon, dialectOf }
