'use strict'

/** What a run of the soak copies, where it is one object. */

const { contentOf, read, sha256, write } = require('./content')
const { insist, provedParts } = require('./proved')

/**
 * @typedef {object} Task
 * @property {(from: any, to: any) => Promise<void>} prepare puts what is to be copied
 * @property {string[]} args of the command that begins it
 * @property {(from: any) => Promise<boolean>} [change] done to the source once, after a command that was killed; whether there is any
 * @property {(state: string, to: any, from: any, reported: Set<string>) => Promise<Proved | undefined>} proved what the command that
 *   begins now must not copy again; reported: names of the objects that the last one reported as copied, if it ended by itself
 * @property {(event: any, proved: Proved) => string | undefined} judge of a request at the destination: what is wrong about it
 * @property {(to: any) => Promise<string[]>} wrong what is wrong in the end
 *
 * @typedef {{ many: number, text: string, facts: any }} Proved
 */

/** @typedef {(name: 'source' | 'destination', key: string) => string} Text what a command calls an object */

/** @param {import('./draw').Script} script @param {string} seed @param {Text} text @returns {Task} */
function objectTask({ bytes, sourceChecksum }, seed, text) {
  const key = { from: 'object', to: 'copy' }
  const content = contentOf(bytes, seed)
  return {
    async prepare(from) {
      await write(from, key.from, content, { checksum: sourceChecksum })
    },
    args: ['copy', text('source', key.from), text('destination', key.to)],
    async proved(state, to) {
      const facts = await provedParts(state, to, key.to)
      if (!facts) return undefined
      const { journal, listed } = facts
      const words = `${journal.length} parts proved by the journal and ${listed.length} by ListParts`
      return { many: journal.length + listed.length, text: words, facts }
    },
    judge({ operation, uploadId, partNumber }, { facts }) {
      if (operation !== 'UploadPart' || facts.uploadId !== uploadId) return undefined
      if (facts.journal.includes(partNumber)) return `part ${partNumber} was copied again, which the journal had proved`
      if (facts.listed.includes(partNumber)) return `part ${partNumber} was copied again, which ListParts had proved`
      return undefined
    },
    async wrong(to) {
      const found = await insist(() => read(to, key.to))
      return sha256(found) === sha256(content) ? [] : ['the copy is not what the source has']
    },
  }
}

module.exports = { objectTask }
