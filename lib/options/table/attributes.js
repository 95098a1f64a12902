'use strict'

/** The attributes of the copy. The options have the AWS CLI's names if it has them. */

const { COPIES } = require('./commands')

/** @typedef {import('../contract').OptionSpec} OptionSpec */

/** @param {string} name @param {string} value @param {string} header @param {string} example @returns {OptionSpec} */
const header = (name, value, header, example) => ({
  name,
  value,
  help: `override the source's ${header}, such as ${example}`,
  group: 'attributes',
  commands: COPIES,
  kept: true,
})

/** @type {OptionSpec[]} */
module.exports = [
  {
    name: 'metadata',
    value: 'how',
    type: 'choice',
    choices: ['copy', 'replace'],
    default: 'copy',
    help: "copy: the source's content headers and user metadata, except those that other options set; replace: only what options set",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  header('contentType', 'type', 'Content-Type', 'text/csv'),
  header('cacheControl', 'text', 'Cache-Control', 'max-age=60'),
  header('contentEncoding', 'text', 'Content-Encoding', 'gzip'),
  header('contentLanguage', 'text', 'Content-Language', 'de'),
  header('contentDisposition', 'text', 'Content-Disposition', 'attachment; filename="a.csv"'),
  header('expires', 'date', 'Expires', '2027-01-31 or 2027-01-31T08:00:00Z'),
  {
    name: 'metadataSet',
    value: 'name=value',
    type: 'pairs',
    help: 'set one entry of user metadata; repeatable',
    libraryHelp: "entries of user metadata to set, such as { color: 'blue' }",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'tags',
    value: 'how',
    type: 'choice',
    choices: ['copy', 'none'],
    default: 'copy',
    help: "copy: the source's tags; none: no tags",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'storageClass',
    value: 'name',
    default: 'copy',
    help: "copy: the source's, if the destination has it; or the name of a class",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
]
