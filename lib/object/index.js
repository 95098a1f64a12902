'use strict'

/** Plans and copies one object, in one request, in parts or by the store itself. The ways that not every copy goes are loaded on use. */

const door = {
  ...require('./attributes'),
  ...require('./copy-object'),
  ...require('./plan'),
  ...require('./report'),
  ...require('./ways'),
  ...require('./write'),
}

/** @type {Array<[load: () => Record<string, any>, names: string[]]>} */
const LATER = [
  [() => require('./move'), ['findAlready', 'removeSource']],
  [() => require('./put'), ['byStore', 'createPut', 'createReader', 'signsLate', 'throughEngine']],
  [() => require('./server-copy'), ['copiesWhole', 'copySourceOf', 'withEngineFallback']],
]

for (const [load, names] of LATER)
  for (const name of names) Object.defineProperty(door, name, { enumerable: true, get: () => load()[name] })

/** @typedef {typeof import('./move') & typeof import('./put') & typeof import('./server-copy')} Later */

module.exports = /** @type {typeof door & Later} */ (door)
