'use strict'

/** Turns the facts of a journal into the state of its job. */

const { XferError } = require('../errors')
const { VERSION } = require('./facts')

/** @typedef {import('../types').JournalEntry} JournalEntry */
/** @typedef {import('../types').JobState} JobState */
/** @typedef {import('./facts').Decoded} Decoded */

/** Large objects of which the copy is remembered: the times of others tell. */
const MOST_COPIES = 10_000
/** Of a range that is over: the first ones, of whose times the least is known. */
const MOST_OF_RANGE = 1_000
/** Facts of the log itself. */
const NO_NEWS = new Set(['claim', 'release', 'heartbeat', 'base'])
/** Facts about one upload. */
const OF_UPLOAD = new Set(['part', 'completing', 'completed', 'checked'])

/**
 * The newest fact wins. Its number decides, not its place in the file: lines in another order, or repeated lines, give the
 * same state. Two processes that wrote at once may use the same number: then the file's order counts.
 *
 * @param {Decoded} decoded
 * @param {string} path of the file, for the state
 * @returns {JobState}
 * @throws {XferError} BAD_JOURNAL
 */
function replay({ entries, damaged, other }, path) {
  if (other) throw new XferError('BAD_JOURNAL', { path, reason: 'another version of xfer wrote it' })
  const inOrder = entries.toSorted((one, other) => one.n - other.n)
  const first = inOrder.find(entry => entry.type === 'job')
  if (!first) {
    throw new XferError('BAD_JOURNAL', { path, reason: 'the line that says which job it is of is missing' })
  }
  const { id, at, source, destination, options } = first
  /** @type {JobState} */
  const state = { id, path, createdMs: at, updatedMs: at, source, destination, options, ...newObject(), damaged }
  for (const entry of inOrder) applyFact(state, entry)
  return state
}

/** The state of an object of which nothing is written yet. @returns {import('../types').ObjectState} */
function newObject() {
  return { left: [], parts: new Map() }
}

/**
 * Adds the next fact to the state of a job.
 *
 * @param {JobState} state changed
 * @param {JournalEntry} entry newer than all facts in it
 */
function applyFact(state, entry) {
  state.updatedMs = Math.max(state.updatedMs, entry.at)
  // It was about to end, and another run has begun.
  if (entry.type === 'claim') state.ending = undefined
  if (NO_NEWS.has(entry.type)) return
  if (entry.type === 'beside') {
    // Another job wrote it: how this one ended still holds.
    prefixOf(state).beside = true
    return
  }
  state.ended = undefined
  switch (entry.type) {
    case 'job': {
      const { id, source, destination, options } = entry
      Object.assign(state, { id, source, destination, options })
      break
    }
    case 'of': {
      const { objects } = prefixOf(state)
      const known = objects.get(entry.name) ?? newObject()
      objects.set(entry.name, known)
      applyObjectFact(known, entry.fact)
      break
    }
    case 'over': {
      const { objects, failed, unsure, copies } = prefixOf(state)
      for (const names of [objects, failed, unsure, copies]) names.delete(entry.name)
      if (entry.copy) copies.set(entry.name, entry.copy)
      if (copies.size > MOST_COPIES) copies.delete(/** @type {string} */ (copies.keys().next().value))
      break
    }
    case 'failed': {
      const { objects, failed, unsure } = prefixOf(state)
      failed.add(entry.name)
      if (entry.unsure) unsure.add(entry.name)
      if (leavesNothing(objects.get(entry.name))) objects.delete(entry.name)
      break
    }
    case 'ranges':
      // They belong to other ranges.
      delete prefixOf(state).doneRanges
      // Whoever looks at all of it again has joined what it was split in.
      state.split = undefined
      Object.assign(prefixOf(state), said(entry))
      break
    case 'waiting':
      state.waiting = true
      break
    case 'proved':
      state.proof = entry.proof
      break
    case 'told':
      state.told = said(entry)
      break
    case 'runner':
      state.runner = said(entry)
      break
    case 'split':
      state.split = entry.ranges
      break
    case 'sealed':
      state.sealed = entry.files
      break
    case 'within':
      state.within = entry.range
      break
    case 'finished':
      state.over = { atMs: entry.at, ...said(entry) }
      state.waiting = undefined
      break
    case 'ending':
    case 'ended':
      state.ending = undefined
      if (entry.type === 'ended') state.waiting = undefined
      state[entry.type] = { atMs: entry.at, ...said(entry) }
      break
    default:
      applyObjectFact(state, /** @type {import("../types").ObjectFact} */ (entry))
  }
}

/** The state of a job over a prefix. @param {JobState} state */
function prefixOf(state) {
  state.prefix ??= { objects: new Map(), failed: new Set(), unsure: new Set(), copies: new Map() }
  return state.prefix
}

/**
 * @param {import('../types').ObjectState} state changed
 * @param {import('../types').ObjectFact} entry
 */
function applyObjectFact(state, entry) {
  // What a fact says of an upload counts only for the current one.
  if ('upload' in entry && OF_UPLOAD.has(entry.type) && entry.upload !== state.upload?.id) return
  switch (entry.type) {
    case 'object':
      state.object = said(entry)
      // What is copied anew has to be proved anew.
      delete state.removing
      break
    case 'plan':
    case 'completing':
    case 'completed':
    case 'removing':
      Object.assign(state, { [entry.type]: said(entry) })
      break
    case 'creating':
      state.creatingMs = entry.atMs
      break
    case 'cleared':
      state.creatingMs = undefined
      break
    case 'upload':
      // A repeated fact names the same upload.
      if (state.upload && state.upload.id !== entry.id) {
        state.left = [...state.left, { id: state.upload.id }]
        forgetUpload(state)
      }
      state.left = state.left.filter(({ id }) => id !== entry.id)
      state.creatingMs = undefined
      state.upload = said(entry)
      break
    case 'part':
      state.parts.set(entry.partNumber, said(entry))
      break
    case 'checked':
      state.checked ??= new Set()
      state.checked.add(entry.partNumber)
      break
    case 'gone':
      if (entry.upload === state.upload?.id) forgetUpload(state)
      state.left = state.left.filter(({ id }) => id !== entry.upload)
      break
    case 'left':
      if (state.left.some(({ id }) => id === entry.upload)) break
      state.left = [...state.left, { id: entry.upload, ...said(entry) }]
      break
  }
}

/**
 * What a fact says, without what every line has and without the upload that it is of: facts.js lets only known fields pass.
 *
 * @param {any} entry
 * @returns {any}
 */
function said({ type: _type, n: _n, at: _at, upload: _upload, ...fields }) {
  return fields
}

/** All that a job copies, by name; the copy of a single object has none. @param {JobState} state @returns {Array<[name: string, object: import('../types').ObjectState]>} */
function objectsOf(state) {
  return [['', state], ...(state.prefix?.objects ?? [])]
}

/** Whether the destination can hold nothing of it except the object itself. @param {import('../types').ObjectState} [object] */
function leavesNothing(object) {
  return !object || (!object.upload && object.left.length === 0 && object.creatingMs === undefined)
}

/** @param {import('../types').ObjectState} state */
function forgetUpload(state) {
  Object.assign(state, { upload: undefined, completing: undefined, completed: undefined, checked: undefined })
  state.parts.clear()
}

/** Turns the state of a job back into facts, as few as possible. Pure. */

/** @typedef {import('../types').JournalFact} JournalFact */

/** @param {JobState} state @returns {JournalFact[]} the fact of the job itself first */
function factsOf(state) {
  const { id, source, destination, options, prefix, ending, ended, waiting, split, within, sealed, runner, told } =
    state
  /** @type {JournalFact[]} */
  const facts = [{ type: 'job', version: VERSION, id, source, destination, options }, ...factsOfObject(state)]
  if (prefix) facts.push(...factsOfPrefix(prefix))
  if (runner) facts.push({ type: 'runner', ...runner })
  if (told) facts.push({ type: 'told', ...told })
  if (within) facts.push({ type: 'within', range: within })
  if (sealed) facts.push({ type: 'sealed', files: sealed })
  if (split) facts.push({ type: 'split', ranges: split })
  if (ending) facts.push({ type: 'ending', ...ending })
  if (ended) facts.push({ type: 'ended', ...ended })
  if (waiting) facts.push({ type: 'waiting' })
  return facts
}

/**
 * What is kept of a job that is over, for people; of a range also what the joined job has to know.
 *
 * @param {JobState} state
 * @param {{ code: string, message: string }} [error] why it has ended
 * @returns {JournalFact[]}
 */
function lastFactsOf(state, error) {
  const { id, source, destination, options, object, plan, prefix, within, sealed, runner, proof, told } = state
  /** @type {JournalFact[]} */
  const facts = [{ type: 'job', version: VERSION, id, source, destination, options }]
  if (object) facts.push({ type: 'object', ...object })
  if (plan) facts.push({ type: 'plan', ...plan })
  if (prefix?.copied) facts.push({ type: 'ranges', ranges: [], copied: prefix.copied })
  if (within && prefix) {
    const copies = new Map([...prefix.copies].slice(0, MOST_OF_RANGE))
    facts.push(...factsOfPrefix({ ...prefix, copies, failed: prefix.unsure, objects: new Map(), ranges: undefined }))
  }
  if (sealed) facts.push({ type: 'sealed', files: sealed })
  if (runner) facts.push({ type: 'runner', ...runner })
  if (proof) facts.push({ type: 'proved', proof })
  if (told) facts.push({ type: 'told', ...told })
  return [...facts, { type: 'finished', ...(error && { code: error.code, message: error.message }) }]
}

/** @param {NonNullable<JobState['prefix']>} prefix @returns {import('../types').PrefixFact[]} */
function factsOfPrefix({ ranges, doneRanges, keptMs, copied, objects, failed, unsure, copies, beside, agesFromMs }) {
  /** @type {import('../types').PrefixFact[]} */
  const facts = beside ? [{ type: 'beside' }] : []
  // Before the objects: a failed one may have been started again.
  for (const [name, copy] of copies) facts.push({ type: 'over', name, copy })
  for (const name of failed) facts.push({ type: 'failed', name, ...(unsure.has(name) && { unsure: true }) })
  for (const [name, object] of objects) for (const fact of factsOfObject(object)) facts.push({ type: 'of', name, fact })
  if (ranges) facts.push({ type: 'ranges', ranges, doneRanges, keptMs, copied, agesFromMs })
  return facts
}

/** @param {import('../types').ObjectState} state @returns {import('../types').ObjectFact[]} */
function factsOfObject({ object, plan, left, upload, parts, completing, completed, checked, creatingMs, removing }) {
  /** @type {import('../types').ObjectFact[]} */
  const facts = []
  if (object) facts.push({ type: 'object', ...object })
  if (removing) facts.push({ type: 'removing', ...removing })
  if (plan) facts.push({ type: 'plan', ...plan })
  for (const { id, ...about } of left) facts.push({ type: 'left', upload: id, ...about })
  if (upload) {
    facts.push({ type: 'upload', ...upload })
    for (const part of parts.values()) facts.push({ type: 'part', upload: upload.id, ...part })
    if (completing) facts.push({ type: 'completing', upload: upload.id, ...completing })
    if (completed) facts.push({ type: 'completed', upload: upload.id, ...completed })
    for (const partNumber of checked ?? []) facts.push({ type: 'checked', upload: upload.id, partNumber })
  }
  // After the upload: that fact clears this one.
  if (creatingMs !== undefined) facts.push({ type: 'creating', atMs: creatingMs })
  return facts
}

module.exports = { replay, applyFact, leavesNothing, newObject, objectsOf, factsOf, lastFactsOf }
