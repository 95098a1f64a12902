#!/usr/bin/env node
'use strict'

/** `npm run sandbox`: starts the sandbox, says how to reach it, and stops on Ctrl-C. */

const { join } = require('node:path')
const { Command } = require('commander')
const { abandonUpload, CONTENTS, fill } = require('./contents')
const { onParentGone } = require('./common/process')
const { GOOGLE, NEW, OLD, writeProfiles } = require('./profiles')
const { lambdaEnvironment, startSandbox, workersEnvironment } = require('./sandbox')

const HELP = `
The first store holds some objects, unless --source is given; the second has an unfinished upload, unless --dest is.
Each option is JSON. A store's: sandbox/store/options.js has the names and defaults, sandbox/store/settings.d.ts their
meaning and the faults; those of the Azure account are in sandbox/azure/. The platform's are in sandbox/platform/types.d.ts,
PlatformOptions, Limits and Fault; the usual ones: {"containers":8,"limits":{"concurrent":30,"perMinute":60},"faults":[…]}.
Workers (xfer serve) are there with --workers.
AWS Lambda is there with --lambda; sandbox/lambda/types.d.ts has its options, limits and faults, which are alike.

Examples:
  npm run sandbox
  npm run sandbox -- --dest '{"faults":[{"operation":"UploadPart","probability":0.3,"status":503}]}'
  npm run sandbox -- --source '{"synthetic":{"photos/huge":107374182400}}' --dest '{"buckets":[{"name":"backup","discard":true}]}'
  npm run sandbox -- --azure '{"containers":["photos"],"hierarchical":true}'
  npm run sandbox -- --openwhisk '{"limits":{"concurrent":100,"perMinute":600},"containers":4}'
  npm run sandbox -- --openwhisk '{"faults":[{"nth":[2,5],"lose":true},{"probability":0.1,"status":503,"retryAfter":2}]}'
  npm run sandbox -- --lambda
  npm run sandbox -- --lambda '{"processes":4,"limits":{"concurrent":10},"faults":[{"probability":0.1,"death":"time"}]}'
  npm run sandbox -- --workers 3
  npm run -s sandbox -- --json      one line when all is ready, for scripts`

const XFER = join(__dirname, '..', 'cli', 'xfer.js')

/** What can be typed while the stores hold what they hold by default. */
const EXAMPLES = `Then, for example:

  xfer copy s3://old@photos/raid.tar s3://new@backup/
  xfer sync s3://old@photos/2026 s3://new@backup/2026
`

/** The container of the Azure account for people. */
const CONTAINER = 'photos'

/** What can be typed then. */
const BETWEEN = `
  xfer copy s3://${OLD.profile}@${OLD.bucket}/raid.tar az://ACCOUNT/${CONTAINER}/
  xfer copy az://ACCOUNT/${CONTAINER}/raid.tar gs://${GOOGLE.profile}@${GOOGLE.bucket}/
`

/** The role of functions: the sandbox's Lambda takes any. */
const ROLE = 'arn:aws:iam::123456789012:role/xfer'

/** What to type for copies with AWS Lambda. @param {import('./sandbox').LambdaAccess} lambda */
function describeLambda(lambda) {
  const exports = Object.entries(lambdaEnvironment(lambda)).map(([name, value]) => `${name}=${value}`)
  return `To copy with functions of AWS Lambda, type this too:

  export ${exports.join(' ')}
  xfer deploy --engine lambda --role ${ROLE}
  xfer copy s3://${OLD.profile}@${OLD.bucket}/raid.tar s3://${NEW.profile}@${NEW.bucket}/ --engine lambda

`
}

/** What to type for copies with workers. @param {import('./sandbox').WorkersAccess} workers */
function describeWorkers(workers) {
  const exports = Object.entries(workersEnvironment(workers)).map(([name, value]) => `${name}=${value}`)
  return `To copy with workers, type this too:

  export ${exports.join(' ')}
  xfer copy s3://${OLD.profile}@${OLD.bucket}/raid.tar s3://${NEW.profile}@${NEW.bucket}/ --engine http

`
}

/** @param {import('./sandbox').AzureAccess} azure @returns {string} a connection string, as Azure's tools read it */
function connectionString({ endpoint, account, key }) {
  return `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint}`
}

/**
 * @param {import('./sandbox').Sandbox & { azure: import('./sandbox').AzureAccess }} sandbox
 * @param {string} configFile
 * @param {{ source?: unknown, dest?: unknown }} options
 */
function describe({ stores, openwhisk, azure, lambda, workers }, configFile, { source, dest }) {
  const endpoints = stores.map(({ endpoint }) => endpoint)
  return `Two S3 stores, one like Google's, an Azure account and an OpenWhisk platform are ready.

  profile ${OLD.profile}  ${endpoints[0]}  s3://${OLD.bucket}  ${source ? 'as --source says' : CONTENTS}
  profile ${NEW.profile}  ${endpoints[1]}  s3://${NEW.bucket}  ${dest ? 'as --dest says' : 'no object, and an unfinished upload'}
  profile ${GOOGLE.profile}  ${endpoints[2]}  gs://${GOOGLE.bucket}  no object
  account ${azure.account}  ${azure.endpoint}  az://${azure.account}/${CONTAINER}

Type this in another terminal (the second line only if xfer is not installed):

  export AWS_CONFIG_FILE=${configFile}
  alias xfer='node ${XFER}'

${source || dest ? '' : `${EXAMPLES}\n`}To copy with functions, type this too:

  export APIHOST=${openwhisk.apihost} AUTH=${openwhisk.auth}
  xfer deploy

${lambda ? describeLambda(lambda) : ''}${workers ? describeWorkers(workers) : ''}To copy to Azure and back, type this too:

  export AZURE_STORAGE_CONNECTION_STRING='${connectionString(azure)}'
${source ? '' : BETWEEN.replaceAll('ACCOUNT', azure.account)}
npm run -s put -- s3://old@photos/big.bin 1GiB makes another object.
Ctrl-C stops all of it and removes what it holds.
`
}

/** @param {string} name @returns {(text: string) => Record<string, unknown>} */
function json(name) {
  return text => {
    try {
      return JSON.parse(text)
    } catch {
      process.stderr.write(`sandbox: ${name} is not JSON.\n`)
      process.exit(2)
    }
  }
}

/** @param {string} text */
function count(text) {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  process.stderr.write('sandbox: --workers is not a number from 1 to 99.\n')
  process.exit(2)
}

async function main() {
  const program = new Command('sandbox')
    .description('Starts two S3 stores, one like Google Cloud Storage, an Azure account and a platform on loopback.')
    .option('--json', 'print one line of JSON when all is ready')
    .option('--source <json>', 'options of the first store', json('--source'))
    .option('--dest <json>', 'options of the second store', json('--dest'))
    .option('--azure <json>', 'options of the Azure account', json('--azure'), {})
    .option('--openwhisk <json>', 'options of the platform', json('--openwhisk'), {})
    .option('--lambda [json]', 'start AWS Lambda too, with these options', json('--lambda'))
    .option('--workers <n>', 'start so many workers too', count)
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
