'use strict'

/** `--live` in a browser: the real program, two viewers, one of them late, and the button that stops the copy. */

const { drawn, inBrowser, launch, openPage } = require('../support/browser')
const { startGate, startStore } = require('../support/opened')
const { copyEnv, startXfer } = require('../support/run-xfer')

const MiB = 1024 ** 2

/** A copy that tells where its page is. @param {Record<string, string>} env */
async function start(env) {
  const args = 'copy --live s3://photos/raid.tar s3://backup/watched --engine local --chunk 5 --concurrency 1'
  const { child, ended } = startXfer(args.split(' '), { env })
  let text = ''
  for await (const more of child.stderr.iterator({ destroyOnReturn: false })) {
    text += more
    const [, url] = /^Live: (\S+)\n/m.exec(text) ?? []
    if (url) {
      child.stderr.resume()
      return { url, ended }
    }
  }
  throw new Error(text)
}

/** @param {import('playwright-core').Page} page @param {string} text */
const until = (page, text) => page.getByText(text).first().waitFor()
/** In the browser: what is longer than its place. */
const tooLong = () =>
  [document.body, ...document.querySelectorAll('.figures > div')]
    .filter(one => one.scrollWidth > one.clientWidth)
    .map(one => one.className || one.tagName)

inBrowser('two viewers, one of them late, see the copy go on and end', async () => {
  const [source, destination] = await Promise.all([
    startStore({ synthetic: { 'photos/raid.tar': 40 * MiB }, buckets: ['photos'] }),
    startStore({ buckets: ['backup'] }),
  ])
  const gate = await startGate(destination)
  const browser = await launch()
  /** @param {number} part @returns {Promise<() => void>} once the part waits; lets it go on */
  const hold = part => gate.hold(({ method, url }) => method === 'PUT' && `${url}&`.includes(`partNumber=${part}&`))
  const [third, seventh] = [hold(3), hold(7)]
  const { url, ended } = await start(copyEnv(source, { ...destination, endpoint: gate.endpoint }))
  const goOn = await third
  const early = await openPage(browser, url)
  await until(early.page, 'At work.')
  const before = await drawn(early.page)
  goOn()
  const goOnAgain = await seventh
  const late = await openPage(browser, url)
  await until(late.page, 'At work.')
  for (const width of [1280, 390]) {
    await late.page.setViewportSize({ width, height: 844 })
    // The charts follow the width a moment later.
    await late.page.waitForFunction(`(${tooLong})().length === 0`).catch(() => {})
    expect(await late.page.evaluate(tooLong)).toEqual([])
  }
  // It was not there when the first parts were copied, and shows them.
  expect(await late.page.locator('#slowest tr > :first-child').allTextContents()).toContain('part 1')
  await early.page.waitForFunction(old => document.querySelector('#waterfall canvas').toDataURL() !== old, before)
  goOnAgain()
  expect((await ended).status).toBe(0)
  for (const { page, wrong } of [early, late]) {
    await until(page, 'It has ended.')
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0)
    expect(await page.textContent('#lines')).toMatch(/Copied 40\.0 MiB/)
    expect(wrong).toEqual([])
    await page.close()
  }
})
