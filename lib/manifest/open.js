'use strict'

/**
 * Opens the file of a manifest, or of a list of another program, on this machine or in a store; recognises it by its content, and opens
 * its data files.
 */

const { createHash } = require('node:crypto')
const { mkdtemp, open, rm, stat } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { pipeline } = require('node:stream')
const { createGunzip } = require('node:zlib')
const { headObject, openOne } = require('../job')
const { notice } = require('../notices')
const { factoryOfText, parsePlace, placeText } = require('../stores')
const { chunksOf, openFile } = require('./file')
const { rowOfLine } = require('./line')
const { bad, csvRecords, lines, recordsOf } = require('./records')
const { COLUMNS, batchRow, columnOf, inventoryRow, lsfRow, lsjsonRow, readRows } = require('./rows')
const { openSealed } = require('./sealed')

/** @typedef {import('./file').OpenedManifest} OpenedManifest */
/** @typedef {import('../types').JobWish} JobWish */
/** Some rows in order; first: the number of the first one in its file, from 1; undefined: it is no row. @typedef {{ first: number, rows: Array<import('./rows').ManifestRow | undefined> }} RowBatch */
/** @typedef {(opened: OpenedManifest, from: number) => AsyncGenerator<RowBatch, void, undefined>} ReadBatches from: rows before this one may be left out */
/** A data file, or a manifest that is its own. @typedef {{ name: string, open: () => Promise<OpenedManifest>, batches: ReadBatches }} DataFile */
/** @typedef {{ options: JobWish, digest?: string, source: { plain: string, bucket: string }, cancel: AbortSignal, emit: (notice: import('../types').Notice) => void }} ReadingRules options, source: of the copy; digest: as of `digestManifest` */

/** The bytes by which a format is known. */
const HEAD_BYTES = 64 * 1024
/** Of a `manifest.json`, which has a line for each data file. */
const MOST_JSON = 64 * 1024 ** 2
const KNOWN =
  'it is no manifest that xfer knows: manifest.json of an S3 inventory, CSV of S3 Batch Operations (bucket,key), a manifest of xfer, or what rclone lsjson -R --files-only or rclone lsf -R --files-only --format sp writes; a list of names is for --files-from'

/** Whether it is in a store, not a file of this machine. @param {string} text */
const isLocation = text => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !factoryOfText(text)?.paths

/** What reading a location needs of the options of a copy. @param {JobWish} options @returns {any} */
function readOptions({ env, signal, caBundle, retries, outageTimeout, source }) {
  return { env, signal, caBundle, retries, outageTimeout, source, engine: 'local', concurrency: 4 }
}

/** @param {OpenedManifest} opened @param {number} start @param {number} most */
async function readAt({ handle, bytes }, start, most) {
  const part = Buffer.alloc(Math.max(0, Math.min(most, bytes - start)))
  const { bytesRead } = await handle.read(part, 0, part.length, start)
  return part.subarray(0, bytesRead)
}

/** @param {OpenedManifest} opened @param {'md5' | 'sha256'} kind @returns {Promise<string>} hex */
async function hashOf(opened, kind) {
  const hash = createHash(kind)
  for await (const chunk of chunksOf(opened)) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * What a manifest is known by, so that a resumed job sees whether it is the same.
 *
 * @param {string} text a path or a location
 * @param {JobWish} options of the copy
 * @returns {Promise<string>} the SHA-256 of a file in hex; ETag and size of an object
 * @throws {import('../types').XferError}
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

/**
 * The object in a temporary file: it is compared with its checksums before a row counts, and Parquet begins at its end.
 *
 * @typedef {{ options: JobWish, cancel: AbortSignal, digest?: string }} FetchingRules digest: as of `digestManifest`; it has to be that
 *
 * @param {string} location
 * @param {FetchingRules} how
 * @returns {Promise<OpenedManifest>}
 */
async function fetchFile(location, { options, cancel, digest }) {
  const { downloadObject, openDownload } = require('../stream')
  const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
  const handle = await open(join(folder, 'manifest'), 'wx+', 0o600)
  // Unlinked now, the file disappears with the process however that ends; some systems keep the name until then.
  await rm(folder, { recursive: true, force: true }).catch(() => {})
  try {
    const opened = await openDownload(location, readOptions(options), () => {}, cancel)
    const write = async (/** @type {Buffer} */ piece) => void (await handle.appendFile(piece))
    const { bytes, etag } = await downloadObject(opened, write).finally(() => opened.close())
    if (digest === undefined || digest === `${etag} ${bytes}`) return { handle, bytes }
    throw bad(location, undefined, 'it was replaced just now')
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @param {string} text a path or a location @param {FetchingRules} how */
const openAt = (text, how) => (isLocation(text) ? fetchFile(text, how) : openFile(text))

/** The file of that name in the same folder. @param {string} text a path or a location @param {string} name @param {FetchingRules} how */
const openBeside = (text, name, how) =>
  openAt(isLocation(text) ? text.replace(/[^/]*$/, name) : join(dirname(text), name), how)

/**
 * @param {string} text a path or a location
 * @param {ReadingRules} how
 * @returns {Promise<{ files: DataFile[], close: () => Promise<void> }>}
 * @throws {import('../types').XferError} BAD_MANIFEST, if it is of no format that is known; SEAL_BROKEN
 */
async function openManifest(text, how) {
  const opened = await openAt(text, how)
  const close = () => opened.handle.close()
  try {
    return { files: await filesOf(text, opened, how), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @param {string} text @param {OpenedManifest} opened @param {ReadingRules} how @returns {Promise<DataFile[]>} */
async function filesOf(text, opened, how) {
  const own = (/** @type {ReadBatches} */ batches) => [{ name: text, open: async () => opened, batches }]
  const head = (await readAt(opened, 0, HEAD_BYTES)).toString().replace(/^\ufeff/, '')
  const line = head.split('\n', 1)[0].trim()
  if (head.startsWith('PAR1')) return own(parquetBatches(text))
  if (/^(?:# )?\{"type":"manifest"/.test(line)) return own(await sealed(text, opened, how))
  if (/^\[$|^\[?\{.*"Path"\s*:/.test(line)) return own(recordBatches(text, lines, lsjsonRow))
  if (line.startsWith('{')) return await inventoryFiles(text, opened, how)
  if (/^(?:-1|\d+);./.test(line)) return own(recordBatches(text, lines, lsfRow))
  // Names in a plain list may have commas: a bucket's name has no blank, slash or dot at its beginning.
  if (/^"?[a-z0-9][\w.-]+"?,./i.test(line)) return own(recordBatches(text, csvRecords, batchRow))
  throw bad(text, undefined, KNOWN)
}

/**
 * @template R
 * @param {string} file
 * @param {Parameters<typeof recordsOf<R>>[2]} take
 * @param {import('./rows').RowReader<R>} read
 * @param {{ gzip?: boolean }} [how]
 * @returns {ReadBatches}
 */
function recordBatches(file, take, read, { gzip = false } = {}) {
  return async function* (opened) {
    const plain = chunksOf(opened)
    // A failure of either ends both, and the reader meets it.
    const chunks = gzip ? pipeline(plain, createGunzip(), () => {}) : plain
    for await (const batch of recordsOf(chunks, file, take)) {
      yield { first: batch.first, rows: readRows(file, batch, read) }
    }
  }
}

/** Rows of Parquet that are handed out together. */
const MOST_ROWS = 100

/**
 * Inventories in Apache Parquet, one row group after the other; groups without rows that are needed are not read.
 *
 * @param {string} file for messages
 * @returns {ReadBatches} throws BAD_MANIFEST
 */
function parquetBatches(file) {
  return async function* (opened, from) {
    // An ES module.
    const { parquetMetadataAsync, parquetScan } = await import('hyparquet')
    const buffer = {
      byteLength: opened.bytes,
      /** @param {number} start @param {number} [end] */
      async slice(start, end = opened.bytes) {
        const part = await readAt(opened, start, end - start)
        if (part.length < end - start) throw new RangeError('the file ends early')
        return part.buffer
      },
    }
    let row = 1
    /** @param {unknown} cause @returns {never} */
    const fail = cause => {
      const { message } = /** @type {Error} */ (cause)
      throw bad(file, row, `it cannot be read as Parquet (${message})`, cause)
    }
    const metadata = await parquetMetadataAsync(buffer).catch(fail)
    const names = metadata.schema.filter(({ num_children: children }) => !children).map(({ name }) => name)
    const columns = names.filter(name => COLUMNS.has(columnOf(name)))
    const read = inventoryRow(columns, { encoded: false })
    const parsers = { timestampFromMilliseconds: Number }
    const scan = await parquetScan({ file: buffer, metadata, columns, parsers }).catch(fail)
    for (const { rowStart, rowEnd } of scan.ranges) {
      if (rowEnd < from) continue
      row = rowStart + 1
      /** @type {ArrayLike<any>[]} */
      const values = []
      for (const column of columns) values.push(await scan.readColumn({ column, rowStart, rowEnd }).catch(fail))
      for (let at = Math.max(rowStart, from - 1); at < rowEnd; at += MOST_ROWS) {
        const length = Math.min(MOST_ROWS, rowEnd - at)
        const records = Array.from({ length }, (_, i) => values.map(column => column[at - rowStart + i]))
        yield { first: at + 1, rows: readRows(file, { first: at + 1, records }, read) }
      }
    }
  }
}

/**
 * One that xfer wrote: all of it is checked before its first row counts.
 *
 * @param {string} file
 * @param {OpenedManifest} opened
 * @param {ReadingRules} how
 * @returns {Promise<ReadBatches>}
 */
async function sealed(file, opened, how) {
  const { head, result, batches, close } = await openSealed(opened, file, {
    // The digest is of the index.
    beside: name => openBeside(file, name, { ...how, digest: undefined }),
  })
  // A prefix ends in a slash.
  if (!head.destination.endsWith('/')) throw bad(file, undefined, 'it is of one object, not of a prefix')
  if (result !== 'done') how.emit(notice('MANIFEST_INCOMPLETE', { path: file, result }))
  const [from, to, source] = [head.source, head.destination, how.source.plain].map(text => text.replace(/\/$/, ''))
  // The same bucket in two stores: the head does not tell them apart.
  const of = to !== source ? 'sources' : from === to ? 'either' : 'copies'
  return async function* () {
    try {
      let first = 1
      for await (const found of batches()) {
        yield { first, rows: found.map(line => rowOfLine(line, { of })) }
        first += found.length
      }
    } finally {
      await close()
    }
  }
}

/**
 * The data files of an inventory.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
 *
 * @param {string} text of the manifest
 * @param {OpenedManifest} opened
 * @param {ReadingRules} how
 * @returns {Promise<DataFile[]>}
 */
async function inventoryFiles(text, opened, how) {
  const { files, fileFormat, fileSchema = '', sourceBucket = how.source.bucket } = await readJson(text, opened)
  if (sourceBucket !== how.source.bucket) {
    throw bad(text, undefined, `it is of the bucket ${sourceBucket}, and SRC is in ${how.source.bucket}`)
  }
  const isCsv = /^csv$/i.test(fileFormat)
  if (!isCsv && !/^parquet$/i.test(fileFormat)) {
    throw bad(text, undefined, `its fileFormat is ${fileFormat}, not CSV or Parquet`)
  }
  const names = String(fileSchema)
    .split(',')
    .map(name => name.trim())
  const csv = (/** @type {string} */ key) =>
    recordBatches(key, csvRecords, inventoryRow(names, { encoded: true }), { gzip: true })
  return files.map((/** @type {{ key: string, MD5checksum?: string }} */ { key, MD5checksum: md5 }) => ({
    name: key,
    async open() {
      const data = await openData(text, key, how)
      try {
        const found = md5 === undefined ? undefined : await hashOf(data, 'md5')
        if (found === (md5 && String(md5).toLowerCase())) return data
        throw bad(key, undefined, `its MD5 is ${found}, and ${text} says ${md5}`)
      } catch (error) {
        await data.handle.close()
        throw error
      }
    },
    batches: isCsv ? csv(key) : parquetBatches(key),
  }))
}

/** @param {string} file @param {OpenedManifest} opened */
async function readJson(file, opened) {
  const text = opened.bytes > MOST_JSON ? '' : new TextDecoder().decode(await readAt(opened, 0, opened.bytes))
  let json
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw bad(file, undefined, KNOWN, cause)
  }
  if (Array.isArray(json.files) && json.files.every((/** @type {any} */ one) => typeof one?.key === 'string'))
    return json
  throw bad(file, undefined, KNOWN)
}

/** Of a file of this machine they lie in its folder, or in `data` beside that. @param {string} text of the manifest @param {string} key @param {ReadingRules} how */
async function openData(text, key, { options, cancel }) {
  if (isLocation(text)) return await fetchFile(placeText({ ...parsePlace(text, 'source'), key }), { options, cancel })
  const folder = dirname(text)
  const places = [join(folder, basename(key)), join(folder, '..', 'data', basename(key))]
  for (const path of places) if (await stat(path).catch(() => undefined)) return await openFile(path)
  throw bad(text, undefined, `its data file ${basename(key)} is neither beside it nor in ${dirname(places[1])}`)
}

module.exports = { digestManifest, isLocation, openAt, openBeside, openManifest }
