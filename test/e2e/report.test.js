'use strict'

/** The page of `--report` in a browser: it draws without errors, requests nothing, and anyone can read it. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { inBrowser, launch, openPage } = require('../support/browser')
const { keep, newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const EVIL = '<img src=x onerror="document.title=1"> ‮evil</script>'
/** What other parts of xfer add to the last event. */
const COST = {
  heldBack: { by: 'destination', message: 'The destination allowed 6 requests at once.', option: 'concurrency' },
  usage: { requests: { source: { GET: 40 }, destination: {} }, bytesOut: { source: 0 }, invocations: 40 },
  cost: {
    lines: [{ what: 'requests', count: 40, unit: 'requests', price: 5, amount: 0.0002, source: 'x', date: '2026' }],
    ...{ total: 0.0002, currency: 'USD', unknown: ['egress'] },
  },
}

let browser
let folder
let stores
beforeAll(async () => {
  folder = newFolder()
  stores = await Promise.all([
    startStore({ synthetic: { 'photos/raid.tar': 40 * 1024 ** 2 }, buckets: ['photos'] }),
    startStore({ buckets: ['backup'] }),
  ])
  const [source, destination] = stores
  for (const name of ['a', EVIL, 'b']) await put(openStore(source, 'photos'), `many/${name}`, bytesOf(5000, name))
  destination.faults.add({ operation: 'UploadPart', nth: 2, status: 500 })
  destination.faults.add({ operation: 'UploadPart', nth: 4, status: 503 })
  destination.faults.add({ operation: 'PutObject', key: `many/${EVIL}`, status: 403, code: 'AccessDenied' })
  const env = copyEnv(source, destination)
  const copy = (name, ...args) =>
    runXfer(['copy', ...args, '--engine', 'local', '--chunk', '5M', '--report', join(folder, name)], { env })
  const runs = [
    await copy('parts.html', 's3://photos/raid.tar', 's3://backup/raid.tar'),
    await copy('many.html', '-r', 's3://photos/many/', 's3://backup/many/'),
  ]
  expect(runs.map(({ status }) => status)).toEqual([0, 1])
  browser = await launch()
})

async function open(name, options) {
  const address = pathToFileURL(join(folder, name)).href
  const opened = await openPage(browser, address, { viewport: { width: 1120, height: 800 }, ...options })
  keep(opened.page)
  // It asks for nothing but itself, and complains of nothing.
  return { ...opened, expectFine: () => expect([opened.wrong, opened.requests]).toEqual([[], [address]]) }
}

const LOOKS = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' } }
const VIEWS = { ...LOOKS, 'a phone': { viewport: { width: 390, height: 844 } } }
inBrowser.each(
  ['parts', 'many'].flatMap(name => Object.entries(VIEWS).map(([view, options]) => [name, view, options])),
)('%s in %s asks nobody, and has nothing that axe finds', async (name, _, options) => {
  const { page, expectFine } = await open(`${name}.html`, { ...options, bypassCSP: true })
  expectFine()
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  // What other parts of xfer add is drawn too.
  await page.evaluate(more => {
    const data = JSON.parse(document.getElementById('data').textContent)
    window.xfer.draw({ ...data, ...more })
  }, COST)
  expect(await page.textContent('#held')).toContain(COST.heldBack.message)
  expect(await page.textContent('#cost')).toMatch(/Together.*0\.0002 USD.*egress.*GET requests to the source/)
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() => window.axe.run())
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
})

inBrowser('objects shows names as text, whatever is in them', async () => {
  const { page, expectFine } = await open('many.html')
  expect(await page.textContent('#failures td')).toContain('<img src=x')
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toBe('xfer: Failed: s3://photos/many/ → s3://backup/many/')
  expectFine()
})
