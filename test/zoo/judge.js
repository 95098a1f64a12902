'use strict'

/**
 * The one invariant of the zoo, held against what both sides really have: with 0 the bytes, sizes and told attributes are right;
 * else what is there is what was there before, the copy, or what the message says; nothing is deleted that the source has, and
 * nothing is there that nobody wanted. Pure.
 */

const { MiB } = require('../soak/dice')
const { PREFIX } = require('./command')
const { lostOf, toldOf } = require('./told')

/**
 * @typedef {import('./draw').Script} Script
 * @typedef {import('../support/ends/s3-objects').Kept} Kept
 *
 * @typedef {object} Facts
 * @property {Map<string, Kept>} source as it is now, by name
 * @property {Map<string, Buffer[]>} rights by name: bytes that the copy may have; more than one where the source was replaced
 * @property {Map<string, Kept>} before what the destination had at first, by key
 * @property {Map<string, Kept>} [previous] what it had when a command ended that was judged: that one has told of it
 * @property {Map<string, Kept>} after what it has now, by key
 * @property {import('./command').Ended[]} commands that were run so far
 */

/** Errors that say that what is there is, or may be, no proved copy. */
const LEAVES = new Set(['NOT_READ_BACK', 'NOT_PROVED', 'NOT_THE_COPY', 'OUTCOME_UNKNOWN', 'OBJECT_CHANGED'])
/** Errors that end with what is there now, and the half sentences by which it is an object. */
const SAYS_WHAT_IS_THERE = new Set(['WRONG_COPY', 'INTEGRITY'])
const IS_THERE = /still there|left there|left alone|version before it/
const GONE_TOLD = /removed|deleted|nothing is|no object|not there|is gone|was gone/i

/** @param {Script} script @param {string} name @returns {string} the key at the destination */
function keyOf({ command }, name) {
  return command === 'copy' || command === 'verify' ? name : PREFIX.to + name
}

/** Found as its store finds it. @template V @param {Script} script @param {Map<string, V>} objects @param {string} key @returns {V | undefined} */
function find({ destination: { options } }, objects, key) {
  const exact = objects.get(key)
  if (exact !== undefined || options.foldNames === undefined) return exact
  const fold = (/** @type {string} */ text) =>
    options.foldNames === 'case' ? text.toLowerCase() : text.normalize('NFC')
  for (const [other, value] of objects) if (fold(other) === fold(key)) return value
  return undefined
}

/**
 * Whether a wrong object was told.
 *
 * @param {{ code?: string, message?: string }} error of the object; of the command where nothing was said of the object
 * @param {import('./command').Ended} ended
 */
function tellsWrong({ code = '', message = '' }, { events }) {
  if (LEAVES.has(code) || (SAYS_WHAT_IS_THERE.has(code) && IS_THERE.test(message))) return true
  return events.some(({ code: told, message: said }) => told === 'EARLIER_UPLOAD_WRONG' && IS_THERE.test(said))
}

/** Nothing was made of it since a command ended that has told of it. @param {Script} script @param {Facts} facts @param {string} key */
function isUntouched(script, { previous, after }, key) {
  if (previous === undefined) return false
  const [then, now] = [find(script, previous, key), find(script, after, key)]
  return then === now || (then !== undefined && now !== undefined && then.bytes.equals(now.bytes))
}

/** Whether no proof was asked for, and it has the size. @param {Script} script @param {Facts} facts @param {string} name @param {Kept} found */
function sizesAlone({ verify }, { rights }, name, found) {
  if (verify !== 'none' && verify !== 'size') return false
  return verify === 'none' || (rights.get(name) ?? []).some(({ length }) => length === found.bytes.length)
}

/** @param {Buffer} bytes @param {Buffer[]} list */
const isOne = (bytes, list) => list.some(other => other.equals(bytes))

/** Whether what the source keeps tells any other reading of it. @param {Script} script @param {string} name */
function isSure({ source, destination, oneStore, objects, chunk, server }, name) {
  const object = objects.find(one => one.name === name)
  const {
    md5Etags = true,
    md5Parts = md5Etags,
    checksums = true,
    checksumEcho = 'sent',
    checksumCheck = true,
  } = oneStore ? destination.options : source.options
  const sums = !server && checksums && (checksumCheck !== false || checksumEcho !== 'none')
  // The MD5 of a whole says nothing of its parts.
  const whole = md5Etags && (object?.bytes ?? 0) <= chunk * MiB
  if (object?.kind === 'put') return whole
  if (object?.kind === 'put-crc32') return whole || (sums && checksumEcho === 'sent')
  if (object?.kind === 'parts-full') return sums && (checksumCheck !== false || checksumEcho === 'sent')
  if (object?.kind === 'parts-composite') return sums && chunk === 5
  return md5Parts && chunk === 5
}

/** Whether a byte that the source sends is flipped. @param {Script} script */
function readsWrong({ source, destination, oneStore }) {
  const rules = oneStore ? destination.rules : source.rules
  return rules.some(({ operation, flipByteAt }) => operation === 'GetObject' && flipByteAt !== undefined)
}

/**
 * What is wrong with a copy that is said to be there.
 *
 * @param {Script} script
 * @param {Facts} facts
 * @param {string} name
 * @returns {string | undefined}
 */
function wrongWith(script, { rights, after, commands, source }, name) {
  const found = find(script, after, keyOf(script, name))
  const right = rights.get(name) ?? []
  const what = JSON.stringify(name)
  if (!found) return script.verify === 'none' && name.endsWith('/') ? undefined : `${what} is not there`
  if (script.verify === 'none') return undefined
  if (!right.some(bytes => bytes.length === found.bytes.length)) {
    return `${what} has ${found.bytes.length} bytes, the source ${right.map(bytes => bytes.length).join(' or ')}`
  }
  if (script.verify === 'size') return undefined
  const unsure = script.verify === 'auto' && readsWrong(script) && !isSure(script, name)
  if (!isOne(found.bytes, right)) return unsure ? undefined : `${what} has other bytes than the source`
  // Of a source that was replaced it is not known here which one was read.
  const skipped = script.command === 'sync' && !copied(commands).has(name)
  const now = script.change || skipped ? undefined : source.get(name)
  const lost = now && !script.destination.options.plainFiles ? lostOf(now, found, commands) : []
  return lost.length > 0 ? `${what} lost ${lost.join(', ')} without a word` : undefined
}

/**
 * After a command that ended by itself.
 *
 * @param {Script} script
 * @param {Facts} facts
 * @returns {string[]} what is wrong
 */
function judge(script, facts) {
  const { command } = script
  if (command !== 'verify' && facts.commands.length === 1 && facts.commands[0].status === 4) return judgeRefusal(facts)
  if (command === 'verify') return judgeVerify(script, facts)
  return command === 'copy' ? judgeObject(script, facts) : judgeTree(script, facts)
}

/** Who may not read back what is to be proved ends before the first visible write. @param {Facts} facts */
function judgeRefusal({ before, after, commands: [{ last }] }) {
  const same = (/** @type {string} */ key) => after.get(key)?.bytes.equals(/** @type {Kept} */ (before.get(key)).bytes)
  if (before.size === after.size && [...before.keys()].every(same)) return []
  return [`it ends with 4 after it has written: ${last?.code} ${last?.message}`]
}

/** @param {Script} script @param {Facts} facts */
function judgeVerify({ objects: [{ name }], source, destination }, { rights, after, commands }) {
  const { status } = commands[commands.length - 1]
  const found = after.get(name)
  const equal = found !== undefined && isOne(found.bytes, rights.get(name) ?? [])
  const flipped = [...source.rules, ...destination.rules].some(({ flipByteAt }) => flipByteAt !== undefined)
  if (status === 0 && !equal) return ['xfer verify says that different objects are equal']
  if (status === 8 && equal && !flipped) return ['xfer verify says that equal objects differ']
  return []
}

/** @param {Script} script @param {Facts} facts */
function judgeObject(script, facts) {
  const { condition, objects, destination } = script
  const [{ name }] = objects
  const { before, after, commands, rights } = facts
  const { status, last } = commands[commands.length - 1]
  const [old, found] = [find(script, before, name), find(script, after, name)]
  const wrong = strangers(script, facts)
  if (status === 0) {
    const blind = destination.options.conditions === false && destination.options.faults !== undefined
    const met = condition === 'none' || (condition === 'no-clobber' ? !old : condition === 'if-match' && old)
    if (!met && !blind) wrong.push(`it ends with 0 against ${condition}`)
    const fault = wrongWith(script, facts, name)
    return fault ? [...wrong, fault] : wrong
  }
  const told = toldOf([commands[commands.length - 1]])
  if (status === 7 && condition === 'none') wrong.push(`it ends with 7 without a condition: ${last?.message}`)
  if (isUntouched(script, facts, name)) return wrong
  if (!found) {
    if (old && !GONE_TOLD.test(told)) wrong.push(`what was there is gone, and the message is: ${told}`)
  } else if (!isOne(found.bytes, [...(rights.get(name) ?? []), ...(old ? [old.bytes] : [])])) {
    if (!sizesAlone(script, facts, name, found) && !tellsWrong(last ?? {}, commands[commands.length - 1]))
      wrong.push(`a wrong object is there (exit ${status}), and the message is: ${told}`)
  }
  return wrong
}

/** @param {Script} script @param {Facts} facts */
function judgeTree(script, facts) {
  const { before, after, commands, rights } = facts
  const ended = commands[commands.length - 1]
  const wrong = strangers(script, facts)
  const said = copied(commands)
  const failures = new Map(
    ended.events.filter(({ type }) => type === 'failure').map(failure => [failure.name, failure]),
  )
  for (const [name, right] of rights) {
    const [old, found] = [find(script, before, keyOf(script, name)), find(script, after, keyOf(script, name))]
    const failure = failures.get(name)
    if (ended.status === 0 || (said.has(name) && failure === undefined)) {
      const fault = wrongWith(script, facts, name)
      if (fault) wrong.push(`${fault} (exit ${ended.status})`)
      continue
    }
    if (isUntouched(script, facts, keyOf(script, name))) continue
    const told = failure ? `${failure.code} ${failure.message} ${failure.hint}` : toldOf([ended])
    if (!found) {
      if (old && !GONE_TOLD.test(told)) wrong.push(`${name}, which was there, is gone, and the message is: ${told}`)
    } else if (!isOne(found.bytes, [...right, ...(old ? [old.bytes] : [])])) {
      if (sizesAlone(script, facts, name, found) || tellsWrong(failure ?? ended.last ?? {}, ended)) continue
      wrong.push(`${name} is wrong there (exit ${ended.status}), and the message is: ${told}`)
    }
  }
  return wrong
}

/** What some command said it had copied, and has copied. @param {import('./command').Ended[]} commands @returns {Set<string>} names */
function copied(commands) {
  const events = commands.flatMap(one => one.events)
  return new Set(events.filter(({ type, action }) => type === 'object' && action === 'copy').map(({ name }) => name))
}

/** What is at the destination and should not be, or the other way round, beside the copies. @param {Script} script @param {Facts} facts */
function strangers(script, { before, after, rights, commands }) {
  const wrong = []
  const wanted = new Set([...rights.keys()].map(name => keyOf(script, name)))
  const known = new Map([...before, ...[...wanted].map(key => /** @type {[string, undefined]} */ ([key, undefined]))])
  for (const key of after.keys()) {
    if (find(script, new Map([...known.keys()].map(one => [one, true])), key) === undefined)
      wrong.push(`${JSON.stringify(key)} is there, which nobody wanted`)
  }
  const done = commands[commands.length - 1].status === 0
  for (const [key, { bytes }] of before) {
    if (find(script, new Map([...wanted].map(one => [one, true])), key)) continue
    const found = after.get(key)
    const deleted = script.deletes && key.startsWith(PREFIX.to)
    if (!found && !deleted) wrong.push(`${key}, which nobody touched, is gone`)
    if (found && deleted && done) wrong.push(`${key} is still there, though --delete ended with 0`)
    if (found && !found.bytes.equals(bytes)) wrong.push(`${key}, which nobody touched, has other bytes`)
  }
  return wrong
}

module.exports = { find, judge, keyOf }
