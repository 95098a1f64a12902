'use strict'

/** Hints for locations: kinds of places that xfer does not reach, other ways to write one, and places without a key. */

const { redact } = require('../../lib/errors')
const { quoted } = require('../../lib/options')
const { withoutSecret } = require('../secrets')
const { azureAdvice, meansAzure } = require('./azure')
const { SCHEMES } = require('../place-help')
const { lineAs } = require('./line')

/** @typedef {import('./line').Line} Line */

/** @param {string} text */
const asFile = text => `and as ${quoted(`./${text}`)} if it is a file`

/** @param {string} tool what to use instead */
const today = tool => `xfer copies between ${SCHEMES} today: use ${tool}.`

/** What the copy of one object has, and the copy of a prefix does not. */
const OF_OBJECT = ['exactKey', 'expectSha256', 'ifMatch', 'versionId']

/** Commands that take `-r`, and how many places they have. @type {Record<string, number>} */
const RECURSIVE = { copy: 2, mv: 2, verify: 2, rm: 1 }

/** The options that choose an older state of the source. */
const VERSIONS = ['versionId', 'snapshot']

/** @typedef {{ text: string, side: string }} Typed side: as options write it, `source` or `dest` */

/** Kinds of places by their text; the first that fits. @type {Array<[kind: RegExp, advice: (match: RegExpExecArray, typed: Typed) => string]>} */
const KINDS = [
  [/^$/, () => ''],
  [
    /^-$/,
    () => 'One object comes from standard input with xfer copy - DEST, and goes to standard output with xfer cat.',
  ],
  [/^s3[an]?:\/*([a-z0-9][\w.-]*\/.*)$/is, ([, rest]) => write(`s3://${rest}`)],
  [/^arn:[a-z-]+:s3:::(.+)$/is, ([, rest]) => write(`s3://${rest}`)],
  [
    /^https?:\/\/storage\.(?:cloud\.google|googleapis)\.com\/(?!storage\/v1\/)([^?#]+)/i,
    ([, rest]) => write(`gs://${decoded(rest)}`),
  ],
  [
    /^https?:\/\/([a-z0-9][\w.-]*)\.storage\.googleapis\.com\/([^?#]+)/i,
    ([, bucket, key]) => write(`gs://${bucket}/${decoded(key)}`),
  ],
  [
    /^https:\/\/console\.cloud\.google\.com\/storage\/browser\/(?:_details\/)?([^?#;]+)/i,
    ([, rest]) => write(`gs://${decoded(rest)}`),
  ],
  [/^https?:\/\//i, (_, typed) => ofAddress(typed)],
  [/^gcs:\/\/(.*)$/is, ([, rest]) => write(`gs://${rest}`)],
  [/^gs:\/*([a-z0-9][\w.-]*\/.*)$/is, ([, rest]) => write(`gs://${rest}`)],
  [/^file:/i, () => 'Write it as a path, or as file:///path.'],
  [/^[a-z][a-z0-9+.-]*:\/\//i, () => today('rclone for other kinds of places')],
  [/^(?:[a-z]:[\\/]|[a-z]:$|\\\\)/i, () => 'Write it as a path of this system, such as ./folder/file.'],
  [
    /^([\w.-]+):\/?([^@:]+)$/s,
    ([text, remote, rest]) =>
      `Write it as ${quoted(`s3://${remote}@${rest}`)} if "${remote}" is a profile of the AWS CLI, or as ${quoted(`s3://${rest}`)}, ${asFile(text)}.`,
  ],
  [
    /^([\w-]+)\/([a-z0-9][a-z0-9.-]{2,62}\/[^@:]*)$/s,
    ([text, alias, rest]) =>
      `Write it as ${quoted(`s3://${text}`)}, or as ${quoted(`s3://${alias}@${rest}`)} if "${alias}" is a profile of the AWS CLI, ${asFile(text)}.`,
  ],
  [
    /^[a-z0-9][a-z0-9.-]{2,62}\/[^@:]*$/s,
    ([text]) => `Write it as ${quoted(`s3://${text}`)} if it is an object, ${asFile(text)}.`,
  ],
  [/^[a-z0-9-]{3,63}$/, ([text]) => `Write it as s3://${text}/key if it is a bucket, ${asFile(text)}.`],
]

/** @param {string} place @param {string} [how] */
function write(place, how = '') {
  return `Write it as ${quoted(place)}${how}.`
}

/** Of addresses of AWS: the bucket before the host, or first in the path. */
const AWS_HOST =
  /^(?:(.+)\.)?s3(?:-accelerate)?(?:[.-](?:dualstack\.)?([a-z]{2}(?:-[a-z]+)+-\d))?(?:\.dualstack)?\.amazonaws\.com(?:\.cn)?$/

const ADDRESS = /^https?:\/\//i
/** Addresses of which the place in a store is known. */
const OF_STORES =
  /^https?:\/\/(?:[^/?#]+\.)?(?:s3[.-][^/?#]*amazonaws\.com(?:\.cn)?|storage\.(?:cloud\.google|googleapis)\.com)\//i

/** The query of an address may hold a signature, and its beginning a password: neither is used. @param {Typed} typed */
function ofAddress({ text, side }) {
  if (!URL.canParse(text)) return ''
  const { hostname, origin, pathname } = new URL(text)
  const path = decoded(pathname.slice(1))
  const [aws, bucket, region] = AWS_HOST.exec(hostname) ?? []
  const place = `s3://${bucket ? `${bucket}/` : ''}${path}`
  if (aws) return place === 's3://' ? '' : write(place, region ? ` with --${side}-region ${region}` : '')
  if (!path.includes('/')) return today('curl or rclone for other addresses of the web')
  return `Write it as ${quoted(place)} with --${side}-endpoint-url ${origin} if that is an S3-compatible store, because xfer writes to no other addresses.`
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * @param {Record<string, any>} facts of UNKNOWN_SCHEME or BAD_LOCATION
 * @param {Line} line
 * @returns {string | undefined}
 */
function placeAdvice({ side, lacks }, line) {
  if (lacks !== undefined) return everythingBelow(line, lacks === 'key' ? 'in it' : 'below it')
  const text = line.places[side === 'source' || line.places.length === 1 ? 0 : 1]
  if (text === undefined) return undefined
  if (/^(?:s3|gs):\/\//i.test(text)) {
    const doubled = /^(?:s3|gs):\/{3,}[a-z0-9][\w.-]*\//i.test(text)
    return doubled ? write(text.replace(/^(s3|gs):\/+/i, '$1://')) : undefined
  }
  // Of an address, the error itself says what is wrong.
  if (side === 'source' && ADDRESS.test(text)) return undefined
  return meantBy({ text, side: side === 'source' ? 'source' : 'dest' }, line)
}

/** @param {Typed} typed @param {Line} [line] @returns {string | undefined} */
function meantBy(typed, line) {
  const { text } = typed
  if (meansAzure(text)) return azureAdvice(typed)
  const [, scheme, ofProfile] = /^(s3|gs):\/?([\w-]{1,20}@[\w.-]+(?:\/[^@:?#]*)?)$/is.exec(text) ?? []
  if (scheme) return write(`${scheme.toLowerCase()}://${ofProfile}`)
  // What stands before an @ may be a key, and what stands behind a question mark a signature.
  if (redact(text) !== text && !/^(?:https?|ftps?|sftp):/i.test(text)) return undefined
  const pair = line && ofRemotes(line)
  if (pair) return pair
  for (const [kind, advice] of KINDS) {
    const match = kind.exec(text)
    if (match) return advice(match, typed) || undefined
  }
  return undefined
}

/**
 * An address of a store that denies access: it is for what everybody may read, unless it is signed.
 *
 * @param {Record<string, any>} facts of ACCESS_DENIED
 * @param {Line} line
 * @returns {string | undefined}
 */
function deniedAdvice({ side }, line) {
  const [text = ''] = line.places
  if (side !== 'source' || !ADDRESS.test(text) || !(meansAzure(text) || OF_STORES.test(text))) return undefined
  const written = meantBy({ text, side: 'source' })
  return written && `${written.replace(/\.$/, '')}, to read it with your credentials.`
}

/** `remote:bucket/key` of rclone, and `alias/bucket/key` of mc. */
const REMOTE = /^([\w.-]{2,}):(?!\/\/)\/?([^@:\\]+)$/s
const ALIAS = /^([\w-]+)\/([a-z0-9][a-z0-9.-]{2,62}(?:\/[^@:]*)?)$/s

/** The whole command, if both places are of rclone or of mc. @param {Line} line @returns {string | undefined} */
function ofRemotes(line) {
  for (const form of line.places.length === 2 && line.known ? [REMOTE, ALIAS] : []) {
    const [source, destination] = line.places.map(place => form.exec(place) ?? [])
    if (!source[1] || !destination[1]) continue
    const places = [source, destination].map(([, profile, rest]) => `s3://${profile}@${rest}`)
    const [one, two] = [source[1], destination[1]]
    const profiles = one === two ? `"${one}" is a profile` : `"${one}" and "${two}" are profiles`
    const advice = form === ALIAS ? lineAs(line, { command: line.command, places }) : asRclone(line, places)
    return `If ${profiles} of the AWS CLI${form === ALIAS ? ', and no folders' : ''}: ${advice}`
  }
  return undefined
}

/**
 * `rclone copy` takes a folder as well as an object, and copies what differs; `rclone sync` deletes too.
 *
 * @param {Line} line
 * @param {string[]} places as xfer writes them
 */
function asRclone(line, places) {
  const same = lineAs(line, { command: line.command, places })
  const has = (/** @type {string} */ name) => line.items.some(({ spec }) => spec?.name === name)
  if (line.command === 'sync' && !has('delete')) {
    return `${same} (add --delete to delete what only the destination has, as rclone sync does).`
  }
  const isObject = /\/[^/]*\.[a-z0-9]{1,5}$/i.test(places[0])
  if (line.command !== 'copy' || isObject || has('recursive')) return same
  return `${lineAs(line, { command: 'sync', places, without: OF_OBJECT })} (for one object: ${same}).`
}

/** A bucket, or a prefix, where an object is wanted. @param {Line} line @param {string} what */
function everythingBelow(line, what) {
  const { command, places } = line
  if (places.length !== RECURSIVE[command]) return undefined
  return `Perhaps you mean everything ${what}: ${lineAs(line, { command, flags: ['-r'], without: OF_OBJECT })}`
}

/**
 * @param {Record<string, any>} facts of NO_SUCH_KEY
 * @param {Line} line
 * @returns {string | undefined}
 */
function missingAdvice({ side, below, path }, line) {
  if (below) return below === 'list' ? undefined : everythingBelow(line, 'below it')
  if (side !== 'source') return undefined
  if (path !== undefined) return pathAdvice(line)
  const version = line.items.find(({ spec }) => spec && VERSIONS.includes(spec.name))
  return version ? `Check the key and ${version.words[0].replace(/=.*$/s, '')}.` : wildcardAdvice(line)
}

/** A path where nothing is, and that looks like a bucket's name or like one of another tool. @param {Line} line */
function pathAdvice(line) {
  const [text = ''] = line.places
  if (!/^[a-z0-9][\w.-]*(?:\/[^@:]*)?$/is.test(text)) return undefined
  const pair = ofRemotes(line)
  if (pair) return pair
  for (const [kind, advice] of KINDS) {
    const match = kind.exec(text)
    if (match) return advice(match, { text, side: 'source' })
  }
  return undefined
}

/** A key that was perhaps meant as a pattern. @param {Line} line @returns {string | undefined} */
function wildcardAdvice(line) {
  const [source, destination] = line.places
  const [, bucket, key] = /^((?:s3|gs):\/\/[^/]+\/|az:\/\/[^/]+\/[^/]+\/)(.*)$/is.exec(source ?? '') ?? []
  if (key === undefined || destination === undefined || !['copy', 'sync'].includes(line.command)) return undefined
  const at = key.search(/[*?]|\[[^\]]+\]|\{[^}]*,[^}]*\}/)
  if (at === -1) return undefined
  const prefix = key.slice(0, key.lastIndexOf('/', at) + 1)
  const pattern = key.slice(prefix.length).replace(/\/$/, '')
  const added = /^\*+$/.test(pattern) ? [] : ['--exclude', '*', '--include', pattern]
  const command = lineAs(line, {
    command: line.command,
    flags: line.command === 'copy' ? ['-r'] : [],
    places: [bucket + prefix, destination],
    added,
    without: [...OF_OBJECT, 'recursive'],
  })
  return `Here a key is taken as it is written, and patterns are for --include: ${command}`
}

/**
 * @param {Record<string, any>} facts of SOURCE_EMPTY
 * @param {Line} line
 * @returns {string | undefined}
 */
function emptyAdvice({ object, pattern }, line) {
  if (pattern) return wildcardAdvice(line)
  const [source, destination] = line.places
  if (!object || destination === undefined) return undefined
  const command = lineAs(line, {
    command: 'copy',
    places: [source.replace(/\/$/, ''), destination],
    without: line.items.flatMap(({ spec }) => (spec?.scope === 'prefix' ? [spec.name] : [])),
  })
  return `${withoutSecret(object)} is one object, not a prefix; copy it with: ${command}`
}

module.exports = { deniedAdvice, emptyAdvice, missingAdvice, placeAdvice, wildcardAdvice }
