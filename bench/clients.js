'use strict'

/**
 * The clients that are compared: how each copies one object from one store to another, with the best settings that we know.
 * RESULTS.md shows `settings`.
 */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { findProgram } = require('../sandbox/peers')
const { sideEnvironment } = require('../sandbox/sandbox')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const RELAY = join(__dirname, 'relay.js')

/** @typedef {import('../sandbox/sandbox').StoreAccess} StoreAccess */

/**
 * @typedef {object} Job
 * @property {StoreAccess} source
 * @property {StoreAccess} destination
 * @property {string} from `bucket/key`
 * @property {string} to `bucket/key`
 * @property {number} bytes
 * @property {string} home a folder for configuration, journals and temporary files; in memory
 * @property {string} [ca] the file of the certificate to trust
 * @property {boolean} [synthetic] whether the stores' ETags are no MD5s
 *
 * @typedef {{ command: string[], env: Record<string, string | undefined> }} Call
 *
 * @typedef {object} Client
 * @property {string} name
 * @property {'xfer' | 'peer' | 'limit'} kind
 * @property {string} [needs] a program that may be missing
 * @property {string} settings
 * @property {(job: Job, flags?: string[]) => Call} call flags: further flags of the client, which override
 * @property {(job: Job, flags?: string[]) => Call} [callForAll] all objects below `from` to below `to`, both with a slash at the end;
 *   flags: of rclone, in place of its usual ones
 */

/** An environment without any configuration. @param {string} home */
const bareEnvironment = home => ({
  PATH: process.env.PATH,
  HOME: home,
  XDG_STATE_HOME: home,
  AWS_EC2_METADATA_DISABLED: 'true',
})

/** @param {Job} job @param {string[]} flags @returns {Call} */
function callXfer({ source, destination, from, to, home, ca }, flags) {
  const trust = ca ? ['--ca-bundle', ca] : []
  return {
    command: [
      process.execPath,
      XFER,
      'copy',
      `s3://${from}`,
      `s3://${to}`,
      '--engine',
      'local',
      '--quiet',
      ...trust,
      ...flags,
    ],
    env: {
      ...bareEnvironment(home),
      ...sideEnvironment('XFER_SOURCE', source),
      ...sideEnvironment('XFER_DEST', destination),
    },
  }
}

/** @param {Job} job @param {string} command @param {string[]} flags @returns {Call} */
function callRclone({ source, destination, from, to, home, ca, synthetic }, command, flags) {
  /** @param {string} name @param {StoreAccess} access */
  const remote = (name, { endpoint, accessKeyId, secretAccessKey, region }) => ({
    [`RCLONE_CONFIG_${name}_TYPE`]: 's3',
    [`RCLONE_CONFIG_${name}_PROVIDER`]: 'Other',
    [`RCLONE_CONFIG_${name}_ENDPOINT`]: endpoint,
    [`RCLONE_CONFIG_${name}_ACCESS_KEY_ID`]: accessKeyId,
    [`RCLONE_CONFIG_${name}_SECRET_ACCESS_KEY`]: secretAccessKey,
    [`RCLONE_CONFIG_${name}_REGION`]: region,
  })
  const quick = ['--ignore-times', '--s3-no-check-bucket', '--s3-disable-checksum', '--s3-use-unsigned-payload=true']
  return {
    command: [
      ...[String(findProgram('rclone')), command, `A:${from}`, `B:${to}`, ...quick],
      ...(synthetic ? ['--s3-use-multipart-etag=false'] : []),
      ...(ca ? ['--ca-cert', ca] : []),
      ...flags,
    ],
    env: { ...bareEnvironment(home), ...remote('A', source), ...remote('B', destination) },
  }
}

/** @param {Job} job @param {string[]} flags @returns {Call} */
function callMc({ source, destination, from, to, home, ca }, flags) {
  /** @param {StoreAccess} access */
  const host = ({ endpoint, accessKeyId, secretAccessKey }) =>
    endpoint.replace('://', `://${accessKeyId}:${secretAccessKey}@`)
  return {
    command: [String(findProgram('mc')), 'cp', '--quiet', `A/${from}`, `B/${to}`, ...flags],
    env: {
      ...bareEnvironment(home),
      MC_HOST_A: host(source),
      MC_HOST_B: host(destination),
      ...(ca && { SSL_CERT_FILE: ca }),
    },
  }
}

/** The AWS CLI cannot copy between two endpoints: it downloads to a file in memory, and uploads it. @param {Job} job @param {string[]} flags @returns {Call} */
function callAws({ source, destination, from, to, home, ca }, flags) {
  /** @param {string} name @param {StoreAccess} access */
  const profile = (name, { endpoint, accessKeyId, secretAccessKey, region }) => `[profile ${name}]
endpoint_url = ${endpoint}
aws_access_key_id = ${accessKeyId}
aws_secret_access_key = ${secretAccessKey}
region = ${region}
request_checksum_calculation = when_required
response_checksum_validation = when_required
${ca ? `ca_bundle = ${ca}` : ''}
s3 =
  addressing_style = path
  max_concurrent_requests = 4
  multipart_threshold = 64MB
  multipart_chunksize = 64MB
`
  const config = join(home, 'aws-config')
  writeFileSync(config, profile('a', source) + profile('b', destination))
  const script =
    'aws=$1 from=s3://$2 to=s3://$3 way=$4; shift 4; "$aws" --profile a s3 cp "$from" "$way" --quiet "$@" && "$aws" --profile b s3 cp "$way" "$to" --quiet "$@"; s=$?; rm -rf "$way"; exit $s'
  return {
    command: ['bash', '-c', script, 'bash', String(findProgram('aws')), from, to, join(home, 'on-its-way'), ...flags],
    env: { ...bareEnvironment(home), AWS_CONFIG_FILE: config },
  }
}

/** @param {Job} job @returns {Call} */
function callRelay({ source, destination, from, to, bytes, ca }) {
  const job = { source: `${source.endpoint}/${from}`, destination: `${destination.endpoint}/${to}`, bytes, ca }
  return { command: [process.execPath, RELAY, JSON.stringify(job)], env: { PATH: process.env.PATH } }
}

/** @type {Record<'xfer' | 'xferUnproved' | 'rclone' | 'mc' | 'aws' | 'relay', Client>} */
const CLIENTS = {
  xfer: {
    name: 'xfer',
    kind: 'xfer',
    settings: 'its defaults, on the local engine: parts of 100 MiB, CRC-32 of all bytes, checked by the destination',
    call: (job, flags = []) => callXfer(job, flags),
    callForAll: job => callXfer(job, ['-r']),
  },
  xferUnproved: {
    name: 'xfer, CRC-32 off',
    kind: 'xfer',
    settings: 'the same with `--verify none`: only sizes are compared',
    call: (job, flags = []) => callXfer(job, ['--verify', 'none', ...flags]),
  },
  rclone: {
    name: 'rclone',
    kind: 'peer',
    needs: 'rclone',
    settings:
      '`copyto --multi-thread-streams 8 --s3-chunk-size 100M --s3-no-check-bucket --s3-disable-checksum --s3-use-unsigned-payload=true`: large parts and several ' +
      'streams, without the question for the bucket, the MD5 of the whole object and the SHA-256 of each part',
    call: (job, flags = []) =>
      callRclone(job, 'copyto', ['--multi-thread-streams', '8', '--s3-chunk-size', '100M', ...flags]),
    callForAll: (job, flags = ['--transfers', '32', '--checkers', '32']) => callRclone(job, 'copy', flags),
  },
  mc: {
    name: 'mc',
    kind: 'peer',
    needs: 'mc',
    settings: '`cp`, with its defaults: larger parts and more threads made no measurable difference',
    call: (job, flags = []) => callMc(job, flags),
    callForAll: job => callMc(job, ['--recursive']),
  },
  aws: {
    name: 'aws s3 cp, down and up',
    kind: 'peer',
    needs: 'aws',
    settings:
      'it copies only within one endpoint: down to a file in memory and up from there, 4 requests at once, parts of 64 MB, checksums only ' +
      'where they are required',
    call: (job, flags = []) => callAws(job, flags),
    callForAll: job => callAws(job, ['--recursive']),
  },
  relay: {
    name: 'bare relay',
    kind: 'limit',
    settings: '`bench/relay.js`: a thread a core, two connections to each store in each, no checksum, no checks',
    call: job => callRelay(job),
  },
}

/** @param {Client[]} clients @returns {{ present: Client[], missing: Client[] }} whose programs are there, and whose are not */
function sortByPresence(clients) {
  const isThere = (/** @type {Client} */ { needs }) => needs === undefined || findProgram(needs) !== undefined
  return { present: clients.filter(isThere), missing: clients.filter(client => !isThere(client)) }
}

module.exports = { CLIENTS, sortByPresence, bareEnvironment, XFER }
