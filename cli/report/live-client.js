// @ts-nocheck: for browsers
'use strict'

/** What `--live` adds to the page of the report: snapshots as they come, and the button that stops the job. */

{
  const place = document.getElementById('live')
  const [status, button] = place.children
  const say = text => {
    status.textContent = text
  }
  place.hidden = false

  const events = new EventSource('events')
  events.onopen = () => say('At work.')
  events.onmessage = ({ data }) => window.xfer.draw(JSON.parse(data))
  events.onerror = () => say('No answer from xfer: it has ended, or this page was slow. Trying again.')
  events.addEventListener('end', () => {
    events.close()
    say('It has ended. This page stays as it is.')
    button.remove()
  })

  button.onclick = async () => {
    button.disabled = true
    const { ok } = await fetch('stop', { method: 'POST' }).catch(() => ({ ok: false }))
    say(ok ? 'Stopping: waiting for what is under way.' : 'It could not be stopped.')
    button.disabled = ok
  }
}
