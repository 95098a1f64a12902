// A download is a stream of Node.js to TypeScript, and the body of a response.

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { download, upload } from 'xfer'

export async function streams(source: string, destination: string): Promise<unknown[]> {
  const stream: Readable = download(source)
  await pipeline(download(source), createWriteStream('copy'))
  await upload(download(source), destination)
  let bytes = 0
  for await (const piece of download(source)) {
    piece satisfies Uint8Array
    // @ts-expect-error
    piece.nothing
    bytes += piece.length
  }
  return [bytes, stream, Readable.toWeb(download(source)), new Response(download(source))]
}
