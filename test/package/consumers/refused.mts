// What the types refuse. Each comment is an error of its own if the line below it compiles.

import {
  abortJob,
  clean,
  copy,
  copyPrefix,
  deploy,
  doctor,
  download,
  jobs,
  resume,
  undeploy,
  upload,
  verify,
} from 'xfer'
import type { CopyEvent, PrefixEvent, XferError, XferErrorCode } from 'xfer'

const [A, B] = ['s3://a/x', 's3://b/x']

export async function mistakes(event: CopyEvent, ofPrefix: PrefixEvent, error: XferError): Promise<void> {
  // --- options of another call
  // @ts-expect-error
  await copy(A, B, { recursive: 'sync' })
  // @ts-expect-error
  await copyPrefix(A, B, { ifMatch: 'e' })
  // @ts-expect-error
  await copyPrefix(A, B, { ifMatch: '"e"' })
  // @ts-expect-error
  await resume('a', { recursive: 'sync' })
  // @ts-expect-error
  await verify(A, B, { metadata: 'copy' })
  // @ts-expect-error
  await jobs({ signal: AbortSignal.timeout(1) })
  // @ts-expect-error
  await abortJob('a', { source: {} })
  // @ts-expect-error
  await clean('s3://bucket', { concurrency: 5 })
  // @ts-expect-error
  await deploy({ chunk: '5MiB' })
  // @ts-expect-error
  await undeploy({ memory: 512 })
  // @ts-expect-error
  await doctor(A, B, { onEvent: console.log })

  // --- what a stream has not got
  // @ts-expect-error
  await upload(download(A), B, { route: 'engine' })
  // @ts-expect-error
  await upload(download(A), B, { onFailure: 'keep' })
  // @ts-expect-error
  await upload(download(A), B, { restart: true })

  // --- options of the other side, and of a side of another call
  // @ts-expect-error
  await copy(A, B, { destination: { versionId: '1' } })
  // @ts-expect-error
  await copy(A, B, { destination: { noSignRequest: true } })
  // @ts-expect-error
  await copyPrefix(A, B, { source: { versionId: '1' } })
  // @ts-expect-error
  await clean('s3://bucket', { destination: { sseCKeyFile: 'key' } })

  // --- credentials, which may be a function
  await copy(A, B, { source: { credentials: async () => ({ accessKeyId: 'a', secretAccessKey: 'b' }) } })
  // @ts-expect-error
  await copy(A, B, { source: { credentials: { accessKey: 'a' } } })
  // @ts-expect-error
  await copy(A, B, { source: { ownCredentials: true } })

  // --- a filter is one of two
  // @ts-expect-error
  await copyPrefix(A, B, { filters: [{ include: 'a', exclude: 'b' }] })

  // --- misspelt names, and values that there are not
  // @ts-expect-error
  await copy(A, B, { chunks: '5MiB' })
  // @ts-expect-error
  await copy(A, B, { source: { endpointURL: 'http://localhost' } })
  // @ts-expect-error
  await copy(A, B, { engine: 'lamda' })
  // @ts-expect-error
  await copy(A, B, { source: { region: 1 } })
  // @ts-expect-error
  await copy(A)

  // --- fields of other events, results and errors
  // @ts-expect-error
  if (event.type === 'plan') event.partNumber
  // @ts-expect-error
  if (event.type === 'finished') return
  // @ts-expect-error
  if (event.type === 'object') return
  // @ts-expect-error
  if (ofPrefix.type === 'progress') ofPrefix.partsDone
  // @ts-expect-error
  await copy(A, B, { onEvent: (each: PrefixEvent) => console.log(each) })
  // @ts-expect-error
  console.log((await verify(A, B)).proof)
  // @ts-expect-error
  if (error.code === 'NOT_FOUND') return
  // @ts-expect-error
  error.code satisfies 'NO_SUCH_KEY'
  error.code satisfies XferErrorCode
}
