'use strict'

/**
 * Writes a manifest as the copy goes. A line is in the file before the journal forgets its name. Beside it, FILE.held has what
 * the file cannot have yet: lines of earlier runs whose names this run deals with again, and of what is about to be deleted.
 * A line of the file is newer than one of the same name in there, so a run that is killed anywhere loses none and doubles none.
 */

const fs = require('node:fs')
const { promisify } = require('node:util')
const { XferError, usage } = require('../errors')
const { sameEtag } = require('../integrity')
const { decode, encoderOf, isLine, lineOf } = require('./line')
const { broken, recordsOf, wholeLines } = require('./records')
const { createTree, sealOf } = require('./seal')

/** @typedef {import('../types').ManifestLine} ManifestLine */
/** @typedef {import('../types').ManifestWriter} ManifestWriter */

const syncFile = promisify(fs.fdatasync)
/** Times of stores have whole seconds. */
const SLACK_MS = 2_000
/** So much waits in memory, at most. */
const WAITING_BYTES = 64 * 1024

/** @param {string} path @param {string} flags @returns {number} */
function open(path, flags) {
  try {
    return fs.openSync(path, flags)
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

/** @param {string} path @param {unknown} cause */
function unwritable(path, cause) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  return new XferError('MANIFEST_UNWRITABLE', { path, reason: code ?? message }, { cause })
}

/** @param {number} file @param {string} text */
function writeAll(file, text) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(file, bytes, at)
}

/** When a line was written; '' if it does not say. @param {string} text */
const timeOf = text => decode(text)?.time ?? ''

/** What a killed writer has written to the end. @param {string} path */
async function* linesOf(path) {
  for await (const { records } of recordsOf(fs.createReadStream(path), path, wholeLines, { ignoreBOM: true })) {
    for (const text of records) yield { text, record: decode(text) }
  }
}

/**
 * @param {object} how
 * @param {string} how.path
 * @param {boolean} how.csv
 * @param {Omit<import('../types').ManifestHead, 'type' | 'version'>} how.head
 * @param {boolean} how.goesOn whether earlier runs of the job have written to it
 * @param {import('node:crypto').KeyObject} [how.key] signs it
 * @param {import('../types').ManifestMirror} [how.mirror] has the lines of earlier runs
 * @returns {Promise<ManifestWriter>}
 * @throws {XferError} USAGE if the file is another one, or not that of the earlier runs; MANIFEST_UNWRITABLE
 */
async function openManifestOut({ path, csv, head, goesOn, key, mirror }) {
  const encode = encoderOf(csv)
  const heldPath = `${path}.held`
  let tree = createTree()
  /** Lines of `heldPath` that are not in the file, by name. @type {Map<string, string>} */
  const held = new Map()
  let waiting = ''
  let lines = 0
  let begun = false
  let ended = false
  /** Of an earlier run's file: whether the name has to get a line anew. @type {(name: string) => boolean} */
  let isOpen = () => true
  /** @type {(name: string) => number | undefined} */
  let doneMsOf = () => undefined
  /** Names of which the file may have another line, of an earlier run. @type {Set<string>} */
  const twice = new Set()
  /** @type {import('../types').XferError | undefined} */
  let trouble
  /** @type {(error: import('../types').XferError) => void} */
  let onTrouble = error => {
    throw error
  }
  /** @type {number | undefined} */
  let heldFile

  await mirror?.restore({ file: path, held: heldPath }, `${encode.head(head).join('\n')}\n`)
  const earlier = await isOurs()
  if (!earlier && goesOn && !mirror) {
    throw usage(
      `The manifest ${path} that earlier runs of the job have written is not there, and what they copied is known from nothing else.`,
      'Bring it back, or begin anew with --restart.',
    )
  }
  let file = open(path, earlier ? 'a' : 'w')
  if (!earlier) {
    fs.rmSync(heldPath, { force: true })
    for (const text of encode.head(head)) put(text)
    write()
  }

  /** Whether the file is a manifest of this job, sealed or not; false: there is none, or an empty one. */
  async function isOurs() {
    const stat = fs.statSync(path, { throwIfNoEntry: false })
    if (stat && !stat.isFile()) throw usage(`${path} is no file.`, 'Give --manifest-out the name of a new file.')
    if (!stat || stat.size === 0) return false
    for await (const { record } of linesOf(path)) {
      if (record?.type === 'manifest' && record.job !== undefined && record.job === head.job) return true
      break
    }
    throw usage(
      `The file ${path} exists, and is no unfinished manifest of this job.`,
      'Give --manifest-out another name; nothing is overwritten.',
    )
  }

  /** @param {unknown} cause */
  function fail(cause) {
    if (trouble) return
    trouble = unwritable(path, cause)
    onTrouble(trouble)
  }

  /** @param {() => void} act */
  function attempt(act) {
    try {
      if (!trouble) act()
    } catch (cause) {
      fail(cause)
    }
  }

  /** Whether the file has every line. */
  function write() {
    const text = waiting
    waiting = ''
    if (text !== '') attempt(() => writeAll(file, text))
    return trouble === undefined
  }

  /** Whether every line is on the disk. */
  async function sync() {
    if (write()) await syncFile(file).catch(fail)
    if (!trouble) await mirror?.push().catch(fail)
    return trouble === undefined
  }

  /** @param {string} text a line that stays */
  function put(text) {
    tree.add(text)
    waiting += `${text}\n`
    if (waiting.length > WAITING_BYTES) write()
  }

  /** @param {string} name @param {string} text */
  function settle(name, text) {
    if (ended) return
    if (earlier && begun && !isOpen(name)) {
      twice.add(name)
      if (!held.has(name)) hold(text)
    }
    if (begun) {
      if (held.has(name)) mirror?.add('again', JSON.stringify(name))
      mirror?.add('file', text)
    }
    held.delete(name)
    lines++
    put(text)
  }

  /** @param {string} text */
  function hold(text) {
    mirror?.add('held', text)
    attempt(() => {
      heldFile ??= open(heldPath, 'a')
      writeAll(heldFile, `${text}\n`)
    })
  }

  /** @param {ManifestLine} line */
  const add = line => settle(line.name, encode.line(line))

  /** Takes the lines that stay into a new file, and holds the others. Of a name that has several the last one counts. */
  async function takeOver() {
    write()
    tree = createTree()
    lines = 0
    begun = false
    const next = `${path}.next`
    /** Names that stay, and of which the file may have several lines. @type {Set<string>} */
    const found = new Set()
    fs.closeSync(file)
    file = open(next, 'w')
    if (fs.existsSync(heldPath)) {
      for await (const { text, record } of linesOf(heldPath)) if (record) held.set(record.name, text)
    }
    for await (const { text, record } of linesOf(path)) {
      if (record?.type === 'seal') break
      if (record?.type === 'manifest' && head.continues !== undefined) put(encode.head(head)[0])
      else if (record?.type) put(text)
      else if (!record || !isLine(record)) throw broken(path, 'a line of an earlier run is damaged')
      else if (!isOpen(record.name) && !held.has(record.name)) settle(record.name, text)
      else {
        // One that this file did not get any more is newer.
        const before = held.get(record.name)
        const isNewer = before !== undefined && !isOpen(record.name) && timeOf(before) > timeOf(text)
        if (!isNewer) held.set(record.name, text)
        if (!isOpen(record.name)) found.add(record.name)
      }
    }
    for (const name of found) settle(name, /** @type {string} */ (held.get(name)))
    write()
    const beside = open(`${heldPath}.next`, 'w')
    attempt(() => {
      for (const text of held.values()) writeAll(beside, `${text}\n`)
      fs.fdatasyncSync(beside)
      fs.closeSync(beside)
      fs.fdatasyncSync(file)
      fs.renameSync(`${heldPath}.next`, heldPath)
      fs.renameSync(next, path)
    })
  }

  return {
    async begin(wanted, tell = onTrouble, doneMs = () => undefined) {
      onTrouble = tell
      isOpen = wanted
      doneMsOf = doneMs
      if (earlier) await takeOver()
      begun = true
    },

    intend(action, name, copied, source) {
      const text = encode.line(lineOf(action, name, copied, source))
      held.set(name, text)
      hold(text)
    },

    copied: (action, name, copied, source) => add(lineOf(action, name, copied, source)),

    skipped({ name, source, destination: there }, why) {
      if (!there) return
      // The manifest of its range has what was there when that was done.
      if (head.ranges && (there.lastModifiedMs ?? 0) <= (doneMsOf(name) ?? 0) + SLACK_MS) return
      const before = held.get(name)
      // Its line of the run that dealt with it stays.
      if (earlier && !before && !isOpen(name)) return
      const { action, etag } = (before && decode(before)) ?? {}
      // The line of the run that copied it says more.
      const still = !etag || !there.etag || sameEtag(etag, there.etag)
      if (before && still && ['copy', 'move', 'skip'].includes(action)) return settle(name, before)
      add({ ...lineOf(why === 'earlier' ? 'copy' : 'skip', name, there, source), why })
    },

    deleted: name => add(lineOf('delete', name)),

    failed: (name, code) => add({ ...lineOf('failed', name), why: code }),

    flush: write,

    sync,

    async end(result) {
      if (ended) return
      if (result !== undefined) {
        if (earlier && (!begun || twice.size > 0)) {
          isOpen = () => false
          await takeOver()
        }
        for (const [name, text] of held) {
          const { action } = decode(text)
          // One that failed, and was not met again, is no longer at the source. What was about to be deleted may be there still.
          if (action !== 'failed' && (action !== 'delete' || result === 'done')) settle(name, text)
        }
      }
      ended = true
      const seals = result !== undefined && (lines > 0 || result === 'done')
      const time = new Date().toISOString()
      const seal = seals ? sealOf({ lines: tree.count(), root: tree.root(), result, time }, key) : undefined
      if (seal) waiting += `${encode.meta(seal)}\n`
      const written = await sync()
      for (const one of [file, heldFile]) if (one !== undefined) fs.closeSync(one)
      if (!written) throw trouble
      if (result === undefined) return
      fs.rmSync(heldPath, { force: true })
      // Nothing was done: the next command may take the name again.
      if (!seal) fs.rmSync(path, { force: true })
      return seal
    },
  }
}

module.exports = { openManifestOut }
