'use strict'

/** Errors of the run itself: its files on this machine, its time limits, an interruption, and defects of xfer. */

const { EXIT, resumeHint } = require('./phrases')

/** What the system's codes for a full disk mean. @type {Record<string, string>} */
const ROOM = {
  ENOSPC: 'ENOSPC: the disk is full',
  EDQUOT: 'EDQUOT: the quota of the disk is used up',
  EFBIG: 'EFBIG: the file may not grow any more',
}

/** @type {Record<string, import('.').RowOfFile>} */
module.exports = {
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
    message: f => `The ${f.what ?? 'command'} was interrupted.`,
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
  INTERNAL: {
    message: f => `Something went wrong inside xfer (${f.reason}).`,
    hint: () => 'Repeat the command with --debug and report what it prints.',
  },
}
