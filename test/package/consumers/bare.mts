// The declarations need no types of Node.js.

import { copy, download } from 'xfer'

export const bytesOf = async (source: string, destination: string): Promise<number> => {
  const stream = download(source).on('close', () => {})
  // @ts-expect-error
  stream.nothing
  for await (const piece of stream) if (piece.length > 5) stream.destroy()
  const { bytes } = await copy(source, destination, { env: { HOME: '/home/me' } })
  return bytes
}
