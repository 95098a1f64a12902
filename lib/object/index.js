'use strict'

/** Objects that are written in one request. */

const { byStore } = require('./by-store')
const { createPut } = require('./put')
const { createReader } = require('./reader')
const { putSingle } = require('./single')
const { throughEngine } = require('./through-engine')

module.exports = { byStore, createPut, createReader, putSingle, throughEngine }
