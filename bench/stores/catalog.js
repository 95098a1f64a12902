'use strict'

/** The state of a synthetic store: synthetic objects, written objects, and uploads. No bytes. */

const { combineParts } = require('../../sandbox/common/checksums')
const { phaseOf, syntheticCrc32 } = require('../../sandbox/common/synthetic')

/**
 * `phase`: the object is synthetic and can be read; without it its bytes were discarded. `crc32` is base64; `found` is that of
 * the bytes received, whether or not the client asked for checksums.
 * @typedef {{ bytes: number, etag: string, crc32?: string, found?: string, phase?: number }} StoredObject
 * @typedef {{ number: number, bytes: number, etag: string, crc32?: string }} Part
 */

/** @param {Record<string, number>} made `bucket/key` → bytes */
function createCatalog(made) {
  /** @type {Map<string, StoredObject>} */
  const objects = new Map()
  /** @type {Map<string, { name: string, checksum: boolean, parts: Map<number, Part> }>} */
  const uploads = new Map()
  let lastUpload = 0
  for (const [name, bytes] of Object.entries(made)) {
    const phase = phaseOf(name)
    objects.set(name, { bytes, phase, etag: `"made-${phase}-${bytes}"`, crc32: syntheticCrc32(phase, bytes) })
  }

  return {
    /** @param {string} name @returns {StoredObject | undefined} */
    find: name => objects.get(name),

    /** @param {string} prefix @returns {Array<StoredObject & { name: string }>} */
    list: prefix =>
      [...objects].filter(([name]) => name.startsWith(prefix)).map(([name, object]) => ({ name, ...object })),

    /** @param {string} name @param {StoredObject} object */
    put(name, object) {
      objects.set(name, object)
    },

    /** @param {string} name */
    remove(name) {
      objects.delete(name)
    },

    /** @param {string} name @param {boolean} checksum whether CRC-32s were asked for */
    createUpload(name, checksum) {
      const id = `upload-${++lastUpload}`
      uploads.set(id, { name, checksum, parts: new Map() })
      return id
    },

    /** @param {string} id @param {Part} part @returns {boolean} whether there is such an upload */
    putPart(id, part) {
      uploads.get(id)?.parts.set(part.number, part)
      return uploads.has(id)
    },

    /** @param {string} id @returns {Part[] | undefined} */
    listParts: id =>
      uploads.has(id) ? [...(uploads.get(id)?.parts.values() ?? [])].sort((a, b) => a.number - b.number) : undefined,

    /**
     * @param {string} id
     * @param {number[]} numbers
     * @returns {StoredObject | undefined} undefined if the upload or a part is missing
     */
    complete(id, numbers) {
      const upload = uploads.get(id)
      const parts = numbers.flatMap(number => upload?.parts.get(number) ?? [])
      if (!upload || parts.length !== numbers.length) return undefined
      uploads.delete(id)
      const sums = parts.flatMap(({ bytes, crc32 }) => (crc32 === undefined ? [] : [{ bytes, value: crc32 }]))
      const known = upload.checksum && sums.length === parts.length
      const object = {
        bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
        etag: `"swallowed-${id}-${parts.length}"`,
        crc32: known ? combineParts('CRC32', 'FULL_OBJECT', sums) : undefined,
        found: sums.length === parts.length ? combineParts('CRC32', 'FULL_OBJECT', sums) : undefined,
      }
      objects.set(upload.name, object)
      return object
    },

    /** @param {string} id @returns {boolean} whether there was one */
    abort: id => uploads.delete(id),
  }
}

module.exports = { createCatalog }
