'use strict'

/** Where programs keep a file's modification time in the user metadata of Google Cloud Storage. */

const { MTIME_IN_RFC_3339, secondsIn } = require('../../common').mtime

/** Of gsutil and gcloud, in whole seconds. https://cloud.google.com/storage/docs/gsutil/commands/cp */
const OF_GSUTIL = 'goog-reserved-file-mtime'

/**
 * rclone writes both: https://rclone.org/googlecloudstorage/#modification-times
 *
 * @type {import('../../contract').MtimeConvention}
 */
const MTIME = {
  names: ['mtime', OF_GSUTIL],
  // By the S3 protocol rclone writes seconds.
  read: user => MTIME_IN_RFC_3339.read(user) ?? secondsIn(user, 'mtime') ?? secondsIn(user, OF_GSUTIL),
  write: seconds => ({ ...MTIME_IN_RFC_3339.write(seconds), [OF_GSUTIL]: seconds.replace(/\..*$/, '') }),
}

module.exports = { MTIME }
