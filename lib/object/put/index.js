'use strict'

/** Writes objects in one request. */

const { byStore } = require('./by-store')
const { createConceded } = require('./with-fallbacks')
const { createPut } = require('./put')
const { createReader } = require('./reader')
const { putSingle } = require('./single')
const { throughEngine } = require('./through-engine')

module.exports = { byStore, createConceded, createPut, createReader, putSingle, throughEngine }
