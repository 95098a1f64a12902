'use strict'

const { statfs } = require('node:fs/promises')

/** Less than this is worth a warning: bytes, and files. */
const FEW = { bytes: 1024 ** 3, files: 10_000 }

/** By what Linux calls them, https://man7.org/linux/man-pages/man2/statfs.2.html @type {Record<number, string>} */
const KINDS = {
  61267: 'ext4',
  16914836: 'tmpfs',
  1481003842: 'XFS',
  2435016766: 'Btrfs',
  801189825: 'ZFS',
  2035054128: 'overlayfs',
  1702057286: 'FUSE',
  26985: 'NFS',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  19780: 'FAT',
  538032816: 'exFAT',
  1397118030: 'NTFS',
}

/**
 * @param {string} folder
 * @param {import('.').Explain} explain
 * @returns {Promise<import('../../../types').Finding>} how much there is room for
 * @throws {import('../../../types').XferError}
 */
async function describeSpace(folder, explain) {
  const found = await statfs(folder).catch(cause => {
    throw explain(cause, folder)
  })
  return judgeSpace(folder, found, process.platform)
}

/**
 * Pure.
 *
 * @param {string} folder
 * @param {{ type: number, bavail: number, bsize: number, files: number, ffree: number }} found
 * @param {string} platform
 * @returns {import('../../../types').Finding}
 */
function judgeSpace(folder, { type, bavail, bsize, files, ffree }, platform) {
  const bytes = bavail * bsize
  const kind = platform === 'linux' && KINDS[type] ? ` (${KINDS[type]})` : ''
  // Some file systems make room for files as they need it, and tell no number.
  const limited = files > 0
  const room = limited ? `, and room for ${count(ffree)} more files` : ''
  const detail = `The file system of ${folder}${kind} has ${count(bytes)} bytes free${room}.`
  if (bytes >= FEW.bytes && !(limited && ffree < FEW.files)) return { ok: true, detail }
  const hint =
    'That is little: a copy of a larger object is refused before it writes, and one of many ends when nothing is left.'
  return { ok: true, detail, hint }
}

/** @param {number} number */
function count(number) {
  return number.toLocaleString('en-US')
}

module.exports = { describeSpace, judgeSpace }
