'use strict'

/** docs/reference/notices.md: every row of the table of notices. */

const { NOTICES } = require('../../lib/notices')
const { inline } = require('./errors')
const { NOTE } = require('./note')
const { formsOf } = require('./sentences')

/** @returns {string} the page */
function noticesPage() {
  const entries = Object.keys(NOTICES)
    .sort()
    .map(code => {
      const forms = formsOf(NOTICES[code]).map(text => `> ${inline(text)}\n`)
      return `### ${code}\n\n${forms.join('\n')}`
    })
  return `# Notices

${NOTE}

A notice says what you should know of a job that goes on. \`xfer\` prints its sentence; with \`--json\` it is an event of
type \`notice\` with \`code\` and \`message\`, or one of the \`notices\` of a \`plan\`, with its code in \`noticeCodes\` at the same
place. Use the code in scripts, never the text of a sentence. Words in braces stand for facts of the case.

${entries.join('\n')}`
}

module.exports = { noticesPage }
