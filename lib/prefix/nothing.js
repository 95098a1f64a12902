'use strict'

/** Nothing was found, which is no failure, and mostly not what was meant: the user is told what there is instead. */

/**
 * @param {Pick<import('../job').Job, 'source' | 'stopping' | 'emit'>} job of the prefix
 * @param {string | undefined} filesFrom
 */
async function tellNothing({ source: { store, key, text }, stopping: signal, emit }, filesFrom) {
  /** @param {string} message */
  const tell = message => emit({ type: 'notice', message })
  if (filesFrom !== undefined) return tell(`${filesFrom === '-' ? 'Standard input' : filesFrom} names no object.`)
  const nothing = `There is nothing below ${text}`
  const object = key.slice(0, -1)
  const found = object !== '' && (await store.head(object, { signal }).catch(() => undefined))
  if (found) tell(`${nothing}, but ${text.slice(0, -1)} is an object: copy it by itself, by xfer copy without -r.`)
  else if (/[*?[]/.test(key)) tell(`${nothing}: a key is taken as it is written, and patterns are for --include.`)
  else tell(`${nothing}.`)
}

module.exports = { tellNothing }
