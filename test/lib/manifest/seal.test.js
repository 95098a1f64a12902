'use strict'

const { createHash, generateKeyPairSync } = require('node:crypto')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { checkManifest, createTree, faultOf, readKey, readSealed, sealOf } = require('../../../lib/manifest')
const { newFolder } = require('../../support/folder')

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
  const leavesInHex = ' 00 10 2021 3031 40414243 5051525354555657 606162636465666768696a6b6c6d6e6f'
  for (const hex of leavesInHex.split(' ')) known.add(Buffer.from(hex, 'hex'))
  expect(known.root()).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
})

test('a signature is of the count, the root, the result and the time', () => {
  const tree = createTree()
  tree.add('a')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seal = sealOf({ lines: 1, root: tree.root(), result: 'done', time: '2026-01-31T00:00:00.000Z' }, privateKey)
  expect(faultOf(seal, tree, publicKey)).toBeUndefined()
  expect(seal.key).toBe(sha(publicKey.export({ type: 'spki', format: 'der' })).toString('hex'))
  expect(faultOf({ ...seal, root: sha().toString('hex') }, tree)).toMatch(/not what was sealed/)
  expect(faultOf({ ...seal, signature: undefined }, tree, publicKey)).toMatch(/not signed/)
  for (const changed of [{ result: 'late' }, { time: 'later' }, { signature: 'AAAA' }]) {
    expect(faultOf({ ...seal, ...changed }, tree, publicKey)).toMatch(/signature/)
    expect(faultOf({ ...seal, ...changed }, tree)).toBeUndefined()
  }
  tree.add('b')
  expect(faultOf(seal, tree)).toMatch(/counts 1/)
})

const pem = { type: 'pkcs8', format: 'pem' }
const publicPem = { type: 'spki', format: 'pem' }
const [ours, rsa] = [generateKeyPairSync('ed25519'), generateKeyPairSync('rsa', { modulusLength: 2048 })]

/** @param {'--sign' | '--public-key'} flag @param {string} [text] */
function read(flag, text) {
  const path = join(newFolder(), 'key.pem')
  if (text !== undefined) writeFileSync(path, text)
  return readKey(flag, path)
}

test.each([
  ['--sign', 'private', ours.privateKey.export(pem)],
  ['--public-key', 'public', ours.publicKey.export(publicPem)],
])('a key of %s is a %s one', (flag, type, text) => {
  expect(read(flag, text)).toMatchObject({ type, asymmetricKeyType: 'ed25519' })
})

test.each([
  ['--sign', 'of another kind', rsa.privateKey.export(pem), 'no private Ed25519 key .*rsa'],
  ['--public-key', 'of another kind', rsa.publicKey.export(publicPem), 'no public Ed25519 key .*rsa'],
  ['--sign', 'the public one', ours.publicKey.export(publicPem), 'no private Ed25519 key .*ERR_OSSL'],
  ['--public-key', 'missing', undefined, 'no public Ed25519 key .*ENOENT'],
])('a key of %s that is %s is refused', (flag, _, text, reason) => {
  const message = expect.stringMatching(new RegExp(reason, 's'))
  expect(() => read(flag, text)).toThrow(expect.objectContaining({ code: 'USAGE', message }))
})

describe('a seal that fits does not make a record right', () => {
  const HEAD = { type: 'manifest', version: 1, source: 's3://from/', destination: 's3://to/' }
  const LINE = { action: 'copy', name: 'a', bytes: 1, etag: '"x"', time: '2026-01-31T00:00:00.000Z' }

  const END = { type: 'seal', result: 'done', time: LINE.time }
  /** @param {object[]} records @returns {string} with a seal that fits */
  function sealed(...records) {
    const texts = records.map(record => JSON.stringify(record))
    return [...texts, JSON.stringify(sealOfLines(texts)), ''].join('\n')
  }

  /** @param {string[]} texts */
  function sealOfLines(texts) {
    const tree = createTree()
    for (const text of texts) tree.add(text)
    return { ...END, lines: texts.length, root: tree.root() }
  }

  /** @param {string} text */
  async function readAll(text) {
    const found = []
    for await (const some of readSealed(/** @type {any} */ ([Buffer.from(text)]), 'file')) found.push(...some)
    return found
  }

  test.each([
    ['changed', sealed(HEAD, LINE).replace('"bytes":1', '"bytes":2'), 'not what was sealed'],
    ['without its seal', sealed(HEAD, LINE).replace(/\{"type":"seal".*\n/, ''), 'no seal'],
    ['that is empty', '', 'no seal'],
    ['of a seal alone', sealed(), 'no seal'],
    ['that goes on behind its seal', `${sealed(HEAD)}${JSON.stringify(LINE)}\n`, 'behind its seal'],
    ['that begins otherwise', sealed(LINE, HEAD), 'first line'],
    ['with a byte order mark that was not sealed', `\ufeff${sealed(HEAD)}`, 'first line'],
    ['with a line of another kind', sealed(HEAD, { type: 'other' }), 'line 2 is none'],
    ['with a line that is no record', sealed(HEAD, LINE).replace(/"time":.*/, ''), 'line 2 is none'],
    ['with a second head', sealed(HEAD, HEAD), 'line 2 is none'],
  ])('a manifest %s is refused', async (_, text, reason) => {
    const error = { code: 'SEAL_BROKEN', message: expect.stringContaining(reason) }
    await expect(readAll(text)).rejects.toMatchObject(error)
  })

  test('what was deleted is not counted among the objects', async () => {
    const actions = ['copy', 'delete', 'skip', 'delete', 'delete']
    const text = sealed(HEAD, ...actions.map(action => ({ ...LINE, action })))
    const checked = await checkManifest(/** @type {any} */ ([Buffer.from(text)]), 'file')
    expect(checked).toMatchObject({ head: HEAD, objects: 2 })
  })

  test('the names of columns are a line, and no object', async () => {
    const { encoderOf } = require('../../../lib/manifest/line')
    const [head, columns] = encoderOf(true).head({ source: 's3://from/', destination: 's3://to/' })
    const seal = JSON.stringify(sealOfLines([head, columns]))
    expect(await readAll([head, columns, `# ${seal}`, ''].join('\n'))).toEqual([])
  })

  test('all fields as they should be', async () => {
    const more = { source: { etag: '"y"' }, sums: { crc32: 'cbf43926' }, proof: ['part-md5'], why: 'x' }
    const line = { ...LINE, versionId: 'v', ...more }
    expect(await readAll(sealed(HEAD, line))).toEqual([line])
  })

  test.each([
    ...[1, null].map(etag => ({ etag })),
    ...[{ versionId: {} }, { time: 7 }, { why: [] }, { name: undefined }, { action: 1 }],
    ...['1', -1].map(bytes => ({ bytes })),
    ...['x', { etag: 1 }, { lastModified: {} }].map(source => ({ source })),
    ...[{ crc32: 1 }, null].map(sums => ({ sums })),
    ...['part-md5', [1]].map(proof => ({ proof })),
  ])('a line with %j', async wrong => {
    const error = { code: 'SEAL_BROKEN', message: expect.stringContaining('its line 2 is none') }
    await expect(readAll(sealed(HEAD, { ...LINE, ...wrong }))).rejects.toMatchObject(error)
  })

  test.each([{ destination: undefined }, { destination: 1 }, { source: {} }])('a head with %j', async wrong => {
    await expect(readAll(sealed({ ...HEAD, ...wrong }, LINE))).rejects.toMatchObject({ code: 'SEAL_BROKEN' })
  })
})
