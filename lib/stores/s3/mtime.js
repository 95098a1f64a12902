'use strict'

/** Where programs keep an object's modification time in the user metadata of S3. */

const { MTIME_IN_SECONDS, secondsIn } = require('../common').mtime

/** Where s3cmd keeps what it knows of a file: `…/mode:33188/mtime:1492697123/uid:0/…` */
const S3CMD = 's3cmd-attrs'

/**
 * - rclone: "X-Amz-Meta-Mtime as floating point since the epoch, accurate to 1 ns", https://rclone.org/s3/#modification-times-and-hashes
 * - s3cmd: `mtime` among the user metadata `s3cmd-attrs`, https://s3tools.org/usage (`--preserve`)
 *
 * @type {import('../contract').MtimeConvention}
 */
const MTIME = {
  ...MTIME_IN_SECONDS,
  header: 'x-amz-meta-mtime',
  read(user) {
    const [, attribute = ''] = /(?:^|\/)mtime:([^/]*)/.exec(user[S3CMD] ?? '') ?? []
    return secondsIn(user, 'mtime') ?? secondsIn({ mtime: attribute }, 'mtime')
  },
}

module.exports = { MTIME }
