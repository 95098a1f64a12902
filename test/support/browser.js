'use strict'

/** Pages in Chromium, where it is installed. */

const { existsSync } = require('node:fs')
const { chromium } = require('playwright-core')
const { keep } = require('./opened')

const CHROMIUM = '/usr/bin/chromium'
const inBrowser = existsSync(CHROMIUM) ? test : test.skip

const launch = () => keep(chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] }))

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {object} [options]
 * @returns {Promise<{ page: import('playwright-core').Page, wrong: string[], requests: string[] }>} wrong: what it complained of
 */
async function openPage(browser, url, options) {
  const page = await browser.newPage(options)
  const wrong = []
  const requests = []
  page.on('console', message => wrong.push(message.text()))
  page.on('pageerror', error => wrong.push(error.message))
  page.on('request', request => requests.push(request.url()))
  await page.goto(url)
  return { page, wrong, requests }
}

module.exports = { inBrowser, launch, openPage }
