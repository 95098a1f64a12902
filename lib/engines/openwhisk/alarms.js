'use strict'

/**
 * A trigger that calls the runner by the clock, where the platform has alarms.
 * https://github.com/apache/openwhisk-package-alarms
 */

const Feeds = require('openwhisk/lib/feeds')
const Rules = require('openwhisk/lib/rules')
const Triggers = require('openwhisk/lib/triggers')
const { ifThere } = require('./resources')

const FEED = '/whisk.system/alarms/interval'
/** Of the trigger, and of its rule. */
const NAME = 'xfer-every'
const MINUTE_MS = 60_000

/** @param {import('./resources').OpenWhiskResources} platform */
function classesFor({ sender }) {
  return { feeds: new Feeds(sender), rules: new Rules(sender), triggers: new Triggers(sender) }
}

/**
 * @param {import('./resources').OpenWhiskResources} platform
 * @param {{ everyMs: number, action: string, state: string }} how
 * @returns {Promise<boolean>} false: the platform has no alarms
 * @throws {import('../../types').XferError}
 */
async function setAlarm(platform, { everyMs, action, state }) {
  const { feeds, rules, triggers } = classesFor(platform)
  await triggers.update({ name: NAME, annotations: { feed: FEED } })
  // What it was set to before.
  await unset(feeds)
  const params = { minutes: Math.round(everyMs / MINUTE_MS), trigger_payload: { state } }
  const made = await feeds.create({ name: FEED, trigger: NAME, params }).catch(unlessRefused)
  if (made === undefined) {
    await ifThere(triggers.delete(NAME))
    return false
  }
  await rules.update({ name: NAME, trigger: NAME, action })
  return true
}

/** @param {import('./resources').OpenWhiskResources} platform */
async function removeAlarm(platform) {
  const { feeds, rules, triggers } = classesFor(platform)
  if (!(await ifThere(triggers.get(NAME)))) return
  await ifThere(rules.delete(NAME))
  await unset(feeds)
  await ifThere(triggers.delete(NAME))
}

/** @param {any} feeds */
const unset = feeds => feeds.delete({ name: FEED, trigger: NAME }).catch(unlessRefused)

/** Without the package of alarms, or the right to it, the feed is refused; it refuses itself what it does not know. @param {any} error @returns {undefined} */
function unlessRefused(error) {
  if (!(error.facts?.status >= 400 && error.facts.status < 500) && error.facts?.status !== 502) throw error
}

module.exports = { removeAlarm, setAlarm }
