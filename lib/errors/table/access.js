'use strict'

/** Errors of access: credentials, permissions, and what a function may connect to. */

const { sideOf, storeCode, tagged, termsOf } = require('./phrases')

/** @type {Record<string, import('.').RowOfFile>} */
module.exports = {
  NO_CREDENTIALS: {
    message: f => `No credentials were found for the ${sideOf(f)}.`,
    hint: f => termsOf(f).credentialsAdvice ?? `Configure credentials for the ${sideOf(f)}.`,
  },
  BAD_CREDENTIALS: { message: f => f.text, hint: f => f.advice },
  CREDENTIALS_REFUSED: {
    message: f => `The ${sideOf(f)} refuses these credentials${storeCode(f)}.`,
    hint: f => `Check ${termsOf(f).credentials} and the endpoint of the ${sideOf(f)}: ${f.endpoint}.`,
  },
  CREDENTIALS_EXPIRED: {
    message: f => `The ${sideOf(f)}'s credentials have expired${storeCode(f)}.`,
    hint: f => f.advice ?? 'Log in again, then repeat the command.',
  },
  ACCESS_DENIED: {
    message: f => `The ${sideOf(f)} denies access to "${f.bucket}"${storeCode(f)}.`,
    hint: f => (f.advice ?? termsOf(f).accessAdvice ?? `The credentials need ${f.needs}.`) + tagged(f),
  },
  ADDRESS_REFUSED: {
    message: f =>
      `${f.here ? 'xfer does not' : 'The function may not'} connect to the ${sideOf(f)} ${f.endpoint}, because ${f.reason}.`,
    hint: f =>
      f.here
        ? (f.advice ?? 'Check the address, and where it redirects to.')
        : 'Check the endpoint, or allow it with xfer deploy --allow-hosts or --allow-metadata, or those options of xfer serve.',
  },
}
