'use strict'

/** One task: its two signed requests, what its outcome means, renewal of expired credentials, detached invocations. */

module.exports = {
  ...require('./allowance'),
  ...require('./task'),
}
