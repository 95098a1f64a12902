'use strict'

const path = require('node:path')
const { openJournal } = require('../common/journal')
const { compareUtf8 } = require('../common/utf8')

/**
 * The containers and what they hold, in memory, and a journal with one line for each change. A store that is opened on the
 * same folder starts from the journal. Each change is one synchronous step, so that requests never see half of it.
 *
 * @typedef {import('./types').Container} Container
 * @typedef {import('./types').Entry} Entry
 * @typedef {import('./types').Block} Block
 * @typedef {import('./types').Segment} Segment
 *
 * @param {string} folder
 * @param {import('../common/blobs').Blobs} blobs
 */
function openCatalog(folder, blobs) {
  /** @type {Map<string, Container>} */
  const containers = new Map()
  /** Names in the order of their UTF-8 bytes, sorted when a listing needs them. @type {WeakMap<Container, string[]>} */
  const sorted = new WeakMap()

  /** @type {Record<string, (change: any) => void>} */
  const changes = {
    container({ container }) {
      const entries = containers.get(container.name)?.entries ?? new Map()
      containers.set(container.name, { ...container, entries })
    },
    noContainer({ name }) {
      for (const entry of containers.get(name)?.entries.values() ?? []) release(segmentsOf(entry))
      containers.delete(name)
    },
    // Blocks have lines of their own, so that one line is written for each block and not one for all so far.
    entry({ container: name, entry: { blocks, ...facts } }) {
      const container = containerOf(name)
      const old = container.entries.get(facts.name)
      const uncommitted = blocks === 'kept' ? (old?.uncommitted ?? new Map()) : new Map()
      show(container, { ...facts, uncommitted })
      if (old) release(segmentsOf(old))
    },
    block({ container: name, name: key, block, atMs }) {
      const container = containerOf(name)
      const entry = container.entries.get(key) ?? emptyEntry(key)
      if (!container.entries.has(key)) sorted.delete(container)
      container.entries.set(key, entry)
      retain(block.segments)
      release(entry.uncommitted.get(block.id)?.segments ?? [])
      entry.uncommitted.set(block.id, block)
      entry.lastBlockMs = atMs
    },
  }

  /** @param {string} name */
  function containerOf(name) {
    return /** @type {Container} */ (containers.get(name))
  }

  /** @param {Container} container @param {Entry} entry */
  function show(container, entry) {
    retain(segmentsOf(entry))
    const empty = !entry.current && entry.uncommitted.size + entry.versions.length === 0
    if (container.entries.has(entry.name) === empty) sorted.delete(container)
    if (empty) container.entries.delete(entry.name)
    else container.entries.set(entry.name, entry)
  }

  /** @param {Segment[]} segments */
  function retain(segments) {
    for (const segment of segments) if ('blob' in segment) blobs.retain(segment.blob)
  }

  /** @param {Segment[]} segments */
  function release(segments) {
    for (const segment of segments) if ('blob' in segment) blobs.release(segment.blob)
  }

  const { record, close } = openJournal(path.join(folder, 'journal.ndjson'), changes)

  return {
    containers,
    retain,
    release,
    /** Adds a container, or changes its facts. @param {Omit<Container, 'entries'>} container */
    putContainer: container => record('container', { container }),
    /** @param {string} name */
    removeContainer: name => record('noContainer', { name }),
    /**
     * Replaces what a name stands for.
     *
     * @param {string} container
     * @param {Omit<Entry, 'uncommitted'>} entry
     * @param {'kept' | 'dropped'} blocks what becomes of its uncommitted blocks
     */
    putEntry(container, entry, blocks) {
      const { uncommitted: _, ...facts } = /** @type {Entry} */ (entry)
      record('entry', { container, entry: { ...facts, blocks } })
    },
    /** @param {string} container @param {string} name @param {Block} block @param {number} atMs */
    putBlock: (container, name, block, atMs) => record('block', { container, name, block, atMs }),
    /** @param {Container} container @returns {string[]} in the order of lists */
    names(container) {
      let names = sorted.get(container)
      if (!names) {
        names = [...container.entries.keys()].sort(compareUtf8)
        sorted.set(container, names)
      }
      return names
    },
    close,
  }
}

/** @param {string} name @returns {Entry} */
function emptyEntry(name) {
  return { name, versions: [], uncommitted: new Map(), lastBlockMs: 0 }
}

/** All bytes that a name holds. @param {Entry} entry */
function segmentsOf({ current, versions, uncommitted }) {
  const blobs = [...(current ? [current] : []), ...versions]
  return [...blobs, ...uncommitted.values()].flatMap(({ segments }) => segments)
}

/** @typedef {ReturnType<typeof openCatalog>} Catalog */

module.exports = { emptyEntry, openCatalog }
