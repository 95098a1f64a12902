// A program as an ES module. It prints what it got, one line.

import library, { copy, copyPrefix, EXIT, resume, verify, XferError } from 'xfer'
import type { CopyEvent, CopyOptions, PrefixEvent, Proof, Summary, XferErrorCode, XferEvent } from 'xfer'

const seen = new Set<XferEvent['type']>()

function see(event: CopyEvent): void {
  seen.add(event.type)
  if (event.type === 'plan') event.parts satisfies number
  if (event.type === 'retry') ('partNumber' in event ? event.delayMs : event.call) satisfies number | string
  if (event.type === 'done') event.proof satisfies Proof[]
}

const options: CopyOptions = { chunk: '8MiB', engine: 'local', source: { region: 'eu-west-1' }, onEvent: see }
const summary: Summary = await copy('s3://src/big.bin', 's3://dst/esm.bin', options)

let objects = 0
const onObject = (event: PrefixEvent) => {
  if (event.type === 'object' && event.action === 'copy') objects += 1
}
const { recursive } = await copyPrefix('s3://src/photos/', 's3://dst/esm/', { recursive: 'sync', onEvent: onObject })
const { method } = await verify('s3://src/big.bin', 's3://dst/esm.bin', { read: true })

async function codeOf(call: Promise<unknown>): Promise<XferErrorCode | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (!(error instanceof XferError)) throw error
    error.exitCode satisfies number
    return error.code
  }
}

const codes = [
  await codeOf(copy('s3://src/none', 's3://dst/none')),
  await codeOf(library.copy('s3://src/none', 's3://dst/none')),
  await codeOf(resume('none')),
]
const same = library.XferError === XferError && library.EXIT === EXIT
const { bytes } = summary
console.log(JSON.stringify({ bytes, events: [...seen].sort(), recursive, objects, method, codes, same }))
