'use strict'

const { makeHome } = require('./home')

/** A new folder, which is gone after the tests of the file. @returns {string} */
const newFolder = () => makeHome({})

module.exports = { newFolder }
