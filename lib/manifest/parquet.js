'use strict'

/** Inventories in Apache Parquet, one row group after the other. */

const { bad } = require('./records')
const { COLUMNS, columnOf, inventoryRow, readRows } = require('./rows')

/** Rows handed out together. */
const MOST_ROWS = 100

/**
 * @param {import('node:fs/promises').FileHandle} handle
 * @param {number} bytes of the file
 * @param {string} file for messages
 * @param {number} from rows before this one, from 1, are not needed: groups without others are not read
 * @returns {AsyncGenerator<import('./open').Batch, void, undefined>}
 * @throws {import('../errors').XferError} BAD_MANIFEST
 */
async function* parquetBatches(handle, bytes, file, from) {
  // An ES module.
  const { parquetMetadataAsync, parquetScan } = await import('hyparquet')
  const buffer = {
    byteLength: bytes,
    /** @param {number} start @param {number} [end] */
    async slice(start, end = bytes) {
      const part = Buffer.alloc(end - start)
      const { bytesRead } = await handle.read(part, 0, part.length, start)
      if (bytesRead < part.length) throw new RangeError('the file ends early')
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

module.exports = { parquetBatches }
