'use strict'

/**
 * A rejection's reason as JSON, the way the node runtime's dependency `serialize-error` shows it: `name`, `message`, `stack`
 * and the error's own enumerable properties, recursively. Other values stay as they are.
 *
 * @param {unknown} reason
 * @param {Set<unknown>} [above] objects that contain this one
 * @returns {unknown}
 */
function serializeError(reason, above = new Set()) {
  if (typeof reason === 'function') return above.size === 0 ? `[Function: ${reason.name || 'anonymous'}]` : undefined
  if (typeof reason === 'bigint') return `${reason}n`
  if (typeof reason !== 'object' || reason === null) return reason
  if (Buffer.isBuffer(reason)) return '[object Buffer]'
  if (above.has(reason)) return '[Circular]'
  const inside = new Set(above).add(reason)
  if (Array.isArray(reason)) return reason.map(item => serializeError(item, inside))

  const source = /** @type {Record<string, unknown>} */ (reason)
  if (typeof source.toJSON === 'function') return source.toJSON()
  /** @type {Record<string, unknown>} */
  const plain = {}
  for (const [key, value] of Object.entries(source)) {
    const shown = serializeError(value, inside)
    if (shown !== undefined) plain[key] = shown
  }
  // these are not enumerable on an Error
  for (const key of ['name', 'message', 'stack', 'code', 'cause']) {
    if (source[key] !== undefined && plain[key] === undefined) {
      const shown = serializeError(source[key], inside)
      if (shown !== undefined) plain[key] = shown
    }
  }
  return plain
}

module.exports = { serializeError }
