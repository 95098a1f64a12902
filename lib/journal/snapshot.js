'use strict'

/** Turns the state of a job back into facts, as few as possible. Pure. */

const { VERSION } = require('./facts')

/** @typedef {import('../types').JobState} JobState */
/** @typedef {import('../types').JournalFact} JournalFact */

/** @param {JobState} state @returns {JournalFact[]} the fact of the job itself first */
function factsOf(state) {
  const { id, source, destination, options, prefix, ending, ended } = state
  return [
    { type: 'job', version: VERSION, id, source, destination, options },
    ...factsOfObject(state),
    ...(prefix ? factsOfPrefix(prefix) : []),
    ...(ending ? [{ type: /** @type {const} */ ('ending'), ...ending }] : []),
    ...(ended ? [{ type: /** @type {const} */ ('ended'), ...ended }] : []),
  ]
}

/** @param {NonNullable<JobState['prefix']>} prefix @returns {import('../types').PrefixFact[]} */
function factsOfPrefix({ ranges, copied, done, objects, failed, unsure, beside, agesFromMs }) {
  return [
    ...(beside ? [{ type: /** @type {const} */ ('beside') }] : []),
    // Before the objects: a failed one may have been started again.
    ...Array.from(failed, name => ({
      type: /** @type {const} */ ('failed'),
      name,
      ...(unsure?.has(name) && { unsure: /** @type {const} */ (true) }),
    })),
    ...[...objects].flatMap(([name, object]) =>
      factsOfObject(object).map(fact => ({ type: /** @type {const} */ ('of'), name, fact })),
    ),
    ...(ranges
      ? [
          {
            type: /** @type {const} */ ('ranges'),
            ranges,
            ...(copied && { copied }),
            ...(agesFromMs && { agesFromMs }),
            ...(done && { done }),
          },
        ]
      : []),
  ]
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

module.exports = { factsOf }
