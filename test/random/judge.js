'use strict'

/**
 * The invariant, held against what both places really have after each command that ended by itself. With 0 the bytes, sizes and
 * attributes are right, and nothing is left untold. Else the destination has what was there before, the copy, or what the message
 * says. Nothing is deleted that the source has, and nothing is there that nobody wanted. Pure.
 */

const { PREFIX } = require('./draw')

/**
 * @typedef {import('./draw').Script} Script
 * @typedef {import('../support/ends/s3-objects').Kept} Kept
 *
 * @typedef {object} Facts
 * @property {Map<string, Kept>} was the source at first, by name
 * @property {Map<string, Kept>} now likewise
 * @property {Map<string, Buffer[]>} rights by name: bytes that the copy may have; more than one where the source was replaced
 * @property {Map<string, Kept>} before what the destination had at first, by key
 * @property {Map<string, Kept>} [previous] what it had when the command before ended: that one has told of it, or was killed
 * @property {Map<string, Kept>} after what it has now
 * @property {{ id: string, key: string }[]} uploads unfinished ones at the destination
 * @property {string[]} jobs files that are left of them
 * @property {import('./run').Ended[]} commands that were run so far
 * @property {{ source: import('./world').Kind, destination: import('./world').Kind }} kinds
 */

/** Errors that say that what is there is, or may be, no proved copy. */
const LEAVES = new Set([
  'NOT_READ_BACK',
  'NOT_PROVED',
  'OUTCOME_UNKNOWN',
  'OBJECT_CHANGED',
  'INTERRUPTED',
  // Such a job goes on when it is resumed, as one that was interrupted.
  'STUCK',
])
/** Errors that end with what is there now, and the half sentences by which it is an object, an object without a proof, or none. */
const SAYS_WHAT_IS_THERE = new Set(['WRONG_COPY', 'INTEGRITY'])
const IS_THERE = /still there|left there|left alone|version before it/
const UNPROVED = /of \d+ objects? it is not proved that the copy is right/
const IS_GONE = /removed|deleted|nothing is|no object|not there|is gone|was gone/i

/** @param {Script} script @param {string} name @returns {string} the key at the destination */
const keyOf = ({ single }, name) => (single ? name : PREFIX.to + name)

/** @param {Buffer} bytes @param {Buffer[]} list */
const isOne = (bytes, list) => list.some(other => other.equals(bytes))

/** All sentences. @param {import('./run').Ended[]} commands @returns {string} */
function toldOf(commands) {
  const texts = commands.flatMap(({ events, stderr }) => [
    ...events.flatMap(({ message, hint, notices = [] }) => [message, hint, ...notices]),
    stderr,
  ])
  return texts.filter(text => typeof text === 'string' && text !== '').join(' | ')
}

/** What some command said it had copied, and has copied. @param {import('./run').Ended[]} commands @returns {Set<string>} names */
function copiedOf(commands) {
  const events = commands.flatMap(one => one.events)
  return new Set(events.filter(({ type, action }) => type === 'object' && action === 'copy').map(({ name }) => name))
}

/** @param {Script} script @param {Facts} facts @returns {string[]} what is wrong */
function judge(script, facts) {
  const ended = facts.commands[facts.commands.length - 1]
  const objects = script.command === 'verify' ? judgeVerify(script, facts, ended) : judgeObjects(script, facts, ended)
  return [
    ...judgeEnd(script, ended, facts),
    ...objects,
    ...strangers(script, facts, ended),
    ...losses(script, facts),
    ...leftovers(facts, ended),
  ]
}

/** Whether the destination answers some write well, and keeps nothing or something else. @param {Script} script */
const hasLies = ({ faults }) => faults.destination.some(({ keeps }) => keeps !== undefined)

/** @param {Script} script */
const hasFlips = ({ faults }) =>
  [...faults.source, ...faults.destination].some(({ flipByteAt }) => flipByteAt !== undefined)

/** @param {Script} script @param {import('./run').Ended} ended @param {Facts} facts */
function judgeEnd(script, { status, last, stdout, stderr }, { kinds, before }) {
  const { condition, engine, faults, change, chain } = script
  const wrong = []
  if (/^\s+at .+:\d+:\d+/m.test(`${stdout}${stderr}`)) wrong.push(`it printed a stack trace: ${stderr}`)
  const odd = /"(?:message|hint)":"[^"]*(\bundefined\b|\bNaN\b|\[object )/.exec(stdout)
  if (odd) wrong.push(`it printed ${odd[1]}: ${odd[0]}`)
  if (last?.code === 'INTERNAL') wrong.push(`it failed inside: ${last.message}`)
  if (status === 0 && last?.type !== 'done') wrong.push('it ends with 0 and without "done"')
  const may = new Set([0, 1, 130, 143])
  const mayFail = kinds.source.mayFail || kinds.destination.mayFail || hasLies(script)
  if (script.command === 'verify' || hasFlips(script) || mayFail) may.add(8)
  if (condition !== 'none') may.add(7)
  if (change || hasLies(script)) may.add(6)
  if (mayFail) may.add(4)
  // A store that keeps no PUTs has not kept what was to be verified.
  if (mayFail && script.command === 'verify') may.add(3)
  if (engine !== 'local' && (chain?.faults ?? faults.platform).length > 0) may.add(5)
  if (last?.code !== 'NO_SUCH_JOB' && !may.has(status ?? -1))
    wrong.push(`it ends with ${status}: ${last?.code} ${last?.message} ${last?.hint}`)
  const isMet = condition === 'none' || (condition === 'no-clobber' ? before.size === 0 : condition === 'if-match')
  if (status === 0 && !isMet) wrong.push(`it ends with 0 against ${condition}`)
  return wrong
}

/** @param {Script} script @param {Facts} facts @param {import('./run').Ended} ended */
function judgeVerify(script, { rights, after }, { status }) {
  const [[name, right]] = rights
  const found = after.get(name)
  const isEqual = found !== undefined && isOne(found.bytes, right)
  if (status === 0 && !isEqual) return ['xfer verify says that different objects are equal']
  if (status === 8 && isEqual && !hasFlips(script)) return ['xfer verify says that equal objects differ']
  return []
}

/** @param {Script} script @param {Facts} facts @param {import('./run').Ended} ended */
function judgeObjects(script, facts, ended) {
  const { before, previous, after, commands, rights } = facts
  const said = copiedOf(commands)
  const failures = new Map(ended.events.filter(({ type }) => type === 'failure').map(one => [one.name, one]))
  const wrong = []
  for (const [name, right] of rights) {
    const key = keyOf(script, name)
    const [old, found, failure] = [before.get(key), after.get(key), failures.get(name)]
    if (ended.status === 0 || (said.has(name) && !failure)) {
      const fault = wrongWith(script, facts, name, !script.command.startsWith('sync') || said.has(name))
      if (fault) wrong.push(`${fault} (exit ${ended.status})`)
      continue
    }
    // What its store keeps against its own word is told, and stays.
    if (hasLies(script)) continue
    const then = previous?.get(key)
    if (previous && (then === found || (then && found && then.bytes.equals(found.bytes)))) continue
    const error = failure ?? ended.last ?? {}
    const told = `${error.code} ${error.message} ${error.hint}`
    const saysWhatIsThere = SAYS_WHAT_IS_THERE.has(error.code)
    if (!found) {
      const isTold = (saysWhatIsThere || LEAVES.has(error.code)) && IS_GONE.test(told)
      if (old && !isTold) wrong.push(`${name}, which was there, is gone, and the message is: ${told}`)
    } else if (!isOne(found.bytes, [...right, ...(old ? [old.bytes] : [])])) {
      const isEarlier = ended.events.some(one => one.code === 'EARLIER_UPLOAD_WRONG' && IS_THERE.test(one.message))
      const isTold =
        LEAVES.has(error.code) || (saysWhatIsThere && IS_THERE.test(told)) || UNPROVED.test(told) || isEarlier
      if (!isTold) wrong.push(`${name} is wrong there (exit ${ended.status}), and the message is: ${told}`)
    }
  }
  return wrong
}

/** @param {Script} script @param {Facts} facts @param {string} name of a copy that is said to be there @param {boolean} isNew */
function wrongWith(script, { rights, was, after, commands, kinds }, name, isNew) {
  const found = after.get(keyOf(script, name))
  const right = rights.get(name) ?? []
  const what = JSON.stringify(name)
  if (!found) return `${what} is not there`
  if (!isOne(found.bytes, right)) {
    const sizes = right.map(({ length }) => length).join(' or ')
    return `${what} has other bytes than the source, ${found.bytes.length} and not ${sizes}`
  }
  // Of a source that was replaced nobody knows here which one was read.
  if (right.length > 1 || !isNew || kinds.destination.local) return undefined
  const lost = lostOf(/** @type {Kept} */ (was.get(name)), found, toldOf(commands))
  return lost.length > 0 ? `${what} lost ${lost.join(', ')} without a word` : undefined
}

/** Attributes of the source that the copy has not, and of which nothing was told. @param {Kept} source @param {Kept} copy @param {string} told */
function lostOf(source, copy, told) {
  /** @type {string[]} */
  const lost = []
  for (const name of new Set([...Object.keys(source.headers), ...Object.keys(copy.headers)])) {
    const [had, has] = [source.headers[name], copy.headers[name]]
    // What a store says where nothing was said differs from store to store.
    if (had === has || (name === 'content-type' && (had === undefined || /octet-stream/.test(had)))) continue
    if (!new RegExp(name, 'i').test(told)) lost.push(`${name} "${had}" (it has "${has}")`)
  }
  const user = Object.entries(source.user).filter(([name, value]) => copy.user[name] !== value)
  if (user.length > 0 && !/metadata/i.test(told)) lost.push(`user metadata ${user.map(([name]) => name).join(', ')}`)
  const tags = new Map(copy.tags)
  const gone = source.tags.filter(([name, value]) => tags.get(name) !== value).map(([name]) => name)
  if (gone.length > 0 && !/\btags?\b/i.test(told)) lost.push(`the tags ${gone.join(', ')}`)
  return lost
}

/** What is at the destination beside the copies and should not be, or the other way round. @param {Script} script @param {Facts} facts @param {import('./run').Ended} ended */
function strangers(script, { before, after, rights }, { status }) {
  const wrong = []
  const wanted = new Set([...rights.keys()].map(name => keyOf(script, name)))
  for (const key of after.keys())
    if (!wanted.has(key) && !before.has(key)) wrong.push(`${JSON.stringify(key)} is there, which nobody wanted`)
  for (const [key, { bytes }] of before) {
    if (wanted.has(key)) continue
    const found = after.get(key)
    const isDeleted = script.deletes && key.startsWith(PREFIX.to)
    if (!found && !isDeleted) wrong.push(`${key}, which nobody touched, is gone`)
    if (found && isDeleted && status === 0) wrong.push(`${key} is still there, though --delete ended with 0`)
    if (found && !found.bytes.equals(bytes)) wrong.push(`${key}, which nobody touched, has other bytes`)
  }
  return wrong
}

/** What the source lacks: of a move what the destination has. @param {Script} script @param {Facts} facts */
function losses(script, { was, now, after, rights, commands }) {
  const wrong = []
  for (const name of was.keys()) {
    const copy = after.get(keyOf(script, name))
    const isMoved = script.command === 'mv -r' && copy && isOne(copy.bytes, rights.get(name) ?? [])
    if (!now.has(name) && !isMoved) wrong.push(`${name} is gone from the source`)
  }
  const { status } = commands[commands.length - 1]
  // Written anew after it was moved.
  const isNew = (/** @type {string} */ name) => {
    const copy = after.get(keyOf(script, name))
    return copy !== undefined && isOne(copy.bytes, (rights.get(name) ?? []).slice(0, -1))
  }
  const stayed = [...now.keys()].filter(name => !script.change || !isNew(name))
  if (script.command === 'mv -r' && status === 0 && stayed.length > 0)
    wrong.push(`a move ends with 0, and ${stayed.join(', ')} is still at the source`)
  return wrong
}

/** @param {Facts} facts @param {import('./run').Ended} ended */
function leftovers({ uploads, jobs, commands }, { status, last }) {
  const told = toldOf(commands)
  const wrong = []
  if (status === 0 && jobs.length > 0) wrong.push(`of jobs there is left: ${jobs.join(', ')}`)
  const isTold =
    status === 0 ? /upload/i.test(told) : last?.job !== undefined || /xfer (resume|abort|clean)|upload/.test(told)
  if (uploads.length > 0 && !isTold) wrong.push(`${uploads.length} uploads are left (exit ${status}), untold`)
  return wrong
}

/**
 * Whether it has to end with 0 where nothing goes wrong on the wires.
 *
 * @param {Script} script
 * @param {Pick<Facts, 'kinds' | 'before'>} facts
 */
function mustSucceed({ command, condition, change, equal }, { kinds, before }) {
  if (change || kinds.source.mayFail || kinds.destination.mayFail) return false
  if (command === 'verify') return equal
  if (condition === 'if-match-other' || (condition === 'no-clobber' && before.size > 0)) return false
  return condition !== 'if-match' || before.size > 0
}

module.exports = { judge, keyOf, mustSucceed, toldOf }
