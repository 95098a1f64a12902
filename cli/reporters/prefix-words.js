'use strict'

/** The texts of a copy of a prefix that differ from those of a copy of one object. */

const {
  PROOFS,
  atOnce,
  endpointsLine,
  limitsLine,
  movedOf,
  outcomeOf,
  paceOf,
  proofLines,
  shownName,
} = require('./copy-words')
const { counted, formatBytes, formatCount, formatDuration, plural } = require('../format')

/** @typedef {import('../../lib/types').PrefixEvent} PrefixEvent */
/** @typedef {Extract<PrefixEvent, { type: 'plan' }>} PrefixPlanEvent */
/** @typedef {Extract<PrefixEvent, { type: 'object' }>} ObjectEvent */
/** @typedef {Extract<PrefixEvent, { type: 'done' }>} PrefixDoneEvent */

/** @param {PrefixPlanEvent} plan @param {Pick<import('../format').Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const what = plan.recursive === 'sync' ? 'what differs' : 'all of it'
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} ${signs.to} ${plan.destination}, ${what}, ${atOnce(plan)}`,
    ...endpointsLine(plan),
    ...limitsLine(plan),
  ]
}

/** The reasons of a dry run. `size` is told apart: see `reasonOf`. @type {Record<string, string>} */
const REASONS = {
  new: 'new',
  newer: 'newer at the source',
  time: 'a time is unknown',
  content: 'the contents differ',
  etag: 'the ETags and checksums of both cannot be compared',
  near: 'the times are too close to tell, and nothing shows that both are equal',
  extra: 'not at the source',
  exists: 'is there, and --ignore-existing leaves it alone',
  'newer-there': 'is newer at the destination, and --update leaves it alone',
  older: 'the same size, and not newer at the source',
  'same-size': 'the same size',
  'same-etag': 'the same ETag',
  'same-content': 'the same contents',
  'same-time': 'the same size, and the same time',
  'other-time': 'another modification time',
  'named-twice': 'is named twice, and under way',
  folder: 'marks the prefix as a folder; its key at the destination would be empty',
  'made-folder': 'an empty object that marks a folder, which is made',
  'folder-mark': 'marks a folder, and the other side has no such marks',
  filtered: 'left out by a filter',
  earlier: 'an earlier run of the job has copied it',
}

/** @param {ObjectEvent} event @returns {string[]} none for a copy of everything */
function reasonOf({ why = 'all', bytes = 0, bytesThere, newerThere }) {
  const replaces = newerThere ? ['replaces a newer one'] : []
  if (why === 'all') return replaces
  if (why !== 'size' || bytesThere === undefined) return [REASONS[why] ?? why, ...replaces]
  const size = bytes > bytesThere ? 'larger' : 'smaller'
  return [`${size} than what is there, ${formatBytes(bytesThere)}`, ...replaces]
}

/** @type {Record<ObjectEvent['action'], string>} */
const DONE = { copy: 'copied', move: 'moved', delete: 'deleted', skip: 'skipped', gone: 'gone' }

/**
 * In a dry run all objects, those to skip only with `--verbose`. Else what was deleted or is gone, and with `--verbose` what
 * was copied.
 *
 * @param {ObjectEvent} event
 * @param {{ dryRun?: boolean, verbose?: boolean, plan?: { source?: string, destination?: string } }} how plan: its places
 * @returns {string | undefined}
 */
function objectLine(event, { dryRun = false, verbose = false, plan = {} }) {
  const { action, bytes } = event
  const name = shownName(event.name)
  // As other tools print it.
  if (action === 'move')
    return `${dryRun ? '(dryrun) ' : ''}move: ${plan.source}${event.name} to ${plan.destination}${event.name}`
  if (action === 'gone') return `gone ${name} (deleted at the source since it was listed)`
  if (!verbose && (dryRun ? action === 'skip' : action === 'copy')) return undefined
  const facts = [...(bytes === undefined ? [] : [formatBytes(bytes)]), ...(dryRun ? reasonOf(event) : [])]
  return `${dryRun ? action : DONE[action]} ${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
}

/** @param {PrefixDoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines(done) {
  if (done.dryRun) return [dryRunLine(done)]
  const { source, destination } = done
  const { copied, skipped, filtered, gone = 0, earlier = 0, deleted } = done.objects
  const rest = counted({
    'done by earlier runs': earlier,
    skipped: skipped - gone - earlier,
    'filtered out': filtered,
    'gone from the source': gone,
    'deleted at the destination': deleted,
  }).join(', ')
  const ends = `from ${source} to ${destination}`
  const last =
    copied > 0
      ? `${done.move ? 'Moved' : 'Copied'} ${plural(copied, 'object')} with ${movedOf(done)} ${ends} ${paceOf(done)}${rest && `, ${rest}`}: ${outcomeOf(Object.keys(done.proof))}.`
      : `${done.move ? 'Moved' : 'Copied'} no object ${ends} in ${formatDuration(done.elapsedMs)}${rest && `: ${rest}`}.`
  return [
    ...(done.byStore ? [`${formatCount(done.byStore)} of them were copied by the store itself.`] : []),
    ...proofLines(proofsOf(done.proof, copied)),
    ...(done.pinnedByTime ? [pinnedLine(done.pinnedByTime)] : []),
    ...(done.uncompared ? [uncomparedLine(done.uncompared)] : []),
    ...(done.heldBack ? [done.heldBack.message] : []),
    last,
  ]
}

/** @param {Record<string, number>} proof @param {number} copied @returns {string[]} a clause each */
function proofsOf(proof, copied) {
  return Object.entries(proof).map(
    ([each, many]) => PROOFS[/** @type {keyof typeof PROOFS} */ (each)] + shareOf(many, Math.max(many, copied)),
  )
}

/** An object may have several proofs, so their numbers do not add up. @param {number} many @param {number} all */
function shareOf(many, all) {
  if (all === 1) return ''
  return many === all ? ` (all ${formatCount(all)})` : ` (${formatCount(many)} of ${formatCount(all)})`
}

/** @param {PrefixDoneEvent} done */
function dryRunLine({ move, source, destination, objects: { chosen, skipped, filtered, deleted }, bytes }) {
  const what = chosen === 0 ? 'no object' : `${plural(chosen, 'object')} with ${formatBytes(bytes)}`
  const rest = [
    ...(deleted > 0 ? [`delete ${formatCount(deleted)}`] : []),
    ...(filtered > 0 ? [`filter out ${formatCount(filtered)}`] : []),
  ]
  const others = `${rest.map(each => ` ${each},`).join('')} and skip ${formatCount(skipped)}`
  return `Would ${move ? 'move' : 'copy'} ${what} from ${source} to ${destination},${others}.`
}

/** @param {number} many */
function pinnedLine(many) {
  const [whose, they] = many === 1 ? ['its', 'it'] : ['their', 'they']
  return `No ETag could be compared of ${plural(many, 'object')}: that ${they} did not change meanwhile is known by ${whose} Last-Modified and size.`
}

/** @param {number} many */
function uncomparedLine(many) {
  const whose = `The source has no checksum of ${plural(many, 'object')}`
  return `${whose} to compare with what was read; --verify full reads ${many === 1 ? 'it' : 'them'} a second time.`
}

module.exports = { planLines, objectLine, proofsOf, doneLines }
