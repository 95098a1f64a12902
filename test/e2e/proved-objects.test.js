'use strict'

/**
 * Objects of one request, at stores that check nothing: each copy that ends with 0 is right, and what is wrong is written
 * again or taken away.
 */

const { MODES } = require('../../sandbox/store/modes')
const { startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')

let source
let destination
let trees

const optionsOf = name => MODES.find(mode => mode.name === name).options

/** @param {import('../../sandbox/store/types').StoreOptions} to @param {import('../../sandbox/store/types').StoreOptions} [from] */
async function setUp(to, from = {}) {
  ;[source, destination] = await Promise.all([startStore(from), startStore(to)])
  trees = await openTrees({ source, destination })
}

const endOf = ({ status, last }) => ({ status, code: last.code })
const TREE = { 'tree/a': 'the first', 'tree/b.txt': 'another one', 'tree/c': 'x'.repeat(3000), 'tree/d': '' }

/** @param {Record<string, string>} [tree] */
async function expectCopies(tree = TREE) {
  const found = await sizesOf(trees.to)
  expect(found).toEqual(Object.fromEntries(Object.entries(tree).map(([key, text]) => [key, text.length])))
  for (const [key, text] of Object.entries(tree)) expect(await trees.text(trees.to, key)).toBe(text)
}

describe.each(['framing-kept', 'unchecked', 'unchecked-plain', 'unchecked-opaque'])('at a store %s', name => {
  test('what a prefix has arrives as it is, and is proved', async () => {
    await setUp(optionsOf(name))
    await trees.fill(TREE)
    const run = await trees.run(['copy'])
    expect(endOf(run)).toEqual({ status: 0, code: undefined })
    await expectCopies()
    const proof = optionsOf(name).md5Etags === false ? 'read-back' : 'part-md5'
    for (const object of run.objects) expect(object.proof).toContain(proof)
  })

  test('one that is flipped each time is not left there', async () => {
    await setUp(optionsOf(name))
    await trees.fill(TREE)
    destination.faults.add({ operation: 'PutObject', key: 'tree/c', flipByteAt: 7 })
    const run = await trees.run(['sync', '--retries', '0'])
    expect(endOf(run)).toEqual({ status: 1, code: 'OBJECTS_FAILED' })
    const failed = run.events.filter(({ type }) => type === 'failure')
    expect(failed).toMatchObject([{ name: 'c', code: 'WRONG_COPY' }])
    expect(failed[0].message).toContain('nothing is there now')
    const { 'tree/c': _, ...rest } = TREE
    await expectCopies(rest)
  })
})
