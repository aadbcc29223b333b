import type { Dialog, Page } from '@playwright/test'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

/** Opens the home page and answers its prompts; returns lists that record the prompts and the bodies of posts. */
async function handlePrompts(page: Page, respond: (dialog: Dialog) => Promise<void>) {
  const prompts: string[] = []
  const posts: unknown[] = []
  page.on('dialog', async (dialog) => {
    prompts.push(`${dialog.type()}: ${dialog.message()}`)
    await respond(dialog)
  })
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postDataJSON()))
  await openPage(page)
  return { prompts, posts }
}

const alertsButton = (page: Page) => page.getByRole('button', { name: 'Get Show Alerts' })
const cityButton = (page: Page) => page.getByRole('button', { name: 'Request a City' })

test('empty prompts send nothing; long entries are truncated', { tag: '@long' }, async ({ page }) => {
  const markup = '<img src=x onerror=alert(1)>'
  const emptyAnswers = [
    (dialog: Dialog) => dialog.dismiss(),
    (dialog: Dialog) => dialog.accept(''),
    (dialog: Dialog) => dialog.accept('   '),
  ]
  const answers = [
    ...emptyAnswers,
    ...emptyAnswers,
    (dialog: Dialog) => dialog.accept('fan@example.com'),
    (dialog: Dialog) => dialog.accept(`${markup}${'x'.repeat(10_000)}`),
  ]
  const { prompts, posts } = await handlePrompts(page, (dialog) => answers.shift()?.(dialog) ?? dialog.dismiss())
  for (const button of [alertsButton(page), cityButton(page)])
    for (let press = 0; press < emptyAnswers.length; press += 1) await button.click()
  expect(posts).toEqual([])
  await alertsButton(page).click()
  await expectToast(page, 'Show alerts', 'Thank you. Your show alert is set. Check your inbox to confirm.')
  await cityButton(page).click()
  await expectToast(page, 'City requested', 'Thank you. Your request is saved.')
  const emailPrompt = 'prompt: Your email address, for alerts about new shows:'
  const cityPrompt = 'prompt: Which city should we play next?'
  expect(prompts).toEqual([...Array(3).fill(emailPrompt), ...Array(3).fill(cityPrompt), emailPrompt, cityPrompt])
  expect(posts).toEqual([{ entry: 'fan@example.com' }, { entry: `${markup}${'x'.repeat(200 - markup.length)}` }])
})
