'use strict'

/**
 * What files say of themselves: their rows of the table of errors, and their words in the other rows. And what the errors of a file
 * system mean: those of calls of this process, and those that the transport of files answers with. Its statuses: 403 (may not), 404
 * (is not there), 412 (is another one), 416, 500 (the device failed), 507 (no room).
 */

const { EXIT, asXferError, withRows } = require('../../errors')
const { codeOf } = require('../../files')
const { meaningIn } = require('../common')

/** @param {number} bytes */
const count = bytes => bytes.toLocaleString('en-US')

/** @type {Record<string, import('../../errors').ErrorRow>} */
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

const BY_SHELL = 'Give - as the destination, and let the shell open it: xfer copy SRC - > PATH.'

/** Facts of NOT_A_FILE for what is written to and not replaced. @param {'source' | 'destination'} side */
const deviceFacts = side => ({
  what: 'is a device, a pipe or a socket',
  ...(side === 'destination' && { advice: BY_SHELL }),
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

/** The system's codes, and the transport's own, by what they mean. @type {Record<string, readonly string[]>} */
const CODES = {
  NO_SUCH_KEY: ['ENOENT', 'ENOTDIR'],
  ACCESS_DENIED: ['EACCES', 'EPERM', 'EROFS'],
  // EEXIST: of a folder that is to be made.
  NOT_A_FILE: ['LINK', 'ELOOP', 'OUTSIDE', 'NOWHERE', 'MOUNT', 'EISDIR', 'NOT_A_FILE', 'SIZE', 'ENOTEMPTY', 'EEXIST'],
  DISK_FULL: ['ENOSPC', 'EDQUOT', 'EFBIG'],
  TOO_MANY_FILES: ['EMFILE', 'ENFILE'],
}
/** Codes that mean that a link is in the way. */
const LINKS = ['LINK', 'ELOOP', 'OUTSIDE']
/** What is there in place of a file. @type {Record<string, string>} */
const WHAT = {
  EEXIST: 'lies below something that is no folder',
  ENOTDIR: 'lies below something that is no folder',
  NOT_A_FILE: 'is a folder, a device, a pipe or a socket',
  NOWHERE: 'lies behind a symbolic link that leads nowhere',
  MOUNT: 'is a mount point, which no file can replace',
  SIZE: 'has bytes beyond the size that its file system tells, so nobody knows where it ends',
}
/** What helps, where that is not to choose another name. @type {Record<string, string>} */
const ADVICE = {
  NOWHERE: 'Mount or make the folder that the link leads to, then repeat the command.',
  MOUNT: BY_SHELL,
}
/** @type {Record<number, string>} */
const BY_STATUS = {
  403: 'ACCESS_DENIED',
  404: 'NO_SUCH_KEY',
  412: 'DESTINATION_EXISTS',
  416: 'SOURCE_CHANGED',
  500: 'FILE_FAILED',
  507: 'DISK_FULL',
}

/** @typedef {{ storeCode?: string, status?: number, of: 'read' | 'write' }} FileRefusal */

/** @param {FileRefusal} refusal @returns {string} a code of the table */
function classify({ storeCode = '', status = 0, of }) {
  if (storeCode === 'ENOTDIR' && of === 'write') return 'NOT_A_FILE'
  const usual = status >= 500 || status === 0 ? 'FILE_FAILED' : 'STORE_REFUSED'
  return meaningIn(storeCode, CODES) ?? BY_STATUS[status] ?? usual
}

/**
 * The store's `explain`.
 *
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 */
function explainAnswer({ of, status, storeCode, key, body: _, checksum: __, ...said }, facts) {
  const code = classify({ of, status, storeCode })
  const at = key === undefined ? facts : { ...facts, key, path: `/${key}` }
  const about = { ...at, ...said, of, status, storeCode, ...wordsOf(code, at, storeCode) }
  if (of === 'read' && code === 'DESTINATION_EXISTS') return new XferError('SOURCE_CHANGED', about)
  // What a write does not find is its partial file.
  if (of === 'write' && code === 'NO_SUCH_KEY') return new XferError('UPLOAD_GONE', about)
  return new XferError(code, about)
}

/**
 * The error of a call of this process.
 *
 * @param {unknown} cause
 * @param {{ key: string, of: 'read' | 'write' }} what
 * @param {Record<string, any>} facts of the store
 */
function explainCall(cause, { key, of }, facts) {
  const storeCode = codeOf(cause)
  const { syscall } = /** @type {NodeJS.ErrnoException} */ (cause)
  if (syscall === undefined && !['LINK', 'OUTSIDE', 'NOWHERE', 'MOUNT'].includes(storeCode)) return asXferError(cause)
  const about = { ...facts, key, path: `/${key}`, of, storeCode }
  const code = classify(about)
  return new XferError(code, { ...about, ...wordsOf(code, about, storeCode) }, { cause })
}

/** @param {string} code @param {Record<string, any>} facts @param {string} [storeCode] */
function wordsOf(code, { side, path }, storeCode = '') {
  if (code === 'ACCESS_DENIED') {
    const may = side === 'source' ? 'read it' : 'write there'
    return {
      ...(path !== undefined && { bucket: path }),
      advice: `Run xfer as a user who may ${may}, or change owner or mode.`,
    }
  }
  if (LINKS.includes(storeCode)) return linkFacts(side)
  if (code === 'NOT_A_FILE') return { what: WHAT[storeCode] ?? 'is a folder', advice: ADVICE[storeCode] }
  return code === 'TOO_MANY_FILES' ? { reason: 'EMFILE' } : {}
}

module.exports = { ROWS, TERMS, XferError, deviceFacts, explainAnswer, explainCall, linkFacts }
