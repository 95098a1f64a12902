'use strict'

/** Objects from streams. Each file is loaded on first use. */

module.exports = {
  get uploadStream() {
    return require('./up').uploadStream
  },
}
