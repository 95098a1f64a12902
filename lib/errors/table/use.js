'use strict'

/** Errors of usage, of what was not found, and of access. */

const { storeCode, termsOf } = require('./phrases')
const { EXIT } = require('./exit')

/** @type {Record<string, import('.').Row>} */
module.exports = {
  // --- usage ---------------------------------------------------------------------------------------------------------
  USAGE: { exit: EXIT.USAGE, message: f => f.text, hint: f => f.advice ?? 'Run xfer --help to see what is possible.' },
  UNKNOWN_SCHEME: {
    exit: EXIT.USAGE,
    message: f => `The ${f.side} "${f.location}" has no scheme that xfer knows.`,
    hint: f => `Write it as ${f.examples}.`,
  },
  BAD_LOCATION: {
    exit: EXIT.USAGE,
    message: f => `The ${f.side} "${f.location}" is not a location: ${f.reason}.`,
    hint: f => `Write it as ${f.forms}.`,
  },
  SAME_OBJECT: {
    exit: EXIT.USAGE,
    message: f => `Source and destination are the same object, ${f.location}.`,
    hint: f => `Give the copy another key or another ${termsOf(f).container}.`,
  },
  OVERLAP: {
    exit: EXIT.USAGE,
    message: f => `Source and destination overlap: ${f.source} and ${f.destination}.`,
    hint: f => `Choose prefixes of which neither begins with the other, or another ${termsOf(f).container}.`,
  },
  NO_NAME: {
    exit: EXIT.USAGE,
    message: f =>
      `The source has an object whose key is the prefix itself, ${f.key}, and at the destination its key would be empty.`,
    hint: () => 'Copy it by itself, without -r and with a key for it; or copy to below a prefix.',
  },
  TOO_LARGE: {
    exit: EXIT.USAGE,
    message: f => `The object has ${f.bytes} bytes, more than the ${f.most} that the destination takes in one object.`,
    hint: () => 'Split the object before copying it, or choose a destination that takes larger ones.',
  },
  BAD_JOURNAL: {
    exit: EXIT.USAGE,
    message: f => `The journal ${f.path} cannot be used: ${f.reason}.`,
    hint: f => f.advice ?? 'Name another journal, or repeat the copy with --restart.',
  },
  JOB_RUNNING: {
    exit: EXIT.FAILED,
    message: f =>
      `Process ${f.pid}${f.host ? ` on ${f.host}` : ''} ${f.job === undefined ? 'is beginning a copy from and to the same' : `is at work on the job ${f.job}`}.`,
    hint: () => 'Wait until it is done, or stop it first.',
  },

  // --- not found -----------------------------------------------------------------------------------------------------
  NO_SUCH_KEY: {
    exit: EXIT.NOT_FOUND,
    message: f => `There is no object "${f.key}" in the ${f.side} ${termsOf(f).container} "${f.bucket}".`,
    hint: f =>
      `Check the key: it is taken literally, upper and lower case, spaces and slashes included.${
        String(f.key).endsWith('/') ? ' What lies below a prefix is copied by xfer copy -r.' : ''
      }`,
  },
  NOTHING_TO_COPY: {
    exit: EXIT.NOT_FOUND,
    message: f => `There is nothing below ${f.source}.`,
    hint: f => f.advice ?? "Check the source's prefix; with --allow-empty-source an empty source is no error.",
  },
  NO_SUCH_BUCKET: {
    exit: EXIT.NOT_FOUND,
    message: f => `There is no ${f.side} ${termsOf(f).container} "${f.bucket}" at ${f.endpoint}.`,
    hint: f => {
      const { container, endpoint } = termsOf(f)
      return `Check the ${container}'s name and ${endpoint}, or create the ${container}.`
    },
  },
  NO_SUCH_JOB: {
    exit: EXIT.NOT_FOUND,
    message: f => (f.job === undefined ? 'There is no unfinished job.' : `There is no unfinished job "${f.job}".`),
    hint: () => 'Run xfer jobs to list the unfinished jobs.',
  },

  // --- access --------------------------------------------------------------------------------------------------------
  NO_CREDENTIALS: {
    exit: EXIT.ACCESS,
    message: f => `No credentials were found for the ${f.side}.`,
    hint: f => termsOf(f).credentialsAdvice ?? `Configure credentials for the ${f.side}.`,
  },
  MALFORMED_CREDENTIALS: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side}'s ${f.what} holds a blank, a line end or a character outside ASCII.`,
    hint: () => 'Copy it again, without blanks or line ends around it.',
  },
  CREDENTIALS_REFUSED: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side} refuses these credentials${storeCode(f)}.`,
    hint: f => `Check ${termsOf(f).credentials} and the endpoint of the ${f.side}: ${f.endpoint}.`,
  },
  CREDENTIALS_EXPIRED: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side}'s credentials have expired${storeCode(f)}.`,
    hint: () => 'Log in again, then repeat the command.',
  },
  ACCESS_DENIED: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side} denies access to "${f.bucket}"${storeCode(f)}.`,
    hint: f => f.advice ?? `The credentials need ${f.needs}.`,
  },
  ADDRESS_REFUSED: {
    exit: EXIT.ACCESS,
    message: f => `The function may not connect to the ${f.side} ${f.endpoint}, because ${f.reason}.`,
    hint: () => 'Check the endpoint, or allow it with xfer deploy --allow-hosts or --allow-metadata.',
  },
}
