'use strict'

/** What a run of the soak copies, where it is all that lies below a prefix. */

const { all } = require('../support/stores')
const { contentOf, read, sha256, write } = require('./content')
const { insist, provedOfPrefix } = require('./proved')

/** @typedef {import('./tasks').Task} Task */

const PREFIX = { from: 'from/', to: 'to/' }
/** What lies beside the prefixes, and is nobody's business. A file system has no `to` beside `to/`. */
const BESIDE_FILES = ['to0', 'tn/x']
const BESIDE = ['to', ...BESIDE_FILES]

/** @param {import('./draw').Script} script @param {string} seed @param {import('./tasks').Text} text @returns {Task} */
function prefixTask({ tree, sourceChecksum, flags, checks }, seed, text) {
  const { mode, deletes, source, destination, later, files } = /** @type {import('./draw-tree').Tree} */ (tree)
  const first = new Map(source.map(({ name, bytes }) => [name, contentOf(bytes, `${seed}/${name}`)]))
  const before = new Map(destination.map(({ name, bytes }) => [name, contentOf(bytes, `${seed}/before/${name}`)]))
  const afterwards = new Map(
    later.map(({ name, bytes }) => [name, bytes === undefined ? undefined : contentOf(bytes, `${seed}/later/${name}`)]),
  )
  const beside = files ? BESIDE_FILES : BESIDE
  let changed = false

  /** What the source has now. @param {string} name */
  const now = name => (changed && afterwards.has(name) ? afterwards.get(name) : first.get(name))

  /** What there may be at the destination in the end; undefined: nothing. @param {string} name @returns {Array<Buffer | undefined>} */
  function right(name) {
    const content = now(name)
    if (!first.has(name)) return [deletes ? undefined : before.get(name)]
    // Nobody looks at it twice: what was copied before it changed is as right as what it is now.
    if (content) return changed && afterwards.has(name) ? [content, first.get(name)] : [content]
    return deletes ? [undefined] : [undefined, before.get(name), first.get(name)]
  }

  return {
    async prepare(from, to) {
      for (const [name, content] of before) await write(to, PREFIX.to + name, content)
      for (const key of beside) await write(to, key, Buffer.from('beside'))
      for (const [name, content] of first) await write(from, PREFIX.from + name, content, { checksum: sourceChecksum })
    },

    async change(from) {
      if (changed || afterwards.size === 0) return false
      changed = true
      for (const [name, content] of afterwards) {
        const key = PREFIX.from + name
        if (content) await write(from, key, content, { checksum: sourceChecksum })
        else await insist(() => from.removeAll([key]))
      }
      return true
    },

    args: [
      ...(mode === 'copy' ? ['copy', '-r'] : ['sync', ...(deletes ? ['--delete'] : [])]),
      text('source', PREFIX.from),
      text('destination', PREFIX.to),
    ],

    async proved(state, to, from, reported) {
      const full = flags.includes('full')
      const facts = await provedOfPrefix(state, { from, to, prefix: PREFIX }, { full, checks, reported })
      if (!facts) return undefined
      const parts = [...facts.parts.values()].reduce((sum, numbers) => sum + numbers.size, 0)
      const words = `${facts.there.size} objects that are there, and ${parts} parts of others`
      return { many: facts.there.size + parts, text: words, facts }
    },

    judge({ operation, key, uploadId, partNumber }, { facts }) {
      const begins = operation === 'PutObject' || operation === 'CreateMultipartUpload'
      if (begins && facts.there.has(key)) return `${key} was copied again, which was there`
      if (operation !== 'UploadPart' || !facts.parts.get(uploadId)?.has(partNumber)) return undefined
      return `part ${partNumber} of ${key} was copied again, which was proved`
    },

    async wrong(to) {
      const { entries } = await all(marker => insist(() => to.list({ prefix: '', marker })), 'objects')
      const keys = new Set(entries.map(({ key }) => key))
      const wrong = []
      for (const key of beside) if (!keys.delete(key)) wrong.push(`${key}, which is beside the prefix, is gone`)
      for (const name of new Set([...first.keys(), ...before.keys()])) {
        const key = PREFIX.to + name
        const found = keys.delete(key) ? sha256(await read(to, key)) : undefined
        const may = right(name).map(content => content && sha256(content))
        if (!may.includes(found)) wrong.push(`${name} is ${found ? 'not what the source has' : 'not there'}`)
      }
      for (const key of keys) wrong.push(`${key} is there, which nobody wanted`)
      return wrong
    },
  }
}

module.exports = { prefixTask }
