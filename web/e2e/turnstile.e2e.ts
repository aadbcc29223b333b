import type { Page } from '@playwright/test'
import { demoLogins } from '../../scripts/demo/logins'
import { startFakeTurnstile, TURNSTILE_KEYS, type TurnstileFault } from '../../scripts/fakes/turnstile'
import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { startIsolatedServer } from './isolated-server'
import { openPage } from './page'
import { emailOf, newUsername, PASSWORD } from './users'

const SCRIPT_URL = 'https://challenges.cloudflare.com/turnstile/v0/api.js'
const EXPIRED_TEXT = '400: The check that you are human has expired. Please send the form again.'

/** A stub of Cloudflare's widget that returns these tokens in turn; the fake verifier reads their outcome from them. */
const widgetScript = (tokens: readonly string[]) => `
  const tokens = ${JSON.stringify(tokens)}
  let widget
  const next = () => {
    const token = tokens.shift()
    if (token) setTimeout(() => widget.callback(token + '&hostname=localhost&action=' + widget.action))
  }
  window.turnstile = {
    render: (element, options) => {
      widget = options
      next()
      return 'widget'
    },
    reset: next,
    remove: () => undefined,
  }`

/** Submits the form. Expects an error toast and unchanged fields. */
async function expectRejected(page: Page, typed: Record<string, string>, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expectToast(page, 'Signup failed', text)
  for (const [label, value] of Object.entries(typed))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
}

test('a visitor signs up after each kind of Turnstile failure', { tag: ['@phone', '@long'] }, async ({
  page,
  expectConsoleError,
}) => {
  expectConsoleError(/Failed to load resource.*api\.js/)
  expectConsoleError(/Failed to load resource.*(400|409|503)/)
  const verifier = await startFakeTurnstile()
  const server = await startIsolatedServer({ ...TURNSTILE_KEYS, TURNSTILE_VERIFY_URL: verifier.url })
  try {
    const fault: TurnstileFault = 'responds with 500'
    // In turn: the verifier fails, expired, for another address, valid for a taken name, used again, valid.
    const tokens = [`id=1&fault=${fault}`, 'id=2&age=400000', 'id=3&ip=192.0.2.1', 'id=4', 'id=4', 'id=5']
    let isBlocked = true
    await page.route(`${SCRIPT_URL}*`, (route) =>
      isBlocked ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: widgetScript(tokens) }),
    )
    await openPage(page, `${server.origin}/login`)
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    const name = newUsername('human')
    const typedValues: Record<string, string> = {
      Username: demoLogins[0]?.username ?? '',
      Email: emailOf(name),
      'Phone number': '(813) 555-0142',
      Password: PASSWORD,
      'Confirm password': PASSWORD,
    }
    for (const [label, value] of Object.entries(typedValues)) await page.getByLabel(label, { exact: true }).fill(value)

    const blockedText = 'The human check could not load. Please allow challenges.cloudflare.com and try again.'
    await expectRejected(page, typedValues, blockedText)
    await expect(page.getByRole('alert')).toHaveText(blockedText)
    await expectAccessible(page)
    isBlocked = false
    await expectRejected(page, typedValues, '503: We could not check that you are human. Please try again in a moment.')
    await expectRejected(page, typedValues, EXPIRED_TEXT)
    await expectRejected(page, typedValues, '400: Please confirm that you are human, then send the form again.')
    // The server rejects the name after it has used the token.
    await expectRejected(page, typedValues, '409: That username is taken. Please choose another.')
    typedValues.Username = name
    await page.getByLabel('Username').fill(name)
    await expectRejected(page, typedValues, EXPIRED_TEXT)
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
    await expectToast(
      page,
      'Account created!',
      `Welcome, ${name}. We sent a link to ${emailOf(name)}. Open it to confirm your email.`,
    )
    expect(verifier.usedTokenIds).toEqual(['4', '5'])
  } finally {
    server.close()
    await verifier.close()
  }
})
