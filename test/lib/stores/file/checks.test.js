'use strict'

/** What `xfer doctor` makes of what a file system says. */

const { judgeNames } = require('../../../../lib/stores/file/checks/names')
const { judgeOpenFiles } = require('../../../../lib/stores/file/checks/open-files')
const { judgeSpace } = require('../../../../lib/stores/file/checks/space')

const GiB = 1024 ** 3

describe('the room of a file system', () => {
  const roomy = { type: 0xef53, bavail: 10 * 1024 ** 2, bsize: 4096, files: 2e6, ffree: 1e6 }

  test('is told in bytes and files, with its kind', () => {
    expect(judgeSpace('/data', roomy, 'linux')).toEqual({
      ok: true,
      detail: 'The file system of /data (ext4) has 42,949,672,960 bytes free, and room for 1,000,000 more files.',
    })
  })

  test.each([
    ['few bytes', { ...roomy, bavail: 1000 }],
    ['few files', { ...roomy, ffree: 100 }],
  ])('is worth a warning with %s', (_, found) => {
    expect(judgeSpace('/data', found, 'linux')).toMatchObject({ ok: true, hint: expect.stringContaining('little') })
  })

  test('counts no files where there is no number of them', () => {
    const { hint, detail } = judgeSpace('/data', { ...roomy, type: 1, files: 0, ffree: 0 }, 'linux')
    expect({ hint, detail }).toEqual({
      hint: undefined,
      detail: `The file system of /data has ${(40 * GiB).toLocaleString('en-US')} bytes free.`,
    })
  })
})

describe('the names of a file system', () => {
  const plain = { foldsCase: false, foldsForms: false, longest: true, refused: [] }

  test('that takes all of them need no warning', () => {
    expect(judgeNames(plain)).toEqual({
      ok: true,
      detail:
        'There, names that differ in case or in their form of Unicode are different files; a name may have 255 bytes.',
    })
  })

  test.each([
    [{ foldsCase: true }, 'names that differ only in case are one file'],
    [{ foldsCase: true, foldsForms: true }, 'only in case or in their form of Unicode (NFC, NFD) are one file'],
    [{ longest: false }, 'a name of 255 bytes is refused'],
    [{ refused: [':', '\\'] }, 'names with ":", "\\\\" are refused'],
  ])('%j are a warning', (found, says) => {
    const { ok, detail, hint } = judgeNames({ ...plain, ...found })
    expect({ ok, hint }).toEqual({ ok: true, hint: expect.stringContaining('each by its name') })
    expect(detail).toContain(says)
  })
})

test.each([
  [1024, 1000, 'ulimit -n 2100'],
  [2100, 1000, undefined],
  [Number.POSITIVE_INFINITY, 1000, undefined],
])('%d open files for %d requests at once: %s', (limit, concurrency, advice) => {
  const { ok, hint } = judgeOpenFiles(limit, concurrency)
  expect(ok).toBe(true)
  if (advice === undefined) expect(hint).toBeUndefined()
  else expect(hint).toContain(advice)
})

test('a system that tells no limit is no failure', () => {
  expect(judgeOpenFiles(undefined, 1000).ok).toBeNull()
})
