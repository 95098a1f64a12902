'use strict'

const { createHash, generateKeyPairSync } = require('node:crypto')
const { createTree, faultOf, readSealed, sealOf } = require('../../../lib/manifest')

const sha = (...pieces) => createHash('sha256').update(Buffer.concat(pieces)).digest()

/** As RFC 6962 section 2.1 defines it, of all leaves at once. @param {Buffer[]} leaves */
function rootOf(leaves) {
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0])
  let most = 1
  while (most * 2 < leaves.length) most *= 2
  return sha(Buffer.of(1), rootOf(leaves.slice(0, most)), rootOf(leaves.slice(most)))
}

test('the root is that of RFC 6962, for any number of lines', () => {
  const leaves = []
  const tree = createTree()
  for (let count = 0; count < 70; count++) {
    expect([count, tree.root()]).toEqual([count, rootOf(leaves).toString('hex')])
    leaves.push(Buffer.from(`line ${count}`))
    tree.add(leaves.at(-1))
  }
  // The example of the implementations of Certificate Transparency.
  const known = createTree()
  for (const hex of [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ])
    known.add(Buffer.from(hex, 'hex'))
  expect(known.root()).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
})

test('a signature is of the count, the root, the result and the time', () => {
  const tree = createTree()
  tree.add('a')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seal = sealOf({ lines: 1, root: tree.root(), result: 'done', time: '2026-01-31T00:00:00.000Z' }, privateKey)
  expect(faultOf(seal, tree, publicKey)).toBeUndefined()
  for (const changed of [{ result: 'late' }, { time: 'later' }, { signature: 'AAAA' }]) {
    expect(faultOf({ ...seal, ...changed }, tree, publicKey)).toMatch(/signature/)
    expect(faultOf({ ...seal, ...changed }, tree)).toBeUndefined()
  }
  tree.add('b')
  expect(faultOf(seal, tree)).toMatch(/counts 1/)
})

describe('a seal that fits does not make a record right', () => {
  const HEAD = { type: 'manifest', version: 1, source: 's3://from/', destination: 's3://to/' }
  const LINE = { action: 'copy', name: 'a', bytes: 1, etag: '"x"', time: '2026-01-31T00:00:00.000Z' }

  /** @param {object} head @param {object} line */
  async function read(head, line) {
    const tree = createTree()
    const texts = [head, line].map(record => JSON.stringify(record))
    for (const text of texts) tree.add(text)
    const seal = sealOf({ lines: 2, root: tree.root(), result: 'done', time: LINE.time })
    const found = []
    const chunks = [Buffer.from([...texts, JSON.stringify(seal), ''].join('\n'))]
    for await (const some of readSealed(/** @type {any} */ (chunks), 'file')) found.push(...some)
    return found
  }

  test('all fields as they should be', async () => {
    const line = {
      ...LINE,
      versionId: 'v',
      source: { etag: '"y"' },
      sums: { crc32: 'cbf43926' },
      proof: ['part-md5'],
      why: 'x',
    }
    expect(await read(HEAD, line)).toEqual([line])
  })

  test.each([
    { etag: 1 },
    { etag: null },
    { versionId: {} },
    { time: 7 },
    { why: [] },
    { bytes: '1' },
    { bytes: -1 },
    { source: 'x' },
    { source: { etag: 1 } },
    { source: { lastModified: {} } },
    { sums: { crc32: 1 } },
    { sums: null },
    { proof: 'part-md5' },
    { proof: [1] },
    { name: undefined },
    { action: 1 },
  ])('a line with %j', async wrong => {
    await expect(read(HEAD, { ...LINE, ...wrong })).rejects.toMatchObject({
      code: 'SEAL_BROKEN',
      message: expect.stringContaining('its line 2 is none'),
    })
  })

  test.each([{ destination: undefined }, { destination: 1 }, { source: {} }])('a head with %j', async wrong => {
    await expect(read({ ...HEAD, ...wrong }, LINE)).rejects.toMatchObject({ code: 'SEAL_BROKEN' })
  })
})
