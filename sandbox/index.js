#!/usr/bin/env node
'use strict'

/** `npm run sandbox`: starts the sandbox, says how to reach it, and stops on Ctrl-C. */

const { join } = require('node:path')
const { Command } = require('commander')
const { onParentGone } = require('./common/process')
const { putInto, putRandom, withStore } = require('./objects')
const { GOOGLE, NEW, OLD, writeProfiles, lambdaEnvironment, startSandbox, workersEnvironment } = require('./sandbox')

const HELP = `
The first store holds some objects, unless --source is given; the second has an unfinished upload, unless --dest is.
Each option is JSON. What it may say, with limits and faults, is in sandbox/store/settings.d.ts and in types.d.ts of
sandbox/azure, sandbox/platform and sandbox/lambda.

Examples:
  npm run sandbox -- --dest '{"faults":[{"operation":"UploadPart","probability":0.3,"status":503}]}'
  npm run sandbox -- --source '{"synthetic":{"photos/huge":107374182400}}' --dest '{"buckets":[{"name":"backup","discard":true}]}'
  npm run sandbox -- --openwhisk '{"limits":{"concurrent":100},"faults":[{"nth":[2,5],"lose":true}]}'
  npm run sandbox -- --openwhisk '{"onlyFailureRecords":true,"limits":{"listed":50,"extraLogging":30}}'    as Adobe's
  npm run sandbox -- --openwhisk '{"limits":{"blockingMs":30000}}'    as DigitalOcean's
  npm run sandbox -- --lambda '{"processes":4,"faults":[{"probability":0.1,"death":"time"}]}' --workers 3
  npm run -s sandbox -- --json      one line when all is ready, for scripts`

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
/** The container of the Azure account for people. */
const CONTAINER = 'photos'
/** The role of functions: the sandbox's Lambda takes any. */
const ROLE = 'arn:aws:iam::123456789012:role/xfer'

const KIB = 1024
const MIB = 1024 * KIB

/** What the first store holds: one large object and a prefix with small ones. The second has an upload that nobody finishes. */
const LARGE = { key: 'raid.tar', bytes: 300 * MIB }

const PREFIX = '2026/'
const PHOTOS = 12

const SMALL = Array.from({ length: PHOTOS }, (_, i) => ({
  key: `${PREFIX}IMG_${String(i + 1).padStart(4, '0')}.jpg`,
  bytes: (1500 + 250 * i) * KIB,
}))

const NOTES = Array.from({ length: 40 }, (_, i) => `Note ${String(i + 1).padStart(2, '0')}: nothing else to tell`)
const TEXT = { key: `${PREFIX}notes.txt`, body: Buffer.from(NOTES.map(line => `${line}\n`).join('')) }

const ABANDONED = 'away.tar'

/** For people. */
const CONTENTS = `${LARGE.key} (${LARGE.bytes / MIB} MiB) and ${PREFIX} (${SMALL.length + 1} objects)`

/** @param {import('./sandbox').StoreAccess} store @param {string} bucket */
async function fill(store, bucket) {
  const { key, body } = TEXT
  await Promise.all([
    ...[LARGE, ...SMALL].map(object => putRandom(store, { bucket, ...object })),
    withStore(store, bucket, opened => putInto(opened, { key, bytes: body.length }, [body])),
  ])
}

/** Begins an upload, as a program that is gone. @param {import('./sandbox').StoreAccess} access @param {string} bucket */
async function abandonUpload(access, bucket) {
  const attributes = { metadata: { headers: {}, user: {} } }
  await withStore(access, bucket, store => store.upload.create({ key: ABANDONED, attributes, checksum: false }))
}

/** What to type for copies with something else. @param {string} what @param {Record<string, string>} env @param {string[]} commands */
function typed(what, env, commands) {
  const exports = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const lines = [`export ${exports.join(' ')}`, ...commands].map(line => `  ${line}\n`)
  return `To copy ${what}, type this too:\n\n${lines.join('')}\n`
}

/**
 * @param {import('./sandbox').Sandbox & { azure: import('./sandbox').AzureAccess }} sandbox
 * @param {string} configFile
 * @param {{ source?: unknown, dest?: unknown }} options
 */
function describe({ stores, openwhisk, azure, lambda, workers }, configFile, { source, dest }) {
  const endpoints = stores.map(({ endpoint }) => endpoint)
  const { endpoint, account, key } = azure
  const [from, to] = [`s3://${OLD.profile}@${OLD.bucket}`, `s3://${NEW.profile}@${NEW.bucket}`]
  const connection = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint}`
  const between = [
    `xfer copy ${from}/${LARGE.key} az://${account}/${CONTAINER}/`,
    `xfer copy az://${account}/${CONTAINER}/${LARGE.key} gs://${GOOGLE.profile}@${GOOGLE.bucket}/`,
  ]
  return `Two S3 stores, one like Google's, an Azure account and an OpenWhisk platform are ready.

  profile ${OLD.profile}  ${endpoints[0]}  s3://${OLD.bucket}  ${source ? 'as --source says' : CONTENTS}
  profile ${NEW.profile}  ${endpoints[1]}  s3://${NEW.bucket}  ${dest ? 'as --dest says' : 'no object, and an unfinished upload'}
  profile ${GOOGLE.profile}  ${endpoints[2]}  gs://${GOOGLE.bucket}  no object
  account ${account}  ${endpoint}  az://${account}/${CONTAINER}

Type this in another terminal (the second line only if xfer is not installed):

  export AWS_CONFIG_FILE=${configFile}
  alias xfer='node ${XFER}'

${
  source || dest
    ? ''
    : `Then, for example:

  xfer copy ${from}/${LARGE.key} ${to}/
  xfer sync ${from}/2026 ${to}/2026

`
}${[
  typed('with functions', { APIHOST: openwhisk.apihost, AUTH: openwhisk.auth }, ['xfer deploy']),
  lambda &&
    typed('with functions of AWS Lambda', lambdaEnvironment(lambda), [
      `xfer deploy --engine lambda --role ${ROLE}`,
      `xfer copy ${from}/${LARGE.key} ${to}/ --engine lambda`,
    ]),
  workers &&
    typed('with workers', workersEnvironment(workers), [`xfer copy ${from}/${LARGE.key} ${to}/ --engine http`]),
  typed('to Azure and back', { AZURE_STORAGE_CONNECTION_STRING: `'${connection}'` }, source ? [] : between),
]
  .filter(Boolean)
  .join('')}npm run -s put -- ${from}/big.bin 1GiB makes another object.
Ctrl-C stops all of it and removes what it holds.
`
}

/** @param {string} text @returns {Record<string, unknown>} */
const json = text => JSON.parse(text)

async function main() {
  const program = new Command('sandbox')
    .description('Starts two S3 stores, one like Google Cloud Storage, an Azure account and a platform on loopback.')
    .option('--json', 'print one line of JSON when all is ready')
    .option('--source <json>', 'options of the first store', json)
    .option('--dest <json>', 'options of the second store', json)
    .option('--azure <json>', 'options of the Azure account', json, {})
    .option('--openwhisk <json>', 'options of the platform', json, {})
    .option('--lambda [json]', 'start AWS Lambda too, with these options', json)
    .option('--workers <n>', 'start so many workers too', Number)
    .addHelpText('after', HELP)
    .parse()
  const options = program.opts()
  const stopped = new Promise(resolve => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve)
    // A shell that starts it in the background may end before it.
    if (process.env.npm_lifecycle_event) onParentGone(() => resolve(undefined))
  })
  const sandbox = await startSandbox({
    stores: [
      { buckets: [OLD.bucket], ...options.source },
      { buckets: [NEW.bucket], ...options.dest },
      { mode: 'google', buckets: [GOOGLE.bucket] },
    ],
    openwhisk: options.openwhisk,
    azure: { containers: [CONTAINER], ...options.azure },
    lambda: options.lambda === true ? {} : options.lambda,
    workers: options.workers,
  })
  try {
    const { stores, openwhisk, lambda, workers } = sandbox
    const azure = /** @type {import('./sandbox').AzureAccess} */ (sandbox.azure)
    // A store that was given options may have other buckets, or refuse what it is given.
    if (options.source === undefined) await fill(stores[0], OLD.bucket)
    if (options.dest === undefined) await abandonUpload(stores[1], NEW.bucket)
    const profiles = await writeProfiles(stores)
    const ready = options.json
      ? JSON.stringify({ stores, openwhisk, azure, lambda, workers, configFile: profiles.file })
      : describe({ ...sandbox, azure }, profiles.file, options)
    process.stdout.write(`${ready}\n`)
    await stopped
    await profiles.remove()
  } finally {
    await sandbox.close()
  }
}

main().catch(error => {
  process.stderr.write(`sandbox: ${error.message}\n`)
  process.exit(1)
})
