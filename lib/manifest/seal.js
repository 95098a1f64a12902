'use strict'

/**
 * The seal of a manifest: the number of its lines, the root of a Merkle tree over them, and a signature of both. Made of what is
 * written, and checked in what is read.
 * https://www.rfc-editor.org/rfc/rfc6962#section-2.1
 */

const { createHash, createPrivateKey, createPublicKey, sign, verify } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { usage } = require('../errors')
const { decode, isHead, isLine } = require('./line')
const { broken, lines, recordsOf } = require('./records')

/** @typedef {import('../types').ManifestLine} ManifestLine */
/** @typedef {import('../types').ManifestHead} ManifestHead */
/** @typedef {import('../types').ManifestSeal} ManifestSeal */

const [LEAF, NODE] = [Buffer.of(0), Buffer.of(1)]

/** @param {...(Buffer | string)} pieces */
function digest(...pieces) {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest()
}

/** A Merkle tree that keeps one node for each of its complete subtrees: as many as its number of leaves has bits. */
function createTree() {
  /** @type {Buffer[]} the largest first */
  const nodes = []
  let count = 0
  return {
    /** @param {Buffer | string} line without its line end */
    add(line) {
      let node = digest(LEAF, line)
      for (let rest = count++; rest % 2 === 1; rest = Math.floor(rest / 2)) {
        node = digest(NODE, /** @type {Buffer} */ (nodes.pop()), node)
      }
      nodes.push(node)
    },
    count: () => count,
    /** @returns {string} in hex */
    root() {
      let whole = nodes.at(-1) ?? digest()
      for (const left of nodes.slice(0, -1).reverse()) whole = digest(NODE, left, whole)
      return whole.toString('hex')
    },
  }
}

/** What is signed. @param {Pick<ManifestSeal, 'lines' | 'root' | 'result' | 'time'>} seal */
function signedText({ lines, root, result, time }) {
  return Buffer.from(`xfer manifest 1\n${lines}\n${root}\n${result}\n${time}\n`)
}

/** SHA-256 of a public key in DER, in hex. @param {import('node:crypto').KeyObject} key */
const fingerprintOf = key =>
  digest(createPublicKey(/** @type {any} */ (key)).export({ type: 'spki', format: 'der' })).toString('hex')

/**
 * @param {'--sign' | '--public-key'} flag
 * @param {string} path
 * @returns {import('node:crypto').KeyObject}
 * @throws {import('../types').XferError} USAGE
 */
function readKey(flag, path) {
  const [make, kind, how] =
    flag === '--sign'
      ? [createPrivateKey, 'private', 'genpkey -algorithm ed25519 -out key.pem']
      : [createPublicKey, 'public', 'pkey -in key.pem -pubout -out public.pem']
  let why
  try {
    const key = make(readFileSync(path))
    if (key.asymmetricKeyType === 'ed25519') return key
    why = key.asymmetricKeyType
  } catch (cause) {
    why = /** @type {NodeJS.ErrnoException} */ (cause).code
  }
  const text = `The file ${path} of ${flag} holds no ${kind} Ed25519 key in PEM without a password (${why}).`
  throw usage(text, `Make one with openssl ${how}.`)
}

/**
 * @param {Pick<ManifestSeal, 'lines' | 'root' | 'result' | 'time'>} seal
 * @param {import('node:crypto').KeyObject} [key] the private one
 * @returns {ManifestSeal}
 */
function sealOf(seal, key) {
  const signature = key && { key: fingerprintOf(key), signature: sign(null, signedText(seal), key).toString('base64') }
  return { type: 'seal', ...seal, ...signature }
}

/**
 * @param {ManifestSeal} seal
 * @param {ReturnType<typeof createTree>} tree of the lines before it
 * @param {import('node:crypto').KeyObject} [key] the public one; absent: no signature is asked for
 * @returns {string | undefined} what is wrong, a clause; undefined: nothing
 */
function faultOf(seal, tree, key) {
  const { lines, root, signature } = seal
  if (lines !== tree.count()) return `its seal counts ${lines} lines, and it has ${tree.count()}`
  if (root !== tree.root()) return 'a line is not what was sealed'
  if (!key) return undefined
  if (typeof signature !== 'string') return 'it is not signed'
  if (!verify(null, signedText(seal), key, Buffer.from(signature, 'base64'))) return 'its signature is not of this key'
  return undefined
}

/**
 * The lines of a sealed manifest, in batches. Only once all of them were taken is it known that none is forged.
 *
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} path for messages
 * @param {import('node:crypto').KeyObject} [key] the public one with whose private one it has to be signed
 * @returns {AsyncGenerator<ManifestLine[], { head: ManifestHead, seal: ManifestSeal }>}
 * @throws {import('../types').XferError} SEAL_BROKEN
 */
async function* readSealed(chunks, path, key) {
  const tree = createTree()
  /** @type {ManifestHead | undefined} */
  let head
  /** @type {ManifestSeal | undefined} */
  let seal
  for await (const { records } of recordsOf(chunks, path, lines, { ignoreBOM: true })) {
    const found = []
    for (const text of records) {
      if (seal) throw broken(path, 'it goes on behind its seal')
      const record = decode(text)
      if (record?.type === 'seal') {
        seal = record
        continue
      }
      tree.add(text)
      if (!head && isHead(record)) head = record
      else if (!head) throw broken(path, 'its first line is not that of a manifest of this version')
      else if (record && isLine(record)) found.push(record)
      else if (record?.type !== 'columns') throw broken(path, `its line ${tree.count()} is none of a manifest`)
    }
    yield found
  }
  if (!head || !seal) {
    const finish = head?.job === undefined ? 'it is not finished' : `xfer resume ${head.job} finishes it`
    throw broken(path, `it has no seal: ${finish}, or its end is lost`)
  }
  const fault = faultOf(seal, tree, key)
  if (fault) throw broken(path, fault)
  return { head, seal }
}

/**
 * Reads all of a manifest, and checks it.
 *
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} path as of `readSealed`, like `key`
 * @param {import('node:crypto').KeyObject} [key]
 * @param {(line: ManifestLine) => boolean} [isOld] whether the line does not count
 * @returns {Promise<{ head: ManifestHead, seal: ManifestSeal, objects: number }>} objects: those that it says to be at the destination
 * @throws {import('../types').XferError} SEAL_BROKEN
 */
async function checkManifest(chunks, path, key, isOld = () => false) {
  const batches = readSealed(chunks, path, key)
  let objects = 0
  for (let next = await batches.next(); ; next = await batches.next()) {
    if (next.done) return { ...next.value, objects }
    objects += next.value.filter(line => line.action !== 'delete' && !isOld(line)).length
  }
}

module.exports = { checkManifest, createTree, faultOf, readKey, readSealed, sealOf }
