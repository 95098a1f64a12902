'use strict'

/** A move: when may the source of a proved copy go, and what is left to do after one that was killed? */

const { findAlready } = require('./already')
const { goOnMoving } = require('./resumed')
const { removeSource } = require('./source')

module.exports = { findAlready, goOnMoving, removeSource }
