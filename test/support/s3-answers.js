'use strict'

const { describingHeaders, readDescription, readWritten } = require('../../lib/stores/s3/answers')
const { amazon, explainAnswer } = require('../../lib/stores/s3/explain')

/** For a store that is played by a test: how S3 reads answers. @param {Record<string, any>} facts of the store */
function s3Answers(facts) {
  return {
    readDescription,
    readWritten,
    describingHeaders: description => describingHeaders(description, amazon),
    explain: answer => explainAnswer(answer, facts),
  }
}

module.exports = { s3Answers }
