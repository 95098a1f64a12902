'use strict'

/** Errors of what is not found: an object, a container, a job, or anything below a prefix. */

const { ofSide, termsOf } = require('./phrases')

/** @type {Record<string, import('.').RowOfFile>} */
module.exports = {
  NO_SUCH_KEY: {
    message: f => {
      if (f.path === undefined)
        return `There is no object "${f.key}" in the ${ofSide(f)}${termsOf(f).container} "${f.bucket}".`
      return `There is no ${ofSide(f)}file ${f.path}${f.what === undefined ? '' : `: it is ${f.what}`}.`
    },
    hint: f => {
      if (f.below === 'list') return 'Perhaps you mean what is below it: xfer ls lists that.'
      if (f.below || f.what !== undefined) return 'Perhaps you mean everything below it: add -r.'
      return f.path !== undefined
        ? 'Check the path; a place without a scheme is a path, and a bucket is written as s3://bucket/key.'
        : `Check the key: it is taken literally, upper and lower case, spaces and slashes included${f.absolute ? '; names in a file are relative to SRC' : ''}.`
    },
  },
  NOTHING_FOUND: {
    message: f =>
      f.location === undefined
        ? `There is nothing below ${f.source}${f.deletes ? `, so nothing was deleted below ${f.destination}` : ''}.`
        : `There is nothing whose location begins with ${f.location}.`,
    hint: f => {
      if (f.location !== undefined) {
        if (f.pattern)
          return 'Wildcards are not expanded: give the beginning of the keys, and choose from what is listed.'
        return f.path
          ? 'Check the path; a place without a scheme is a path, and a bucket is written as s3://bucket.'
          : 'Check the key: it is taken literally, upper and lower case, spaces and slashes included.'
      }
      if (f.removes) {
        return f.object
          ? `${f.object} is one object, not a prefix: name it without -r.`
          : 'Check the prefix: it is taken literally, and a slash is added to it.'
      }
      if (f.object) return `${f.object} is one object, not a prefix: copy it with xfer copy, without -r.`
      if (f.pattern) return 'A key is taken as it is written, and patterns are for --include.'
      return `Check the source's prefix${f.deletes ? `; to empty the destination: xfer rm -r ${f.destination}` : ''}.`
    },
  },
  NO_SUCH_BUCKET: {
    message: f =>
      f.path === undefined
        ? `There is no ${ofSide(f)}${termsOf(f).container} "${f.bucket}" at ${f.endpoint}.`
        : `There is no ${ofSide(f)}folder ${f.path}.`,
    hint: f => {
      if (f.path !== undefined)
        return 'Check the path; a place without a scheme is a path, and a bucket is written as s3://bucket.'
      const { container, endpointInUse } = termsOf(f)
      return `Check the ${container}'s name and ${endpointInUse}, or create the ${container}.`
    },
  },
  NO_SUCH_JOB: {
    message: f => {
      if (f.job !== undefined) return `There is no unfinished job "${f.job}".`
      return f.others ? 'Every unfinished job is running, or damaged.' : 'There is no unfinished job.'
    },
    hint: f => {
      if (f.job !== undefined)
        return 'Check the name: xfer jobs lists the unfinished jobs, and a finished copy is none.'
      return f.others
        ? 'Run xfer jobs to see them.'
        : 'Nothing is left to go on with: to copy again, repeat the command of the copy.'
    },
  },
}
