'use strict'

/** A request to one of the stores, from its first byte to its event, whatever the store's protocol. */

/**
 * @template {{ signal: AbortSignal }} C
 * @template {{ status: number }} A
 * @typedef {object} Protocol
 * @property {(req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse) => C} open
 * @property {(ctx: C) => Promise<A>} answerTo
 * @property {(ctx: C, error: unknown) => { answer: A, code: string }} explain a failure of answerTo, as the store answers it
 * @property {(ctx: C, answer: A) => Promise<A> | A} [finish] changes an answer before it is sent
 * @property {(ctx: C, answer: A) => Promise<void>} respond
 * @property {(ctx: C, result: { status?: number, code?: string }) => void} tell status: undefined if no answer could be sent
 */

/**
 * @template {{ signal: AbortSignal }} C
 * @template {{ status: number }} A
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @param {Protocol<C, A>} protocol
 */
async function serve(req, res, { open, answerTo, explain, finish = (_, answer) => answer, respond, tell }) {
  // Errors of the connection are handled where the bytes are read and written.
  req.on('error', () => {})
  res.on('error', () => {})
  res.sendDate = false
  const ctx = open(req, res)
  /** @type {number | undefined} */
  let status
  /** @type {string | undefined} */
  let code
  try {
    const said = await answerTo(ctx).catch(error => {
      if (ctx.signal.aborted) throw error
      const refused = explain(ctx, error)
      code = refused.code
      return refused.answer
    })
    const answer = await finish(ctx, said)
    await respond(ctx, answer)
    status = answer.status
  } catch {
    // The connection is broken, by the client or by a fault rule: no answer can be sent.
    req.socket.destroy()
  }
  tell(ctx, { status, code })
}

module.exports = { serve }
