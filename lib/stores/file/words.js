'use strict'

/** What files say of themselves: their rows of the table of errors, and their words in the other rows. */

const { EXIT, withRows } = require('../../errors')

/** @param {number} bytes */
const count = bytes => bytes.toLocaleString('en-US')

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  FILE_FAILED: {
    exit: EXIT.FAILED,
    message: f =>
      `The ${f.side} ${f.path ?? 'file'} cannot be ${f.of === 'write' ? 'written' : 'read'} (${f.storeCode}).`,
    hint: () => 'Check the disk and the file system, then repeat the command.',
    retryable: true,
  },
  FILE_SYNC_FAILED: {
    exit: EXIT.FAILED,
    message: f => `The disk did not take what was written of ${f.path} (${f.storeCode}), so it was dropped.`,
    hint: () => 'Check the disk and the file system, then repeat the command.',
    final: true,
  },
  NOT_A_FILE: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} ${f.path === undefined ? '' : `${f.path} `}${f.what}.`,
    hint: f =>
      f.advice ??
      (f.side === 'source'
        ? 'Name a file, or let what there is to read come from standard input: xfer copy - DEST < PATH.'
        : 'Choose another name, or move away what is there.'),
  },
  DISK_FULL: {
    exit: EXIT.FAILED,
    message: f =>
      f.bytes === undefined
        ? `The destination's file system is full (${f.storeCode}).`
        : `The destination's file system has ${count(f.free)} bytes free for ${f.path}, which needs ${count(f.bytes)}.`,
    hint: () => 'Make room there, or choose another folder, then repeat the command.',
  },
}

/** Facts of NOT_A_FILE for a symbolic link. @param {'source' | 'destination'} side */
const linkFacts = side => ({
  exit: EXIT.ACCESS,
  what: 'is a symbolic link, or lies behind one, and it is not followed',
  advice:
    side === 'source'
      ? 'Give --follow-links if what it leads to is to be copied.'
      : 'Remove the link, or name the folder that it leads to as the destination.',
})

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

/** @type {import('../contract').StoreTerms} */
const TERMS = {
  container: 'folder',
  part: 'range',
  endpoint: 'the path',
  endpointInUse: 'the path',
  address: 'the path, and whether its file system is mounted',
  credentials: 'the owner and the mode of the file',
  credentialsAdvice: 'Run xfer as a user who may read and write there.',
}

module.exports = { ROWS, TERMS, XferError, linkFacts }
