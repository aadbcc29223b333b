import type { Dialog, Page } from '@playwright/test'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

/** Opens the page and answers its prompts; returns the prompts and the bodies of POST requests. */
async function answerPrompts(page: Page, answer: (dialog: Dialog) => Promise<void>) {
  const prompts: string[] = []
  const posts: unknown[] = []
  page.on('dialog', async (dialog) => {
    prompts.push(`${dialog.type()}: ${dialog.message()}`)
    await answer(dialog)
  })
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postDataJSON()))
  await open(page)
  return { prompts, posts }
}

const alertsButton = (page: Page) => page.getByRole('button', { name: 'Get Show Alerts' })
const cityButton = (page: Page) => page.getByRole('button', { name: 'Request a City' })

test('stores prompt entries, cut to 200 characters, as text', async ({ page }) => {
  const markup = '<img src=x onerror=alert(1)>'
  const entries = ['fan@example.com', `${markup}${'x'.repeat(10_000)}`]
  const { prompts, posts } = await answerPrompts(page, (dialog) => dialog.accept(entries.shift()))
  await alertsButton(page).click()
  await expectToast(page, 'Show alerts', 'Thank you. You are noted for news of new shows. Check your mail to confirm.')
  await cityButton(page).click()
  await expectToast(page, 'City requested', 'Thank you. Your city is counted.')
  expect(prompts).toEqual([
    'prompt: Your email address, for news of new shows:',
    'prompt: Which city should the next show come to?',
  ])
  expect(posts).toEqual([{ entry: 'fan@example.com' }, { entry: `${markup}${'x'.repeat(172)}` }])
})

test('cancelled or empty prompts send nothing', async ({ page }) => {
  const entries = [null, '', '   ', null, '', '   ']
  const { prompts, posts } = await answerPrompts(page, (dialog) => {
    const entry = entries.shift() ?? null
    return entry === null ? dialog.dismiss() : dialog.accept(entry)
  })
  for (const button of [alertsButton(page), cityButton(page)])
    for (let press = 0; press < 3; press++) await button.click()
  expect(prompts).toHaveLength(6)
  expect(posts).toEqual([])
})

test('reports an entry that was not saved', async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*500/)
  await page.route('/api/shows/alerts', (route) => route.fulfill({ status: 500, body: 'It broke.' }))
  await answerPrompts(page, (dialog) => dialog.accept('fan@example.com'))
  await alertsButton(page).click()
  await expectToast(page, 'That was not saved', '500: It broke.')
  await expect(alertsButton(page)).toBeEnabled()
})
