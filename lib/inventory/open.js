'use strict'

/** Recognises a manifest by its content, and opens it and its data files, of this machine or of a store. */

const { createHash } = require('node:crypto')
const { mkdtemp, open, rm, stat } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { pipeline } = require('node:stream')
const { createGunzip } = require('node:zlib')
const { factoryOfText, parsePlace, placeText } = require('../stores')
const { headObject, openOne } = require('../job')
const { downloadObject, openDownload } = require('../stream')
const { batchRow, lsfRow, lsjsonRow, ownRow, parse } = require('./lists')
const { bad, batchesOf, csv, inventoryRow, lines } = require('./rows')

/** @typedef {import('./rows').Row} Row */
/** @typedef {{ handle: import('node:fs/promises').FileHandle, bytes: number }} Opened closed by who opened it */
/** @typedef {{ first: number, rows: Row[] }} Batch first: the number of the first row in its file, from 1 */
/** A data file, or a manifest that is its own. @typedef {{ name: string, open: () => Promise<Opened>, rows: (opened: Opened, from: number) => AsyncGenerator<Batch, void, undefined> }} DataFile */

/** The bytes by which a format is known. */
const HEAD_BYTES = 64 * 1024
/** Of a `manifest.json`, which has a line for each data file. */
const MOST_JSON = 64 * 1024 ** 2
const CHUNK = 16 * 1024

/** Whether it is in a store, not a file of this machine. @param {string} text */
const isLocation = text => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !factoryOfText(text)?.paths

/** What reading a location needs of the options of a copy. @param {import('../types').JobWish} options @returns {any} */
function readOptions({ env, signal, caBundle, retries, outageTimeout, source }) {
  return { env, signal, caBundle, retries, outageTimeout, source, engine: 'local', concurrency: 4 }
}

/**
 * What a manifest is known by, so that a resumed job sees whether it is the same.
 *
 * @param {string} text a path or a location
 * @param {import('../types').JobWish} options of the copy
 * @returns {Promise<string>} the SHA-256 of a file in hex; ETag and size of an object
 * @throws {import('../errors').XferError}
 */
async function digestManifest(text, options) {
  if (!isLocation(text)) {
    const opened = await openFile(text)
    return await hashOf(opened, 'sha256').finally(() => opened.handle.close())
  }
  const { end, run, close } = await openOne(text, 'source', readOptions(options), () => {})
  try {
    const { etag, bytes } = await headObject(end, run.cancel)
    return `${etag} ${bytes}`
  } finally {
    await close()
  }
}

/** @param {string} path @returns {Promise<Opened>} */
async function openFile(path) {
  try {
    const handle = await open(path)
    const found = await handle.stat()
    if (found.isFile()) return { handle, bytes: found.size }
    await handle.close()
  } catch (cause) {
    throw bad(path, undefined, `it cannot be read (${/** @type {any} */ (cause).code})`, cause)
  }
  throw bad(path, undefined, 'it is no file')
}

/** @param {Opened} opened @param {'md5' | 'sha256'} kind @returns {Promise<string>} hex */
async function hashOf({ handle }, kind) {
  const hash = createHash(kind)
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK }))
    hash.update(chunk)
  return hash.digest('hex')
}

/**
 * The object in a temporary file: it is compared with its checksums before a row counts, and Parquet begins at its end.
 *
 * @param {string} location
 * @param {import('../types').JobWish} options
 * @param {AbortSignal} cancel
 * @param {string} [digest] as of `digestManifest`; it has to be that
 * @returns {Promise<Opened>}
 */
async function fetchFile(location, options, cancel, digest) {
  const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
  const handle = await open(join(folder, 'manifest'), 'wx+', 0o600)
  // Unlinked now, the file disappears with the process however that ends; some systems keep the name until then.
  await rm(folder, { recursive: true, force: true }).catch(() => {})
  try {
    const opened = await openDownload(location, readOptions(options), () => {}, cancel)
    const write = async (/** @type {Buffer} */ piece) => void (await handle.appendFile(piece))
    const { bytes, etag } = await downloadObject(opened, write).finally(() => opened.close())
    if (digest !== undefined && digest !== `${etag} ${bytes}`)
      throw bad(location, undefined, 'it was replaced just now')
    return { handle, bytes }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * @param {string} text a path or a location
 * @param {object} how
 * @param {import('../types').JobWish} how.options of the copy
 * @param {string} [how.digest] as of `digestManifest`
 * @param {{ text: string, bucket: string }} how.source of the copy
 * @param {AbortSignal} how.cancel
 * @returns {Promise<{ files: DataFile[], close: () => Promise<void> }>}
 * @throws {import('../errors').XferError} BAD_MANIFEST, if it is of no format that is known
 */
async function openManifest(text, { options, digest, source, cancel }) {
  const opened = isLocation(text) ? await fetchFile(text, options, cancel, digest) : await openFile(text)
  const close = () => opened.handle.close()
  try {
    const head = await readAt(opened, 0, HEAD_BYTES)
    const own = { name: text, open: async () => opened }
    const line = head
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split(/\r?\n/, 1)[0]
      .trim()
    if (head.subarray(0, 4).toString() === 'PAR1') return { files: [{ ...own, rows: parquet(text) }], close }
    if (head.subarray(0, 3).toString() === 'ORC') throw bad(text, undefined, ORC)
    const format = line.startsWith('{') || line.startsWith('[') ? undefined : plainFormat(text, line)
    if (format) return { files: [{ ...own, rows: format }], close }
    if (/^\{\s*"type"\s*:\s*"manifest"/.test(line))
      return { files: [{ ...own, rows: await ownFormat(text, opened, line, source) }], close }
    if (/^\[$|"Path"\s*:/.test(line)) return { files: [{ ...own, rows: inLines(text, lsjsonRow(text)) }], close }
    const files = filesOf(text, await readJson(text, opened), { options, source, cancel })
    return { files, close }
  } catch (error) {
    await close()
    throw error
  }
}

const ORC = 'it is of the format ORC, which xfer does not read: let the inventory be written as CSV or Parquet'
const KNOWN =
  'it is no manifest that xfer knows: manifest.json of an S3 inventory, CSV of S3 Batch Operations (bucket,key), a manifest of xfer, or what rclone lsjson -R --files-only or rclone lsf -R --files-only --format sp writes; a list of names is for --files-from'

/** @param {string} file @param {string} line the first one */
function plainFormat(file, line) {
  if (/^(?:-1|\d+);./.test(line)) return inLines(file, lsfRow(file))
  if (/^[0-9a-f]{32,64} {2}./.test(line)) throw bad(file, undefined, `it has checksums without sizes; ${KNOWN}`)
  // Names in a plain list may have commas: a bucket's name has no blank, slash or dot at its beginning.
  if (!/^"?[a-z0-9][\w.-]+"?,./i.test(line)) throw bad(file, undefined, KNOWN)
  return inCsv(file, batchRow(file))
}

/** @param {string} file @param {(row: string, number: number) => Row} read */
const inLines = (file, read) => reading(file, { take: lines, read })
/** @param {string} file @param {(row: string[], number: number) => Row} read @param {{ gzip?: boolean }} [how] */
const inCsv = (file, read, how) => reading(file, { take: csv(file), read }, how)
/** @param {string} file @returns {DataFile['rows']} */
const parquet =
  file =>
  ({ handle, bytes }, from) =>
    require('./parquet').parquetRows(handle, bytes, file, from)

/**
 * @template R
 * @param {string} file
 * @param {Parameters<typeof batchesOf<R>>[2]} format
 * @param {{ gzip?: boolean }} [how]
 * @returns {DataFile['rows']}
 */
function reading(file, format, { gzip = false } = {}) {
  return async function* ({ handle }) {
    const plain = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK })
    // A failure of either ends both, and the loop below meets it.
    const chunks = gzip ? pipeline(plain, createGunzip({ chunkSize: CHUNK }), () => {}) : plain
    let first = 1
    try {
      for await (const rows of batchesOf(chunks, file, format)) {
        yield { first, rows }
        first += rows.length
      }
    } catch (cause) {
      const { code, message } = /** @type {any} */ (cause)
      if (!/^Z_|^E[A-Z]+$/.test(code)) throw cause
      throw bad(file, undefined, `it cannot be read to its end after row ${first - 1} (${message})`, cause)
    }
  }
}

/** @param {Opened} opened @param {number} start @param {number} most */
async function readAt({ handle, bytes }, start, most) {
  const part = Buffer.alloc(Math.max(0, Math.min(most, bytes - start)))
  const { bytesRead } = await handle.read(part, 0, part.length, start)
  return part.subarray(0, bytesRead)
}

/**
 * xfer's own: the first line says which job it is of, the last one seals it.
 *
 * @param {string} file
 * @param {Opened} opened
 * @param {string} line the first one
 * @param {{ text: string }} source of the copy
 */
async function ownFormat(file, opened, line, source) {
  const header = parse(file, 1, line)
  const tail = (await readAt(opened, Math.max(0, opened.bytes - HEAD_BYTES), HEAD_BYTES)).toString('utf8')
  const last = tail.trimEnd().split('\n').at(-1) ?? ''
  const sealed = tail.endsWith('\n') && /^\{.*\}$/.test(last) && parse(file, undefined, last)
  if (!sealed || sealed.name !== undefined || sealed.type === 'manifest') {
    throw bad(
      file,
      undefined,
      'its last line is not the one that ends a manifest: the command that wrote it did not finish',
    )
  }
  const trimmed = (/** @type {any} */ end) => String(end?.text ?? end).replace(/\/$/, '')
  const copies = trimmed(header.destination) === trimmed(source.text)
  return inLines(file, ownRow(file, { copies }))
}

/** @param {string} file @param {Opened} opened */
async function readJson(file, opened) {
  if (opened.bytes > MOST_JSON) throw bad(file, undefined, KNOWN)
  const json = parse(file, undefined, new TextDecoder().decode(await readAt(opened, 0, opened.bytes)))
  if (!Array.isArray(json?.files) || typeof json.fileFormat !== 'string') throw bad(file, undefined, KNOWN)
  return json
}

/**
 * The data files of an inventory. Those of a file of this machine lie in its folder, or in `data` beside that.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
 *
 * @param {string} text of the manifest
 * @param {{ files: any[], fileFormat: string, fileSchema?: string, sourceBucket?: string }} manifest
 * @param {Pick<Parameters<typeof openManifest>[1], 'options' | 'source' | 'cancel'>} how
 * @returns {DataFile[]}
 */
function filesOf(text, { files, fileFormat, fileSchema = '', sourceBucket }, { options, source, cancel }) {
  if (sourceBucket !== undefined && sourceBucket !== source.bucket) {
    throw bad(text, undefined, `it is of the bucket ${sourceBucket}, and SRC is in ${source.bucket}`)
  }
  const format = fileFormat.toUpperCase()
  if (format === 'ORC') throw bad(text, undefined, ORC)
  if (format !== 'CSV' && format !== 'PARQUET')
    throw bad(text, undefined, `its fileFormat is ${fileFormat}, not CSV or Parquet`)
  return files.map(file => {
    const { key, MD5checksum: md5 } = file ?? {}
    if (typeof key !== 'string') throw bad(text, undefined, 'it names a data file without a key')
    const names = String(fileSchema)
      .split(',')
      .map(name => name.trim())
    return {
      name: key,
      async open() {
        const opened = await openData(text, key, options, cancel)
        const found = md5 === undefined ? undefined : await hashOf(opened, 'md5')
        if (found === (md5 && String(md5).toLowerCase())) return opened
        await opened.handle.close()
        throw bad(key, undefined, `its MD5 is ${found}, and ${text} says ${md5}`)
      },
      rows: format === 'CSV' ? inCsv(key, inventoryRow(key, names, { encoded: true }), { gzip: true }) : parquet(key),
    }
  })
}

/** @param {string} text of the manifest @param {string} key @param {import('../types').JobWish} options @param {AbortSignal} cancel */
async function openData(text, key, options, cancel) {
  if (isLocation(text)) {
    return await fetchFile(placeText({ ...parsePlace(text, 'source'), key }), options, cancel)
  }
  const folder = dirname(text)
  const places = [join(folder, basename(key)), join(folder, '..', 'data', basename(key))]
  for (const path of places) if (await stat(path).catch(() => undefined)) return await openFile(path)
  throw bad(text, undefined, `its data file ${basename(key)} is neither beside it nor in ${dirname(places[1])}`)
}

module.exports = { digestManifest, isLocation, openManifest }
