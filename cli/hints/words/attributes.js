'use strict'

/** Foreign options about what a copy has besides its bytes, and about its proof. */

const BY_ITSELF = "the copy gets the source's metadata, tags and storage class by itself"

/** @type {import('./index').Row[]} */
module.exports = [
  // --- attributes and proof
  {
    typed: ['--acl', '--grants', '--s3-acl', '--canned-acl'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: no ACL is set, and the copy gets that of its bucket.' }],
  },
  {
    typed: ['--s3-storage-class', '--access-tier', '--sc', '--block-blob-tier', '--page-blob-tier'],
    hints: ['Use --storage-class NAME.'],
  },
  { typed: ['--s3-server-side-encryption', '--server-side-encryption'], hints: ['Use --sse KIND.'] },
  { typed: ['--s3-sse-kms-key-id', '--enc-kms'], hints: ['Use --sse aws:kms --sse-kms-key-id ID.'] },
  {
    typed: ['--sse-c', '--sse-c-key', '--sse-c-copy-source', '--sse-c-copy-source-key', '--enc-c'],
    hints: ['Use --source-sse-c-key-file FILE or --dest-sse-c-key-file FILE.'],
  },
  {
    typed: ['--attr', '--header-upload', '--metadata-mapper'],
    hints: ['Use --metadata-set NAME=VALUE, or for a content header its own option, such as --content-type TYPE.'],
  },
  { typed: ['--metadata-directive'], hints: ['Use --metadata copy or --metadata replace.'] },
  { typed: ['--tagging', '--tagging-directive', '--copy-props'], hints: ['Use --tags copy or --tags none.'] },
  {
    typed: [
      '--preserve',
      '-a',
      '-M',
      '--s2s-preserve-properties',
      '--s2s-preserve-blob-tags',
      '--s2s-preserve-access-tier',
      '--no-guess-mime-type',
    ],
    hints: [{ of: ['copy', 'sync'], hint: `Leave it out: ${BY_ITSELF}.` }],
  },
  {
    typed: ['--preserve-last-modified-time', '--preserve-times'],
    hints: ['Use --mtime, which keeps the modification time in the metadata, as rclone does.'],
  },
  {
    typed: ['--put-md5', '--check-md5', '--md5', '--check-length', '--checksum-algorithm'],
    hints: ['Leave it out: every copy is proved, and --verify full also reads both sides again.'],
  },
  {
    typed: ['--verify', '--full'],
    hints: [
      { of: ['verify'], hint: 'Use --read, which reads both objects and compares their bytes.' },
      'Use --verify full, which reads both sides a second time.',
    ],
  },
  { typed: ['--enc-s3'], hints: ['Use --sse AES256.'] },
  {
    typed: ['--retention-mode', '--retention-duration', '--legal-hold'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: no object lock is set.' }],
  },
  { typed: ['--blob-tags'], hints: ['Use --tags copy or --tags none: no other tags are set.'] },
  {
    typed: ['--s2s-detect-source-changed'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: a source that changes meanwhile is never copied half.' }],
  },
  {
    typed: ['--ignore-checksum', '--s3-disable-checksum'],
    hints: ['Use --verify size, which compares only sizes, or --verify none.'],
  },
]
