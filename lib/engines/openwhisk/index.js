'use strict'

const { createOpenWhiskEngine } = require('./engine')

module.exports = { createOpenWhiskEngine }
