'use strict'

/** Errors of what was asked for: it is used wrongly, not found, not allowed; and of the run itself. */

const { EXIT } = require('./exit-statuses')
const { count, ofSide, resumeHint, sideOf, storeCode, tagged, termsOf } = require('./phrases')

/** What else may be meant by a copy of an object onto itself. @param {any} f */
function wayInPlace({ inPlace }) {
  if (inPlace === undefined) return ''
  return inPlace
    ? '; to change the object where it is, without --route engine, say what it is given, such as --content-type'
    : ', and move it back with xfer mv; this store changes no object where it is'
}

/** Errors of usage: what the command line, the library's caller or a journal asks for cannot be done. @type {Record<string, import('.').RowOfFile>} */
const USAGE = {
  USAGE: { message: f => f.text, hint: f => f.advice ?? 'Run xfer --help to see what is possible.' },
  BAD_LOCATION: {
    message: f =>
      `The ${f.side} "${f.location}" ${f.lacks === undefined ? 'is not a location' : 'names no object'}: ${f.reason}.`,
    hint: f => `Write it as ${f.forms}.`,
  },
  SAME_OBJECT: {
    message: f => {
      if (f.source) return `Source and destination overlap: ${f.source} and ${f.destination}.`
      return f.other === undefined
        ? `Source and destination are the same object, ${f.location}.`
        : `${f.location} and ${f.other} are the same object, under two names.`
    },
    hint: f =>
      f.source
        ? `Choose prefixes of which neither begins with the other, or another ${termsOf(f).container}.`
        : `Give the copy another key or another ${termsOf(f).container}${wayInPlace(f)}.`,
  },
  NO_NAME: {
    message: f =>
      `The source has an object whose key is the prefix itself, ${f.key}, and at the destination its key would be empty.`,
    hint: () => 'Copy it by itself, without -r and with a key for it; or copy to below a prefix.',
  },
  TOO_LARGE: {
    message: f =>
      f.maxParts === undefined
        ? `The object has ${f.bytes} bytes, more than the ${f.most} that the destination takes in one object.`
        : `More than ${f.most} bytes come from the stream, and no more fit into ${f.maxParts === 1 ? 'one request' : `${count(f.maxParts)} parts`}.`,
    hint: f =>
      f.maxParts === undefined
        ? 'Split the object before copying it, or choose a destination that takes larger ones.'
        : 'Say with --size about how much comes, or split the stream.',
  },
  BAD_JOURNAL: {
    message: f => `The journal ${f.path} cannot be used: ${f.reason}.`,
    hint: f => f.advice ?? 'Name another journal, or repeat the copy with --restart.',
  },
  SEAL_BROKEN: {
    exit: EXIT.INTEGRITY,
    message: f => `The manifest ${f.path} cannot be used: ${f.reason}.`,
    hint: () => 'Take the file that xfer wrote, as it was; nothing was compared or copied.',
  },
  TOO_EXPENSIVE: {
    message: f => {
      const unknown = f.unknown.length > 0 ? `, without what has no known price (${f.unknown.join('; ')})` : ''
      const total = f.total.toFixed(f.total < 0.005 ? 9 : 2).replace(/(\.\d\d\d*?)0+$/, '$1')
      return `Nothing was copied, because the plan costs about $${total} by list prices, more than --max-cost ${f.most}${unknown}.`
    },
    hint: () => 'Look at its lines with --dry-run, and raise --max-cost, or copy less.',
  },
  JOB_TAKEN: {
    exit: EXIT.TRY_AGAIN,
    message: f =>
      `${f.pid === undefined ? 'Another process' : `Process ${f.pid} on ${f.host}`} has taken the job ${f.job} over, because this one had given no sign of life, so this one has stopped.`,
    hint: () => 'Nothing was lost: the other process goes on, as xfer jobs shows.',
  },
  JOB_SPLIT: {
    exit: EXIT.TRY_AGAIN,
    message: f =>
      `The job ${f.job} is split in ${f.ranges} ranges, and ${f.left} of them are left: ${f.running} run by other processes, ${f.waiting} waiting.`,
    hint: f => `Workers run them: xfer work --state LOCATION --only ${f.job}, on as many machines as you like.`,
  },
  STUCK: {
    exit: EXIT.FAILED,
    message: f =>
      `${f.runs} runs of the runner have left the job ${f.job} as it was, so no other was begun.${f.written === undefined ? '' : ` ${f.written} is written, and not proved.`}`,
    hint: f =>
      `Look at the records of its runs; xfer resume ${f.job} goes on from here, and a runner with more time or memory may come further.`,
  },
  STATE_UNSAFE: {
    exit: EXIT.USAGE,
    message: f =>
      `The place ${f.location} cannot hold jobs: ${f.unknown === undefined ? 'its store does not keep' : `it is not known whether its server (${f.unknown}) keeps`} the condition of a write, by which two machines are kept from one job.`,
    hint: f =>
      f.unknown === undefined
        ? 'Name a place in another store, or a folder.'
        : `Find it out with xfer doctor ${f.location} --deep, or name a place in another store.`,
  },
  JOB_RUNNING: {
    exit: EXIT.TRY_AGAIN,
    message: f =>
      `${f.own ? 'This process' : f.pid === undefined ? 'Another process' : `Process ${f.pid}${f.host ? ` on ${f.host}` : ''}`} ${f.job === undefined ? 'is beginning a copy from and to the same' : `is at work on the job ${f.job}`}.`,
    hint: f => `Wait until ${f.own ? 'that copy' : 'it'} is done, or stop it first.`,
  },
}

/** Errors of what is not found: an object, a container, a job, or anything below a prefix. @type {Record<string, import('.').RowOfFile>} */
const NOT_FOUND = {
  BAD_MANIFEST: {
    exit: EXIT.USAGE,
    message: f =>
      `The manifest cannot be used because of ${f.row === undefined ? '' : `row ${f.row} of `}${f.file}: ${f.reason}.`,
    hint: () => 'Correct it, or give another one; docs/guides/inventory.md has the formats.',
  },
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
    message: f => {
      if (f.leftOut !== undefined)
        return `Nothing was compared: of ${f.source} and ${f.destination} ${f.leftOut === 1 ? 'the only object is' : `all ${count(f.leftOut)} objects are`} left out.`
      if (f.filesFrom !== undefined)
        return `Nothing was compared: ${f.filesFrom === '-' ? 'standard input' : f.filesFrom} names no object.`
      return f.location === undefined
        ? `There is nothing below ${f.source}${f.deletes ? `, so nothing was deleted below ${f.destination}` : ''}.`
        : `There is nothing whose location begins with ${f.location}.`
    },
    hint: f => {
      if (f.leftOut !== undefined)
        return 'Check the filters; marks of folders and jobs of xfer are left out without any.'
      if (f.filesFrom !== undefined) return 'Check what makes the list of names.'
      if (f.location !== undefined) {
        if (f.pattern)
          return 'Wildcards are not expanded: give the beginning of the keys, and choose from what is listed.'
        return f.path
          ? 'Check the path; a place without a scheme is a path, and a bucket is written as s3://bucket.'
          : 'Check the key: it is taken literally, upper and lower case, spaces and slashes included.'
      }
      if (f.object)
        return `${f.object} is ${f.isFile ? 'a file, not a folder' : 'one object, not a prefix'}: name it without -r${f.removes ? '' : '; xfer sync takes none, and xfer copy does'}.`
      if (f.removes) return 'Check the prefix: it is taken literally, and a slash is added to it.'
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
      return f.running === undefined
        ? 'There is no unfinished job.'
        : `No unfinished job can be resumed: ${f.running} running, ${f.damaged} damaged.`
    },
    hint: f => {
      if (f.job !== undefined)
        return 'Check the name: xfer jobs lists the unfinished jobs, and a finished copy is none.'
      return f.running !== undefined
        ? 'Run xfer jobs to see them.'
        : 'Nothing is left to go on with: to copy again, repeat the command of the copy.'
    },
  },
}

/** Errors of access: credentials, permissions, and what a function may connect to. @type {Record<string, import('.').RowOfFile>} */
const ACCESS = {
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

/** What the system's codes for a full disk mean. @type {Record<string, string>} */
const ROOM = {
  ENOSPC: 'ENOSPC: the disk is full',
  EDQUOT: 'EDQUOT: the quota of the disk is used up',
  EFBIG: 'EFBIG: the file may not grow any more',
}

/** Errors of the run itself: its files on this machine, its time limits, an interruption, and defects of xfer. @type {Record<string, import('.').RowOfFile>} */
const RUN = {
  TIMED_OUT: {
    exit: EXIT.TIMED_OUT,
    message: f =>
      f.check
        ? `There was no answer within ${f.afterMs / 1000} s.`
        : `The copy was stopped after ${f.afterMs / 1000} s, as --timeout says.`,
    hint: f => {
      if (f.check) return 'Check the network, and what else keeps this machine waiting.'
      return f.job ? resumeHint(f) : 'Repeat the command.'
    },
  },
  INTERRUPTED: {
    exit: EXIT.INTERRUPTED,
    message: f => (f.asked ? 'The copy was stopped by xfer stop.' : `The ${f.what ?? 'command'} was interrupted.`),
    hint: f => (f.job ? resumeHint(f) : 'Repeat the command.'),
  },
  NOT_CONFIRMED: {
    message: f => `Nothing was deleted below ${f.location}: the question was not answered with yes.`,
    hint: () => 'Repeat the command and answer y, or name fewer objects.',
  },
  HANDLER_FAILED: {
    message: f => `The function ${f.handler}, which is called while xfer works, failed: ${f.reason}.`,
    hint: f => `Correct the function; ${f.done ? 'everything else is done' : 'the call stopped as by an abort'}.`,
  },
  INPUT_FAILED: {
    message: f => `The stream failed before its end, and nothing was written (${f.reason}).`,
    hint: () => 'Correct what makes the stream, and repeat the command.',
  },
  FILE_UNWRITABLE: {
    message: f => `${f.path ?? 'A file of this machine'} cannot be written (${ROOM[f.reason] ?? f.reason}).`,
    hint: f => f.advice ?? 'Make room there, or correct the permissions, then repeat the command.',
  },
  MANIFEST_UNWRITABLE: {
    message: f => `The manifest ${f.path} cannot be written (${ROOM[f.reason] ?? f.reason}), so the job has ended.`,
    hint: () => 'Make room there, or correct the permissions, then repeat the command.',
  },
  INTERNAL: {
    message: f => `Something went wrong inside xfer (${f.reason}).`,
    hint: () => 'Repeat the command with --debug and report what it prints.',
  },
}

module.exports = { ACCESS, NOT_FOUND, RUN, USAGE }
