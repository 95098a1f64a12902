// A program as a CommonJS module. It prints what it got, one line.

import xfer = require('xfer')
import type { CleanedUpload, JobReport, Progress } from 'xfer'

async function main(): Promise<void> {
  let progress: Progress | undefined
  const { bytes } = await xfer.copy('s3://src/big.bin', 's3://dst/commonjs.bin', {
    onEvent: event => {
      if (event.type === 'progress') progress = event
    },
  })
  const waiting: JobReport[] = await xfer.jobs()
  const uploads: CleanedUpload[] = []
  await xfer.clean('s3://dst', { olderThan: '1h', onUpload: upload => uploads.push(upload) })
  const code = await xfer.copy('s3://src/none', 's3://dst/none').then(
    () => undefined,
    (error: unknown) => (error instanceof xfer.XferError ? error.code : undefined),
  )
  const { NOT_FOUND } = xfer.EXIT
  const jobs = waiting.length
  console.log(JSON.stringify({ bytes, done: progress?.bytesDone, jobs, uploads: uploads.length, code, NOT_FOUND }))
}

void main()
