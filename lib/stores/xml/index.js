'use strict'

/** The strict reader of the XML in stores' answers. */

const { readXml, valuesOf } = require('./reader')

module.exports = { readXml, valuesOf }
