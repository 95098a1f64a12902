'use strict'

/**
 * The facts of a journal: the fields of each fact, and the shape of each field. Only fields of this table are written, and
 * everything that is read is checked against it, because a journal may come from anywhere.
 */

const { crc32 } = require('node:zlib')
const { isSums } = require('../../actions/copy-range/sums')
const { keptOptions } = require('../options')

/** @typedef {import('../types').JournalEntry} JournalEntry */
/** @typedef {(value: any) => unknown} Shape returns the checked value, or undefined when it does not fit */
/** @typedef {Record<string, Shape>} Fields */

const VERSION = 1

/** Larger than any count of a journal, and still exact when one is added. */
const MOST = 10 ** 15
/** The latest time that a Date can hold. */
const LAST_MS = 8.64e15

/** @type {Shape} */
const text = value => (typeof value === 'string' ? value : undefined)
/** @type {Shape} */
const name = value => (value === '' ? undefined : text(value))
/** @type {Shape} */
const flag = value => (typeof value === 'boolean' ? value : undefined)
/** @param {number} least @param {number} most @returns {Shape} */
const integer = (least, most) => value =>
  Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined
/** @type {Shape} */
const scalar = value => text(value) ?? (Number.isFinite(value) ? value : undefined)
/** @param {...string} values @returns {Shape} */
const oneOf =
  (...values) =>
  value =>
    values.includes(value) ? value : undefined
/** @param {Shape} shape @returns {Shape} */
const optional = shape => Object.assign((/** @type {any} */ value) => shape(value), { optional: true })
/** @param {Fields} fields @returns {Shape} */
const object = fields => value => pick(value, fields)

/** A list of texts, or texts by name. @type {Shape} */
const texts = value => {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value).every(one => typeof one === 'string') ? value : undefined
}

/** A flag: true, or absent. */
const YES = oneOf(/** @type {any} */ (true))
const bytes = integer(0, Number.MAX_SAFE_INTEGER)
const time = integer(0, LAST_MS)
/** Of a file, which may be from before 1970. @type {Shape} */
const anyTime = integer(-LAST_MS, LAST_MS)
/** @type {Shape} */
const amount = value => (Number.isFinite(value) && value >= 0 ? value : undefined)
/** @type {Shape} */
const sums = value => (isSums(value) ? value : undefined)

const END = object({ text, typed: optional(name), place: name })
/** Names after the first one, up to the second. */
const RANGE = object({ after: optional(text), until: optional(text) })

/** @param {Shape} shape @returns {Shape} */
const listOf = shape => value => {
  const list = Array.isArray(value) ? value.map(shape) : undefined
  return list?.includes(undefined) ? undefined : list
}

/** By the type of an option's value; `scalar` for all other types. @type {Partial<Record<import('../options/contract').Kind, Shape>>} */
const VALUES = {
  switch: flag,
  text,
  file: text,
  filter: listOf(object({ include: optional(text), exclude: optional(text) })),
  pairs: texts,
  list: listOf(text),
}

/** @param {import('../options/contract').OptionSpec} spec */
const shapeOf = ({ takes: { kind, choices } }) => optional(choices ? oneOf(...choices) : (VALUES[kind] ?? scalar))

/** @param {Array<import('../options/contract').OptionSpec>} specs @returns {Fields} */
const fieldsOf = specs => Object.fromEntries(specs.map(spec => [spec.name, shapeOf(spec)]))

/** The options of a copy that a resume needs. @type {Shape} */
const ofCopy = value => {
  const { job, select, side } = keptOptions()
  const fields = {
    ...fieldsOf(job),
    recursive: optional(oneOf('copy', 'sync')),
    select: optional(object(fieldsOf(select))),
    source: optional(object(fieldsOf(side))),
    destination: optional(object(fieldsOf(side))),
  }
  return pick(value, fields)
}

/** Facts about one object, by type. @type {Record<string, Fields>} */
const OF_OBJECT = {
  object: { bytes, etag: text, versionId: optional(text), lastModifiedMs: optional(anyTime) },
  plan: { route: oneOf('put', 'multipart'), partBytes: bytes, parts: integer(0, MOST) },
  creating: { atMs: time },
  cleared: {},
  upload: {
    id: name,
    checksums: flag,
    plain: optional(YES),
    checked: optional(YES),
    encrypted: optional(YES),
  },
  part: {
    upload: name,
    partNumber: integer(1, MOST),
    bytes,
    etag: text,
    sums,
    answered: optional(sums),
    server: optional(YES),
  },
  completing: { upload: name, sums: optional(sums) },
  completed: {
    upload: name,
    etag: text,
    versionId: optional(text),
    doubtful: optional(YES),
    contradiction: optional(text),
  },
  checked: { upload: name, partNumber: integer(1, MOST) },
  removing: { etag: text, versionId: optional(text), proof: listOf(name) },
  // '' is a canary whose creation was asked for.
  gone: { upload: text },
  left: { upload: text, canary: optional(YES) },
}

/** @type {Shape} */
const ofObject = value => {
  const fields = Object.hasOwn(OF_OBJECT, value?.type) ? OF_OBJECT[value.type] : undefined
  const fact = fields && pick(value, fields)
  return fact && { type: value.type, ...fact }
}

/** Facts about a job, by type. @type {Record<string, Fields>} */
const FACTS = {
  job: { version: oneOf(/** @type {any} */ (VERSION)), id: name, source: END, destination: END, options: ofCopy },
  ...OF_OBJECT,
  // Names are below the prefix, which itself is ''.
  of: { name: text, fact: ofObject },
  over: { name: text, copy: optional(object({ from: text, etag: text })) },
  beside: {},
  failed: { name: text, unsure: optional(flag) },
  ranges: {
    ranges: listOf(object({ id: integer(0, MOST), after: optional(text), until: optional(text) })),
    copied: optional(object({ objects: integer(0, MOST), bytes, deleted: optional(integer(1, MOST)) })),
    agesFromMs: optional(time),
    doneRanges: optional(listOf(object({ after: optional(text), until: optional(text), doneMs: time }))),
    keptMs: optional(time),
  },
  ending: { code: name, message: text, atMs: optional(time) },
  ended: { code: name, message: text, atMs: optional(time) },
  claim: { owner: name, pid: integer(1, MOST), host: text, processStart: optional(name), takes: optional(name) },
  release: { owner: name },
  heartbeat: { owner: name },
  // Only in a store: the first line of each segment of a base.
  base: { first: integer(1, MOST), of: integer(1, MOST) },
  waiting: {},
  proved: { proof: listOf(name) },
  told: {
    notices: listOf(object({ code: name, message: text })),
    failures: listOf(object({ name: text, code: name, message: text })),
  },
  runner: {
    engine: name,
    where: name,
    provider: optional(name),
    runs: integer(0, MOST),
    gbSeconds: amount,
    calls: optional(integer(0, MOST)),
    functionGbSeconds: optional(amount),
    progress: optional(name),
    idle: optional(integer(0, MOST)),
  },
  split: { ranges: listOf(RANGE) },
  within: { range: RANGE },
  sealed: { files: listOf(object({ file: name, lines: integer(0, MOST), root: name })) },
  finished: { code: optional(name), message: optional(text) },
}

/** Fields of every line. @type {Fields} */
const LINE = { n: integer(1, MOST), at: time }

/**
 * @param {any} value
 * @param {Fields} fields
 * @returns {any} only the known fields; undefined when a required one is missing or has another shape
 */
function pick(value, fields) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  /** @type {Record<string, unknown>} */
  const picked = {}
  for (const [key, shape] of Object.entries(fields)) {
    const found = Object.hasOwn(value, key) ? value[key] : undefined
    if (found === undefined && 'optional' in shape) continue
    picked[key] = shape(found)
    if (picked[key] === undefined) return undefined
  }
  return picked
}

/**
 * The fact with only the fields that are written.
 *
 * @param {JournalEntry} entry
 * @returns {JournalEntry}
 * @throws {TypeError} when it is no valid fact: what could not be read again must not be written
 */
function writableFact(entry) {
  const { entry: writable } = readFact(entry)
  if (!writable) throw new TypeError(`A journal has no fact of this kind or shape: ${entry.type}.`)
  return writable
}

/**
 * @param {any} value of a line
 * @returns {{ entry?: JournalEntry, other?: boolean, damaged?: boolean }} empty for a kind of fact that other versions may know
 */
function readFact(value) {
  const line = pick(value, LINE)
  if (line === undefined || typeof value.type !== 'string') return { damaged: true }
  if (!Object.hasOwn(FACTS, value.type)) return {}
  if (value.type === 'job' && Number.isSafeInteger(value.version) && value.version !== VERSION) return { other: true }
  const fact = pick(value, FACTS[value.type])
  if (fact === undefined) return { damaged: true }
  return { entry: { ...line, type: value.type, ...fact } }
}

/**
 * The lines of a journal: `<CRC-32 of the JSON, 8 hex digits> <JSON>\n`. what a fact may have in it is checked below.
 */

/**
 * @typedef {object} Decoded
 * @property {JournalEntry[]} entries in the file's order
 * @property {number} damaged lines that cannot be read
 * @property {boolean} other whether a line says that another version of xfer wrote the journal
 * @property {boolean} whole whether it ends with a line end or is empty
 * @property {number} bytes how many were read
 * @property {boolean} [cut] only the beginning was read
 * @property {number} [silentMs] since the last of it was written, by the clock of the store that has it; absent: of a file
 */

const LINE_END = 0x0a
/** Length of the checksum and the blank after it. */
const HEAD_BYTES = 9

/** @param {JournalEntry} entry @returns {string} with its line end */
function encodeLine(entry) {
  const json = JSON.stringify(entry)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

/**
 * Never throws, whatever the bytes are. A last line without a line end counts if its checksum is right. Otherwise it is
 * ignored: the writer was killed while it wrote the line.
 *
 * @param {Buffer} bytes a journal, or the beginning of one
 * @returns {Decoded}
 */
function decodeLines(bytes) {
  const whole = bytes.length === 0 || bytes.at(-1) === LINE_END
  /** @type {Decoded} */
  const decoded = { entries: [], damaged: 0, other: false, whole, bytes: bytes.length }
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    start += line.length + 1
    if (line.length === 0) continue
    const fact = readFact(decodeLine(line))
    if (fact.entry) decoded.entries.push(fact.entry)
    else if (fact.other) decoded.other = true
    else if (fact.damaged && end >= 0) decoded.damaged++
  }
  return decoded
}

/** @param {Buffer} line @returns {unknown} undefined when the line is damaged */
function decodeLine(line) {
  const sum = /^([0-9a-f]{8}) $/.exec(line.toString('latin1', 0, HEAD_BYTES))
  const json = line.subarray(HEAD_BYTES)
  if (!sum || Number.parseInt(sum[1], 16) !== crc32(json)) return undefined
  try {
    return JSON.parse(json.toString())
  } catch {
    return undefined
  }
}

module.exports = { readFact, writableFact, VERSION, encodeLine, decodeLines }
