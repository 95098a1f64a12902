'use strict'

/** Errors of what is not found: an object, a container, a job, or anything to copy. */

const { termsOf } = require('./phrases')
const { EXIT } = require('./exit')

/** @type {Record<string, import('.').Row>} */
module.exports = {
  NO_SUCH_KEY: {
    exit: EXIT.NOT_FOUND,
    message: f => `There is no object "${f.key}" in the ${f.side} ${termsOf(f).container} "${f.bucket}".`,
    hint: f =>
      f.below
        ? 'Perhaps you mean everything below it: xfer copy -r copies that.'
        : 'Check the key: it is taken literally, upper and lower case, spaces and slashes included.',
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
}
