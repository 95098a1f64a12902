'use strict'

/** The checks of `xfer doctor` that belong to no store and no engine, and what runs them. */

const { judgeNode } = require('./machine')
const { reachCheck } = require('./reach')
const { runChecks } = require('./run')
const { sideChecks } = require('./stores')

module.exports = { judgeNode, reachCheck, runChecks, sideChecks }
