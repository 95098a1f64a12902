'use strict'

/** The checks of `xfer doctor` that belong to no store and no engine, and what runs them. */

const { judgeNode, runChecks } = require('./run')
const { reachCheck } = require('./reach')
const { sideChecks } = require('./stores')

module.exports = { judgeNode, reachCheck, runChecks, sideChecks }
