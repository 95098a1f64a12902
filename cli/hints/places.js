'use strict'

/** Hints for locations: kinds of places that xfer does not reach, other ways to write one, and places without a key. */

const { redact } = require('../../lib/errors')
const { quoted } = require('../../lib/options')
const { SCHEMES } = require('../help-texts')
const { flagOf, lineAs, withoutSecret } = require('./line')

/** @typedef {import('./line').TypedLine} TypedLine */
/** @typedef {Record<string, any>} PlaceFacts of an error */

const ADDRESS = /^https?:\/\//i
/** The end of Azure's hosts: which cloud. */
const CLOUD =
  '(?:blob|dfs)\\.((?:core\\.(?:windows\\.net|usgovcloudapi\\.net|chinacloudapi\\.cn))|storage\\.azure\\.net)'

/**
 * Other ways to write a place, and how to write it here; the first that fits. `{…}` is written for a shell, `$1` is a group, SIDE is
 * `source` or `dest`. The query of an address may hold a signature, and its beginning a password: neither is taken.
 *
 * @type {Array<[form: RegExp, answer: string]>}
 */
const FORMS = [
  [
    /(?:^|;)(?:AccountKey|SharedAccessSignature|UseDevelopmentStorage)=/i,
    'Put a connection string into AZURE_STORAGE_CONNECTION_STRING, and name the object as az://account/container/key.',
  ],
  [
    /^(https?:\/\/(?:localhost|127\.0\.0\.1|azurite)(?::\d+)?)\/(devstoreaccount1)\/([^?#]*)/i,
    '{az://$2/$3} with --SIDE-endpoint-url $1',
  ],
  [/^https?:\/\/([a-z0-9]+)\.(?:blob|dfs)\.core\.windows\.net\/([^?#]*)/i, '{az://$1/$2}'],
  [
    new RegExp(`^https?://([a-z0-9]+)((?:\\.z\\d+)?)\\.${CLOUD}/([^?#]*)`, 'i'),
    '{az://$1/$4} with --SIDE-endpoint-url https://$1$2.blob.$3',
  ],
  [/^(?:abfss?|wasbs?):\/\/([^/@:]+)@([a-z0-9]+)[^/@:]*\/([^?#]*)/i, '{az://$2/$1/$3}'],
  [new RegExp(`^az://([a-z0-9]+)\\.(?:z\\d+\\.)?${CLOUD}/([^?]*)`, 'i'), '{az://$1/$3}'],
  [/^az:\/\/([^/@:]+)@([a-z0-9]+)\/([^?]*)/i, '{az://$2/$3}'],
  [/^az:\/\/([^?]*)\?(?:.*&)?sig=/i, '{az://$1}'],
  [/^az:(?:\/|\/{3,})?([a-z0-9][^?/@:]*\/[^?/]+\/[^?]+)/i, '{az://$1}'],
  [/^azure:\/*([a-z0-9]{3,24}\/[^/?]+\/[^?]+)/i, '{az://$1}'],
  [/^(?:azure|azblob|azureblob):\/*([^?@:]*)/i, '{az://ACCOUNT/$1}'],

  [/^-$/, 'One object comes from standard input with xfer copy - DEST, and goes to standard output with xfer cat'],
  [/^(s3|gs):\/?([\w-]{1,20}@[\w.-]+(?:\/[^@:?#]*)?)$/is, '{$1://$2}'],
  [/^s3[an]?:\/*([a-z0-9][\w.-]*\/[^@]*)$/is, '{s3://$1}'],
  [/^arn:[a-z-]+:s3:::(.+)$/is, '{s3://$1}'],
  [/^arn:[a-z-]+:s3[a-z-]*:.*:accesspoint[:/]/i, 'Name an access point by its alias: s3://NAME-…-s3alias/KEY'],
  [/^https?:\/\/storage\.(?:cloud\.google|googleapis)\.com\/(?!storage\/v1\/)([^?#]+)/i, '{gs://$1}'],
  [/^https?:\/\/([a-z0-9][\w.-]*)\.storage\.googleapis\.com\/([^?#]+)/i, '{gs://$1/$2}'],
  [/^https:\/\/console\.cloud\.google\.com\/storage\/browser\/(?:_details\/)?([^?#;]+)/i, '{gs://$1}'],
  [
    /^https?:\/\/s3[.-](?:dualstack\.)?([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?\/([^?#]+)/i,
    '{s3://$2} with --SIDE-region $1',
  ],
  [
    /^https?:\/\/([a-z0-9][\w.-]*)\.s3[.-](?:dualstack\.)?([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?\/([^?#]+)/i,
    '{s3://$1/$3} with --SIDE-region $2',
  ],
  [/^https?:\/\/s3\.amazonaws\.com\/([^?#]+)/i, '{s3://$1}'],
  [/^https?:\/\/([a-z0-9][\w.-]*)\.s3(?:-accelerate)?(?:\.dualstack)?\.amazonaws\.com\/([^?#]+)/i, '{s3://$1/$2}'],
  [
    /^(https?:\/\/)(?:[^/?#]*@)?([^/?#@]+)\/([^/?#]+\/[^?#]+)/i,
    '{s3://$3} with --SIDE-endpoint-url $1$2 if that is an S3-compatible store, because xfer writes to no other addresses',
  ],
  [ADDRESS, `xfer copies between ${SCHEMES} today: use curl or rclone for other addresses of the web`],
  [/^gcs:\/\/(.*)$/is, '{gs://$1}'],
  [/^gs:\/*([a-z0-9][\w.-]*\/[^@]*)$/is, '{gs://$1}'],
  [/^file:/i, 'Write it as a path, or as file:///path'],
  [/^(rediss?):\/\/([a-z0-9][\w.:-]*)\/([^@]*[^@\d/][^@]*)$/is, '{$1://$2/0/$3}'],
  [
    /^(?!az:|rediss?:)[a-z][a-z0-9+.-]*:\/\//i,
    `xfer copies between ${SCHEMES} today: use rclone for other kinds of places`,
  ],
  [
    /^([\w.-]+):\/?$/,
    '{s3://$1@bucket/prefix} if "$1" is a profile of the AWS CLI ({s3://$1@} lists its buckets), and as {./folder/file} if it is a disk',
  ],
  [/^(?:[a-z]:[\\/]|\\\\)/i, 'Write it as a path of this system, such as ./folder/file'],
  [
    /^([\w.-]+):(?!\/\/)\/?([^@:]+)$/s,
    '{s3://$1@$2} if "$1" is a profile of the AWS CLI, or as {s3://$2}, and as {./$0} if it is a file',
  ],
  [
    /^([\w-]+)\/([a-z0-9][a-z0-9.-]{2,62}\/[^@:]*)$/s,
    '{s3://$1/$2}, or as {s3://$1@$2} if "$1" is a profile of the AWS CLI, and as {./$0} if it is a file',
  ],
  [/^([a-z0-9][a-z0-9.-]{2,62}\/[^@:]*)$/s, '{s3://$1} if it is an object, and as {./$0} if it is a file'],
  [/^([a-z0-9-]{3,63})$/, '{s3://$1/key} if it is a bucket, and as {./$0} if it is a file'],
]
/** `remote:bucket/key` of rclone, and `alias/bucket/key` of mc. */
const PROFILES = [/^([\w.-]{2,}):(?!\/\/)\/?([^@:\\]+)$/s, /^([\w-]+)\/([a-z0-9][a-z0-9.-]{2,62}(?:\/[^@:]*)?)$/s]
const OF_AZURE = /^(?:az|azure|azblob|azureblob|wasbs?|abfss?):|(?:^|;)(?:AccountKey|SharedAccessSignature)=/i

/** @param {string} text @param {'source' | 'dest'} side as options write it @returns {string | undefined} */
function meantBy(text, side) {
  // What stands before an @ may be a key, and what stands behind a question mark a signature.
  if (redact(text) !== text && !/^(?:https?|ftps?|sftp):/i.test(text) && !OF_AZURE.test(text)) return undefined
  const [form, answer] = FORMS.find(([one]) => one.test(text)) ?? []
  if (!form || answer === undefined) return undefined
  const groups = /** @type {RegExpExecArray} */ (form.exec(text))
  const fill = (/** @type {string} */ words) => words.replace(/\$(\d)/g, (_, at) => groups[at]).replaceAll('SIDE', side)
  const filled = answer
    .split(/(\{[^}]*\})/)
    .map((piece, i) => (i % 2 ? quoted(decoded(fill(piece.slice(1, -1)))) : fill(piece)))
  const sas = /[?&]sig=/i.test(text) && answer.startsWith('{az:')
  const variable = `XFER_${side.toUpperCase()}_AZURE_STORAGE_SAS_TOKEN`
  const more = sas ? `, and put its SAS, which stands behind the question mark, into ${variable}` : ''
  return `${answer.startsWith('{') ? 'Write it as ' : ''}${filled.join('')}${more}.`
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** @param {PlaceFacts} facts of BAD_LOCATION @param {TypedLine} line @returns {string | undefined} */
function placeAdvice({ side, lacks }, line) {
  if (lacks !== undefined) return everythingBelow(line, lacks === 'key' ? 'in it' : 'below it')
  const text = line.places[side === 'source' || line.places.length === 1 ? 0 : 1]
  // Of an address, the error itself says what is wrong.
  if (text === undefined || (side === 'source' && ADDRESS.test(text)) || /^(?:s3|gs):\/\/[^/]/i.test(text)) {
    return undefined
  }
  return ofRemotes(line) ?? meantBy(text, side === 'source' ? 'source' : 'dest')
}

/** The whole command, if both places are of rclone or of mc. @param {TypedLine} line @returns {string | undefined} */
function ofRemotes(line) {
  for (const form of line.places.length === 2 ? PROFILES : []) {
    const found = line.places.map(place => (OF_AZURE.test(place) ? null : form.exec(place)))
    if (!found[0] || !found[1]) continue
    const [[, one], [, two]] = found
    const profiles = one === two ? `"${one}" is a profile` : `"${one}" and "${two}" are profiles`
    const places = found.map(match => `s3://${match?.[1]}@${match?.[2]}`)
    return `If ${profiles} of the AWS CLI: ${lineAs(line, { places })}`
  }
  return undefined
}

/** An address of a store that denies access is for what everybody may read. @param {PlaceFacts} facts @param {TypedLine} line @returns {string | undefined} */
function deniedAdvice({ side }, line) {
  const [text = ''] = line.places
  if (side !== 'source' || !ADDRESS.test(text)) return undefined
  const written = meantBy(text, 'source')
  // Not every address is one of a store.
  if (!written?.startsWith('Write it') || written.includes('S3-compatible')) return undefined
  return `${written.replace(/\.$/, '')}, to read it with your credentials.`
}

/** Commands that take `-r`, and how many places they have. @type {Record<string, number>} */
const RECURSIVE = { copy: 2, mv: 2, verify: 2, rm: 1 }

/** What the copy of one object has, and the copy of a prefix does not. @param {import('./line').OptionSpec} spec */
const notOfOneObject = ({ name }) => !['expectSha256', 'ifMatch', 'versionId'].includes(name)

/** A bucket, or a prefix, where an object is wanted. @param {TypedLine} line @param {string} what */
function everythingBelow(line, what) {
  if (line.places.length !== RECURSIVE[line.command]) return undefined
  return `Perhaps you mean everything ${what}: ${lineAs(line, { flags: ['-r'], takes: notOfOneObject })}`
}

/** @param {PlaceFacts} facts of NO_SUCH_KEY @param {TypedLine} line @returns {string | undefined} */
function missingAdvice({ side, below, path }, line) {
  if (below) return below === 'list' ? undefined : everythingBelow(line, 'below it')
  if (side !== 'source') return undefined
  const [text = ''] = line.places
  if (path !== undefined) {
    // A path where nothing is, and that looks like a bucket's name or like one of another tool.
    return /^[a-z0-9][\w.-]*(?:\/[^@:]*)?$/is.test(text) ? (ofRemotes(line) ?? meantBy(text, 'source')) : undefined
  }
  const version = line.items.find(({ spec }) => spec?.name === 'versionId')
  return version ? `Check the key and ${flagOf(version.words[0])}.` : wildcardAdvice(line)
}

/** A key that was perhaps meant as a pattern. @param {TypedLine} line @returns {string | undefined} */
function wildcardAdvice(line) {
  const [source = '', destination] = line.places
  const [, bucket, key = ''] = /^((?:s3|gs):\/\/[^/]+\/|az:\/\/[^/]+\/[^/]+\/)(.*)$/is.exec(source) ?? []
  const at = key.search(/[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/)
  if (at < 0 || destination === undefined || !['copy', 'sync'].includes(line.command)) return undefined
  const prefix = key.slice(0, key.lastIndexOf('/', at) + 1)
  const pattern = key.slice(prefix.length).replace(/\/$/, '')
  const command = lineAs(line, {
    flags: line.command === 'copy' ? ['-r'] : [],
    places: [bucket + prefix, destination],
    added: /^\*+$/.test(pattern) ? [] : ['--exclude', '*', '--include', pattern],
    takes: spec => notOfOneObject(spec) && spec.name !== 'recursive',
  })
  return `Here a key is taken as it is written, and patterns are for --include: ${command}`
}

/** What is done with one object, by the command that was typed for many: which command does it. @type {Record<string, [command: string, verb: string]>} */
const OF_ONE = { copy: ['copy', 'copy'], sync: ['copy', 'copy'], mv: ['mv', 'move'], verify: ['verify', 'compare'] }

/** @param {PlaceFacts} facts of NOTHING_FOUND @param {TypedLine} line @returns {string | undefined} */
function emptyAdvice({ object, isFile, pattern }, line) {
  if (pattern) return wildcardAdvice(line)
  const [source, destination] = line.places
  if (!object || destination === undefined || !OF_ONE[line.command]) return undefined
  const [command, verb] = OF_ONE[line.command]
  const places = [source.replace(/\/$/, ''), destination]
  const takes = (/** @type {import('./line').OptionSpec} */ spec) =>
    spec.scope !== 'prefix' && spec.name !== 'recursive'
  const what = isFile ? 'a file, not a folder' : 'one object, not a prefix'
  return `${withoutSecret(object)} is ${what}; ${verb} it with: ${lineAs(line, { command, places, takes })}`
}

module.exports = { deniedAdvice, emptyAdvice, missingAdvice, placeAdvice }
