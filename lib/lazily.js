'use strict'

/**
 * A door whose members are loaded when they are first asked for.
 *
 * @param {object} own members that are loaded already
 * @param {Array<[load: () => Record<string, any>, names: string[]]>} later
 * @returns {unknown}
 */
function lazily(own, later) {
  const door = { ...own }
  for (const [load, names] of later)
    for (const name of names) Object.defineProperty(door, name, { enumerable: true, get: () => load()[name] })
  return door
}

module.exports = { lazily }
